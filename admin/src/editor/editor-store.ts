/** The store of records that the editors share: opened for a language, and left without a trace. */
import { store as coreStore } from '@wordpress/core-data';
import { dispatch, select } from '@wordpress/data';

import { setRequestLanguage } from './api-fetch';
import { clearUndoHistory } from './private-apis';
import { isStoreOld, noteStoreClosed, noteStoreOpened } from './store-age';

interface DirtyRecord {
	kind: string;
	name: string;
	key: string | number;
}

/** Make the store fit a language; it asks again for what may have changed since an editor was last open. */
export function openStore(language: string): void {
	setRequestLanguage(language);
	if (isStoreOld(language)) {
		invalidateRecords();
	}
	noteStoreOpened(language);
}

/** Have the store ask again for all but the kinds of records: they stay, and it would add each to those that it has. */
function invalidateRecords(): void {
	const { invalidateResolutionForStoreSelector } = dispatch(coreStore);
	const resolved = Object.keys(select(coreStore).getCachedResolvers() as object);
	for (const name of resolved as Parameters<typeof invalidateResolutionForStoreSelector>[0][]) {
		if (name !== 'getEntitiesConfig') {
			invalidateResolutionForStoreSelector(name);
		}
	}
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
	noteStoreClosed();
}
