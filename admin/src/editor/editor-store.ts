/** The store of records that the editors share: opened for a language, and left without a trace. */
import { store as coreStore } from '@wordpress/core-data';
import { dispatch, select } from '@wordpress/data';

import { onWrite } from '../api/client';
import { setRequestLanguage } from './api-fetch';
import { clearUndoHistory } from './private-apis';

interface DirtyRecord {
	kind: string;
	name: string;
	key: string | number;
}

let storeLanguage: string | undefined;
let writtenElsewhere = false;
let isOpen = false;

// What lists and forms write while no editor is open makes what the store has old.
onWrite(() => {
	writtenElsewhere ||= !isOpen;
});

/** Make the store fit a language; it asks again for what may have changed since an editor was last open. */
export function openStore(language: string): void {
	setRequestLanguage(language);
	if (writtenElsewhere || (storeLanguage !== undefined && storeLanguage !== language)) {
		dispatch(coreStore).invalidateResolutionForStore();
	}
	storeLanguage = language;
	writtenElsewhere = false;
	isOpen = true;
}

export function listDirtyRecords(): DirtyRecord[] {
	return select(coreStore).__experimentalGetDirtyEntityRecords() as DirtyRecord[];
}

/** Drop unsaved edits and what could be undone. */
export function clearStoreEdits(): void {
	for (const { kind, name, key } of listDirtyRecords()) {
		dispatch(coreStore).clearEntityRecordEdits(kind, name, key);
	}
	clearUndoHistory();
	isOpen = false;
}
