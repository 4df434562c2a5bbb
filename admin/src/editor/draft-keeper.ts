/** Keeps the unsaved edits of an open editor in the browser while the person writes. */
import { subscribe } from '@wordpress/data';

import { showError } from '../app/toasts';
import { deleteDraft, writeDraft } from './local-drafts';

type Edits = Record<string, unknown>;

const WAIT = 700; // milliseconds of rest after which edits are written

let current: (() => Promise<void>) | null = null;

/** Write the unsaved edits of the open editor now. */
export async function flushDraft(): Promise<void> {
	await current?.();
}

/**
 * Begin to keep edits. Returns how to stop; what is unsaved then stays kept.
 *
 * prefix: of their key. readEdits: returns what is not saved, null where all is.
 */
export function keepDraft(prefix: string, readEdits: () => Edits | null): () => void {
	const key = `${prefix}${String(Date.now())}`;
	let timer = 0;
	let written: string | null = null;

	const write = async (): Promise<void> => {
		window.clearTimeout(timer);
		timer = 0;
		const edits = readEdits();
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
