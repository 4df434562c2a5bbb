/** Whether what the editors' store has read may be old; known before the store itself is loaded. */
import { onWrite } from '../api/client';

let storeLanguage: string | undefined;
let writtenElsewhere = false;
let isOpen = false;

// What lists and forms write while no editor is open makes what the store has old.
onWrite(() => {
	writtenElsewhere ||= !isOpen;
});

/** Return whether an editor that opens for a language asks again for what the store has. */
export function isStoreOld(language: string): boolean {
	return writtenElsewhere || (storeLanguage !== undefined && storeLanguage !== language);
}

/** Note that an editor is open, with a store that fits a language. */
export function noteStoreOpened(language: string): void {
	storeLanguage = language;
	writtenElsewhere = false;
	isOpen = true;
}

/** Note that no editor is open any more. */
export function noteStoreClosed(): void {
	isOpen = false;
}
