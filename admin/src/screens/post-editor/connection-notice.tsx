import { useDispatch, useSelect } from '@wordpress/data';
import { store as editorStore } from '@wordpress/editor';
import { store as noticesStore } from '@wordpress/notices';
import { useEffect, useRef } from 'react';

import { t } from '../../app/i18n';
import { EDITOR_NOTICE, useConnection } from '../../editor/connection';

const NOTICE = 'no-connection';

/** Says that the site cannot be reached, and sends what could not be saved as soon as it can. */
export function ConnectionNotice() {
	const connected = useConnection();
	const { createWarningNotice, createSuccessNotice, removeNotice } = useDispatch(noticesStore);
	const { savePost } = useDispatch(editorStore);
	const { isSaving, hasFailed } = useSelect((select) => {
		const editor = select(editorStore);
		return { isSaving: editor.isSavingPost(), hasFailed: editor.didPostSaveRequestFail() };
	}, []);
	const mustSave = useRef(false);

	useEffect(() => {
		if (connected) {
			return undefined;
		}
		createWarningNotice(
			t('There is no connection to the site. What you write stays in this browser and is sent when the site answers.'),
			{ id: NOTICE, isDismissible: false },
		);
		return () => void removeNotice(NOTICE);
	}, [connected, createWarningNotice, removeNotice]);

	useEffect(() => {
		if (!connected && hasFailed && !isSaving) {
			mustSave.current = true;
			removeNotice(EDITOR_NOTICE);
		} else if (connected && mustSave.current && !isSaving) {
			mustSave.current = false;
			createSuccessNotice(t('The site answers again; what you wrote is being sent.'), { type: 'snackbar' });
			void savePost();
		}
	}, [connected, hasFailed, isSaving, removeNotice, createSuccessNotice, savePost]);
	return null;
}
