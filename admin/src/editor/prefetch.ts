/** Responses that the editor will ask for, requested at once and together instead of one after the other. */
import { send } from '../api/client';

const KEPT_FOR = 10_000; // milliseconds; later the editor asks itself
const waiting = new Map<string, { at: number; response: Promise<Response> }>();

function buildKey(method: string, path: string, language: string): string {
	const [route = '', query = ''] = path.split('?');
	const parameters = new URLSearchParams(query);
	parameters.sort();
	return `${method} ${language} ${route.replace(/\/$/, '')}?${parameters.toString()}`;
}

/** Ask for routes. paths: as the editor writes them; with `OPTIONS ` in front, for what may be done there. */
export function prefetch(paths: readonly string[], language: string): void {
	for (const one of paths) {
		const [method, path] = one.startsWith('OPTIONS ') ? (['OPTIONS', one.slice(8)] as const) : (['GET', one] as const);
		const response = send(path, { method, language });
		// Who takes the response hears of its failure.
		response.catch(() => undefined);
		waiting.set(buildKey(method, path, language), { at: Date.now(), response });
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
	if (method === 'OPTIONS' && isFresh) {
		// What may be done is asked for by several parts of the editor.
		return known.response.then((response) => response.clone());
	}
	waiting.delete(key);
	return isFresh ? known.response : null;
}
