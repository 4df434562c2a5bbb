import { store as coreStore } from '@wordpress/core-data';
import { dispatch, select } from '@wordpress/data';
import { store as editorStore } from '@wordpress/editor';
import { useEffect, useState } from 'react';

import { getCollectionPath, type ContentType } from '../../app/content-types';
import { t } from '../../app/i18n';
import { guardNavigation } from '../../app/router';
import { keepDraft } from '../../editor/draft-keeper';
import { clearStoreEdits, listDirtyRecords, openStore } from '../../editor/editor-store';
import { getDraftPrefix } from '../../editor/local-drafts';
import { noteTouched, removeUntouched } from './untouched-records';

/** Prepare the editor's store for a record, and leave nothing of it behind. Returns whether the editor may open. */
export function useEditorSession(type: ContentType, id: number, language: string): boolean {
	const [ready, setReady] = useState(false);
	useEffect(() => {
		openStore(language);
		const { invalidateResolution } = dispatch(coreStore);
		for (const name of ['getEntityRecord', 'getEditedEntityRecord'] as const) {
			invalidateResolution(name, ['postType', type.slug, id]);
		}
		invalidateResolution('getAutosaves', [type.slug, id]);
		const stopKeeping = keepDraft(getDraftPrefix(type.slug, id, language), () => readEdits(type.slug, id));
		setReady(true);
		const stopGuarding = guardNavigation(
			() =>
				listDirtyRecords().length === 0 ||
				window.confirm(t('What you wrote is not saved. It stays in this browser and is offered again. Leave?')),
		);
		return () => {
			stopGuarding();
			setReady(false);
			stopKeeping();
			if (listDirtyRecords().length > 0) {
				noteTouched(getCollectionPath(type), id);
			}
			clearStoreEdits();
			removeUntouched(getCollectionPath(type), id);
		};
	}, [type, id, language]);
	return ready;
}

/** Return what of a record is not saved, null where all is. */
function readEdits(type: string, id: number): Record<string, unknown> | null {
	const editor = select(editorStore);
	if (editor.getCurrentPostId() !== id || !editor.isEditedPostDirty()) {
		return null;
	}
	const edits = select(coreStore).getEntityRecordNonTransientEdits('postType', type, id) as Record<string, unknown>;
	return { ...edits, content: editor.getEditedPostContent() };
}
