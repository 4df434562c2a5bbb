/**
 * Unsaved edits, kept in this browser until the site has them.
 *
 * Each opening of a record keeps its own, so that what was found from before stays until the person decides.
 */
import { boot } from '../app/boot';

export interface LocalDraft {
	key: string;
	/** When it was last written to, in milliseconds since 1970. */
	at: number;
	/** Members of the record that differ; `content` as a text. */
	edits: Record<string, unknown>;
}

const DATABASE = 'vetrina-admin';
const STORE = 'drafts';
const MAX_AGE = 60 * 86_400_000; // milliseconds after which nobody comes back for a draft
let opening: Promise<IDBDatabase> | undefined;

/** Return where the drafts of a record in a language are kept, those of this person on this site. */
export function getDraftPrefix(type: string, id: number, language: string): string {
	return `${boot.site.url} ${String(boot.user.id)} ${type} ${String(id)} ${language} `;
}

/** Return what is kept for a record, the newest first. */
export async function listDrafts(prefix: string): Promise<LocalDraft[]> {
	const found = await run<LocalDraft[]>('readonly', (store) =>
		store.getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`)),
	);
	const old = found.filter(({ at }) => Date.now() - at > MAX_AGE);
	await Promise.all(old.map(({ key }) => deleteDraft(key)));
	return found.filter((one) => !old.includes(one)).sort((one, other) => other.at - one.at);
}

export async function writeDraft(draft: LocalDraft): Promise<void> {
	await run('readwrite', (store) => store.put(draft));
}

export async function deleteDraft(key: string): Promise<void> {
	await run('readwrite', (store) => store.delete(key));
}

async function run<Value>(
	mode: IDBTransactionMode,
	act: (store: IDBObjectStore) => IDBRequest<Value> | IDBRequest,
): Promise<Value> {
	const database = await openDatabase();
	return new Promise((resolve, reject) => {
		const transaction = database.transaction(STORE, mode);
		const request = act(transaction.objectStore(STORE));
		transaction.oncomplete = () => resolve(request.result as Value);
		transaction.onerror = () => reject(transaction.error ?? new Error('The draft could not be kept.'));
		transaction.onabort = transaction.onerror;
	});
}

/** Have the next caller open it again: it could not be opened, or the browser has closed it. */
function forgetDatabase(): void {
	opening = undefined;
}

function openDatabase(): Promise<IDBDatabase> {
	opening ??= new Promise((resolve, reject) => {
		const request = indexedDB.open(DATABASE, 1);
		request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
		request.onsuccess = () => {
			request.result.onclose = forgetDatabase;
			resolve(request.result);
		};
		request.onerror = () => {
			forgetDatabase();
			reject(request.error ?? new Error('The browser keeps no drafts.'));
		};
	});
	return opening;
}
