/** Drafts that were created for the editor; those into which nobody wrote are removed as the editor is left. */
import { onWrite, request } from '../../api/client';
import { showError } from '../../app/toasts';

const untouched = new Map<string, string>();

function buildKey(path: string, id: number): string {
	return `${path}/${String(id)}`;
}

export function noteUntouched(path: string, id: number, language: string): void {
	untouched.set(buildKey(path, id), language);
}

// What is saved is touched, and so is what is saved by itself (`/autosaves`).
onWrite((path) => {
	untouched.delete((path.split('?')[0] ?? path).replace(/\/autosaves$/, ''));
});

/** Somebody wrote into a record: it stays. */
export function noteTouched(path: string, id: number): void {
	untouched.delete(buildKey(path, id));
}

/** Return whether a record was created for the editor and nobody wrote into it yet. */
export function isUntouched(path: string, id: number): boolean {
	return untouched.has(buildKey(path, id));
}

/** Remove a record into which nobody wrote since it was created. */
export function removeUntouched(path: string, id: number): void {
	const key = buildKey(path, id);
	const language = untouched.get(key);
	if (language !== undefined) {
		untouched.delete(key);
		request(key, { method: 'DELETE', query: { force: true }, language }).catch(showError);
	}
}
