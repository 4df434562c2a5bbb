/**
 * Writes that do not overwrite what somebody else saved meanwhile.
 *
 * The state of a record that is edited is known by its entity tag. A write names it (`If-Match`); where the interface answers
 * 412, whoever shows the record is asked what shall happen, and the write waits for that.
 */
import { getDate } from '@wordpress/date';

import { buildCondition, readState, request, send, type RequestOptions } from '../api/client';
import { ApiError } from '../api/errors';
import { t } from '../app/i18n';

export type ConflictChoice = 'overwrite' | 'discard';

type ConflictHandler = (path: string) => Promise<ConflictChoice>;

/** What the editor has of a record. */
interface KnownState {
	/** Headers by which the interface refuses a write to another state; none where it stores nothing of the record yet. */
	condition: Record<string, string>;
	isCurrent: () => Promise<boolean>;
}

const AUTOSAVES = '/autosaves';
/** Records that an editor reads beside the one that it was opened for: any number of them, in lists as well. */
const READ_BESIDE = /^(\/wp\/v2\/(?:templates|template-parts|navigation|global-styles|blocks|pages))(?:\/([^?]+))?\?/;
const EVERY_OTHER = '*';
const states = new Map<string, KnownState>();
const handlers = new Map<string, ConflictHandler>();

/** Watch a record: from now on its writes are guarded. Returns how to stop. */
export async function guardRecord(path: string, language: string, onConflict: ConflictHandler): Promise<() => void> {
	await noteState(path, language);
	handlers.set(path, onConflict);
	return () => {
		states.delete(path);
		handlers.delete(path);
	};
}

/** Watch whatever else the editor reads: templates, their parts, navigation, styles, patterns. Returns how to stop. */
export function guardReads(onConflict: ConflictHandler): () => void {
	handlers.set(EVERY_OTHER, onConflict);
	return () => {
		states.clear();
		handlers.delete(EVERY_OTHER);
	};
}

/** Note the states of the records in a response that the editor reads. */
export function noteRead(path: string, response: Response, text: string, language: string): void {
	const [, collection, id] = READ_BESIDE.exec(path) ?? [];
	const query = new URLSearchParams(path.split('?')[1] ?? '');
	if (!collection || !handlers.has(EVERY_OTHER) || query.get('context') !== 'edit' || query.has('_fields')) {
		return;
	}
	const read = JSON.parse(text) as ReadRecord | ReadRecord[];
	for (const record of [read].flat()) {
		const route = `${collection}/${String(record.id)}`;
		// A route below a record (`/revisions`) is none, and what has a guard of its own keeps it.
		if ((id === undefined || id === String(record.id)) && !handlers.has(route)) {
			const tag = id === undefined ? undefined : readState(response);
			states.set(route, tag ? buildStoredState(route, tag, language) : buildReadState(route, record, language));
		}
	}
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
		const isUnconditional = isAutosave || Object.keys(state.condition).length === 0;
		if (isUnconditional && !(await state.isCurrent())) {
			throw new ApiError('conflict', '', 412);
		}
		response = await send(path, { ...request, headers: { ...request.headers, ...state.condition } });
	} catch (error) {
		const handler = handlers.get(record) ?? handlers.get(EVERY_OTHER);
		if (!(error instanceof ApiError) || !error.isConflict || !handler) {
			throw error;
		}
		if ((await handler(record)) === 'discard') {
			throw new ApiError('conflict', t('Nothing was saved.'), 412);
		}
		response = await send(path, request);
	}
	if (isFinalDeletion(path, request)) {
		states.delete(record);
	} else {
		// What was written is written; where the new state cannot be read, the next write goes unguarded.
		await noteState(record, request.language).catch(() => states.delete(record));
	}
	return response;
}

/** Return whether nothing is left of a record; in the trash it has a state. */
function isFinalDeletion(path: string, { method, headers }: RequestOptions): boolean {
	const isDeletion = method === 'DELETE' || headers?.['X-HTTP-Method-Override'] === 'DELETE';
	return isDeletion && new URLSearchParams(path.split('?')[1] ?? '').get('force') === 'true';
}

/** Take the record's present state for the known one. */
export async function noteState(path: string, language: string | undefined): Promise<void> {
	const tag = await askState(path, language);
	if (tag) {
		states.set(path, buildStoredState(path, tag, language));
	} else {
		states.delete(path);
	}
}

function buildStoredState(path: string, tag: string, language: string | undefined): KnownState {
	return {
		condition: buildCondition(tag),
		isCurrent: async () => (await askState(path, language)) === tag,
	};
}

interface ReadRecord {
	id: number | string;
	/** In the site's zone; missing of what is the theme's. */
	modified?: string | null;
}

/** Return the state of a record of which a list says no more than when it was changed. */
function buildReadState(path: string, { modified }: ReadRecord, language: string): KnownState {
	if (modified) {
		return {
			condition: { 'If-Unmodified-Since': getDate(modified).toUTCString() },
			isCurrent: () => Promise.resolve(true),
		};
	}
	const isStillOfTheTheme = async (): Promise<boolean> =>
		!(await request<{ wp_id?: number | null }>(path, { query: { context: 'edit', _fields: 'wp_id' }, language })).wp_id;
	return { condition: {}, isCurrent: isStillOfTheTheme };
}

/** Return what identifies a record's state at this moment. */
async function askState(path: string, language: string | undefined): Promise<string | undefined> {
	const response = await send(path, {
		query: { context: 'edit', _fields: 'id' },
		...(language === undefined ? {} : { language }),
	});
	// The browser holds a response for as long as its body is not read.
	await response.text();
	return readState(response);
}
