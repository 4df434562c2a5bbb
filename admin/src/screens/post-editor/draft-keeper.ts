/** Keeps the unsaved edits of the open record in the browser while the person writes. */
import { store as coreStore } from '@wordpress/core-data';
import { select, subscribe } from '@wordpress/data';
import { store as editorStore } from '@wordpress/editor';

import { showError } from '../../app/toasts';
import { deleteDraft, getDraftPrefix, writeDraft } from '../../editor/local-drafts';

const WAIT = 700; // milliseconds of rest after which edits are written

let current: (() => Promise<void>) | null = null;

/** Write the unsaved edits of the open record now. */
export async function flushDraft(): Promise<void> {
	await current?.();
}

/** Begin to keep the edits of a record. Returns how to stop; what is unsaved then stays kept. */
export function keepDraft(type: string, id: number, language: string): () => void {
	const key = `${getDraftPrefix(type, id, language)}${String(Date.now())}`;
	let timer = 0;
	let written: string | null = null;

	const write = async (): Promise<void> => {
		window.clearTimeout(timer);
		timer = 0;
		const edits = readEdits(type, id);
		const text = edits && JSON.stringify(edits);
		if (text === written) {
			return;
		}
		written = text;
		await (edits ? writeDraft({ key, at: Date.now(), edits }) : deleteDraft(key));
	};
	const writeNow = (): void => void write().catch(showError);
	const unsubscribe = subscribe(() => {
		timer ||= window.setTimeout(writeNow, WAIT);
	});
	window.addEventListener('pagehide', writeNow);
	document.addEventListener('visibilitychange', writeNow);
	current = write;
	return () => {
		unsubscribe();
		window.removeEventListener('pagehide', writeNow);
		document.removeEventListener('visibilitychange', writeNow);
		writeNow();
		current = null;
	};
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
