/**
 * Writes that do not overwrite what somebody else saved meanwhile.
 *
 * The state of a record that is edited is known by its entity tag. A write names it (`If-Match`); where the interface answers
 * 412, whoever shows the record is asked what shall happen, and the write waits for that.
 */
import { send, type RequestOptions } from '../api/client';
import { ApiError } from '../api/errors';
import { t } from '../app/i18n';

export type ConflictChoice = 'overwrite' | 'discard';

type ConflictHandler = (path: string) => Promise<ConflictChoice>;

const AUTOSAVES = '/autosaves';
const states = new Map<string, string>();
let handler: ConflictHandler | null = null;

/** Watch a record: from now on its writes are guarded. Returns how to stop. */
export async function guardRecord(path: string, language: string, onConflict: ConflictHandler): Promise<() => void> {
	await noteState(path, language);
	handler = onConflict;
	return () => {
		states.delete(path);
		handler = null;
	};
}

/** Send a write; one to a watched record only reaches the state that the editor knows. */
export async function sendGuarded(path: string, request: RequestOptions): Promise<Response> {
	const route = path.split('?')[0] ?? path;
	const isAutosave = route.endsWith(AUTOSAVES);
	const record = isAutosave ? route.slice(0, -AUTOSAVES.length) : route;
	const state = states.get(record);
	if (state === undefined) {
		return send(path, request);
	}
	let response: Response;
	try {
		if (isAutosave && (await readState(record, request.language)) !== state) {
			throw new ApiError('conflict', '', 412);
		}
		response = await send(path, { ...request, headers: { ...request.headers, 'If-Match': `"${state}"` } });
	} catch (error) {
		if (!(error instanceof ApiError) || !error.isConflict || handler === null) {
			throw error;
		}
		if ((await handler(record)) === 'discard') {
			throw new ApiError('conflict', t('Nothing was saved.'), 412);
		}
		response = await send(path, request);
	}
	if (request.headers?.['X-HTTP-Method-Override'] !== 'DELETE') {
		// What was written is written; where the new state cannot be read, the next write goes unguarded.
		await noteState(record, request.language).catch(() => states.delete(record));
	}
	return response;
}

/** Take the record's present state for the known one. */
export async function noteState(path: string, language: string | undefined): Promise<void> {
	const state = await readState(path, language);
	if (state) {
		states.set(path, state);
	} else {
		states.delete(path);
	}
}

/** Return what identifies a record's state: the part of its entity tag that does not depend on who reads it. */
async function readState(path: string, language: string | undefined): Promise<string | undefined> {
	const response = await send(path, {
		query: { context: 'edit', _fields: 'id' },
		...(language === undefined ? {} : { language }),
	});
	return /^(?:W\/)?"(\d+-\d+)\./.exec(response.headers.get('ETag') ?? '')?.[1];
}
