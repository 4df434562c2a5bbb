/** Responses that the editor will ask for, requested at once and together instead of one after the other. */
import { send } from '../api/client';
import { isStoreOld } from './store-age';

const KEPT_FOR = 10_000; // milliseconds; later the editor asks itself

interface Waiting {
	at: number;
	response: Promise<Response>;
}

const waiting = new Map<string, Waiting>();
/** What the editor has taken, and has in its store from then on. */
const taken = new Set<string>();

function buildKey(method: string, path: string, language: string): string {
	const [route = '', query = ''] = path.split('?');
	const parameters = new URLSearchParams(query);
	parameters.sort();
	return `${method} ${language} ${route.replace(/\/$/, '')}?${parameters.toString()}`;
}

/**
 * Ask for routes, but for those whose response the editor has from an earlier opening.
 *
 * paths: as the editor writes them; with `OPTIONS ` in front, for what may be done there.
 */
export function prefetch(paths: readonly string[], language: string): void {
	if (isStoreOld(language)) {
		taken.clear();
		waiting.forEach((kept, key) => drop(key, kept));
	}
	for (const one of paths) {
		const [method, path] = one.startsWith('OPTIONS ') ? (['OPTIONS', one.slice(8)] as const) : (['GET', one] as const);
		const key = buildKey(method, path, language);
		if (!taken.has(key) && !waiting.has(key)) {
			const response = send(path, { method, language });
			// Who takes the response hears of its failure.
			response.catch(() => undefined);
			const kept = { at: Date.now(), response };
			waiting.set(key, kept);
			window.setTimeout(() => drop(key, kept), KEPT_FOR);
		}
	}
}

/** Give up what nobody took: the browser holds a response for as long as its body is not read. */
function drop(key: string, kept: Waiting): void {
	if (waiting.get(key) === kept) {
		waiting.delete(key);
		kept.response.then((response) => response.body?.cancel()).catch(() => undefined);
	}
}

/** Return the response of a route that was asked for, null for none; what is written to meanwhile is asked for again. */
export function takePrefetched(method: string, path: string, language: string): Promise<Response> | null {
	const key = buildKey(method, path, language);
	const known = waiting.get(key);
	if (known === undefined) {
		return null;
	}
	const isFresh = Date.now() - known.at < KEPT_FOR;
	if (isFresh) {
		taken.add(key);
	}
	if (method === 'OPTIONS' && isFresh) {
		// What may be done is asked for by several parts of the editor.
		return known.response.then((response) => response.clone());
	}
	if (!isFresh) {
		drop(key, known);
		return null;
	}
	waiting.delete(key);
	return known.response;
}
