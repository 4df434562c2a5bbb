import { store as coreStore } from '@wordpress/core-data';
import { dispatch, select } from '@wordpress/data';
import { useEffect, useState } from 'react';

import { onWrite } from '../../api/client';
import { guardNavigation } from '../../app/router';
import { getCollectionPath, type ContentType } from '../../app/content-types';
import { t } from '../../app/i18n';
import { setRequestLanguage } from '../../editor/api-fetch';
import { clearUndoHistory } from '../../editor/private-apis';
import { removeUntouched } from './untouched-records';

interface DirtyRecord {
	kind: string;
	name: string;
	key: string | number;
}

let storeLanguage: string | undefined;
let writtenElsewhere = false;
let isEditing = false;

// What lists and forms write while no editor is open makes the editor's own store old.
onWrite(() => {
	writtenElsewhere ||= !isEditing;
});

/** Prepare the editor's store for a record, and leave nothing of it behind. Returns whether the editor may open. */
export function useEditorSession(type: ContentType, id: number, language: string): boolean {
	const [ready, setReady] = useState(false);
	useEffect(() => {
		setRequestLanguage(language);
		if (writtenElsewhere || (storeLanguage !== undefined && storeLanguage !== language)) {
			dispatch(coreStore).invalidateResolutionForStore();
		} else {
			for (const name of ['getEntityRecord', 'getEditedEntityRecord'] as const) {
				dispatch(coreStore).invalidateResolution(name, ['postType', type.slug, id]);
			}
			dispatch(coreStore).invalidateResolution('getAutosaves', [type.slug, id]);
		}
		storeLanguage = language;
		writtenElsewhere = false;
		isEditing = true;
		setReady(true);
		const stopGuarding = guardNavigation(
			() =>
				listDirtyRecords().length === 0 ||
				window.confirm(t('What you wrote is not saved. It stays in this browser and is offered again. Leave?')),
		);
		return () => {
			stopGuarding();
			setReady(false);
			for (const { kind, name, key } of listDirtyRecords()) {
				dispatch(coreStore).clearEntityRecordEdits(kind, name, key);
			}
			clearUndoHistory();
			isEditing = false;
			removeUntouched(getCollectionPath(type), id);
		};
	}, [type, id, language]);
	return ready;
}

function listDirtyRecords(): DirtyRecord[] {
	return select(coreStore).__experimentalGetDirtyEntityRecords() as DirtyRecord[];
}

