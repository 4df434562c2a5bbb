/**
 * Responses that are kept in memory, so that no list asks again for what it has.
 *
 * A kept response is shown at once and asked for again after `FRESH` milliseconds; a write under its path drops it.
 */
import isEqual from 'fast-deep-equal';
import { useEffect, useReducer, useRef } from 'react';

import { defaultLanguage } from '../app/boot';
import { onWrite, request, requestPage, send, type Page, type Query } from './client';

const FRESH = 30_000;
/** Of responses that nothing on the screen shows. */
const MAX_KEPT = 60;

interface Kept {
	path: string;
	at: number;
	value?: unknown;
	error?: unknown;
	running?: Promise<unknown>;
	/** Whether a write of ours was answered since the request was begun, which may not know of it. */
	outdated?: boolean;
}

export interface Loaded<Value> {
	value: Value | undefined;
	error: unknown;
	/** Whether a request is on its way. */
	loading: boolean;
	reload: () => void;
}

const kept = new Map<string, Kept>();
const watchers = new Map<string, Set<() => void>>();

onWrite((path) => {
	const written = getCollectionPath(path);
	for (const [key, one] of [...kept]) {
		if (getCollectionPath(one.path) === written || path.startsWith('/batch/')) {
			one.at = -Infinity;
			one.outdated = one.running !== undefined;
			notify(key);
		}
	}
});

/** Return the collection that a path belongs to: `/wp/v2/posts` for `/wp/v2/posts/12/revisions`. */
function getCollectionPath(path: string): string {
	return (path.split('?')[0] ?? path).split('/').slice(0, 4).join('/');
}

/** Drop what is kept of a collection, for what changes without a write of ours. */
export function forget(path: string): void {
	const wanted = getCollectionPath(path);
	for (const [key, one] of [...kept]) {
		if (getCollectionPath(one.path) === wanted) {
			one.at = -Infinity;
			notify(key);
		}
	}
}

/** Read a page of a collection; null as the path reads nothing. */
export function useCollection<Item>(path: string | null, query: Query = {}, language?: string): Loaded<Page<Item>> {
	return useKept(path, query, language, () => requestPage<Item>(path ?? '', withLanguage(query, language)));
}

/** Read one resource; null as the path reads nothing. */
export function useResource<Value>(path: string | null, query: Query = {}, language?: string): Loaded<Value> {
	return useKept(path, query, language, () => request<Value>(path ?? '', withLanguage(query, language)));
}

/** Read the declaration of a route (`OPTIONS`); it stays for as long as the page. */
export function useOptions<Value>(path: string | null): Loaded<Value> {
	return useKept(path === null ? null : `OPTIONS ${path}`, {}, undefined, async () => {
		const response = await send(path ?? '', { method: 'OPTIONS' });
		return (await response.json()) as Value;
	});
}

function withLanguage(query: Query, language: string | undefined): { query: Query; language?: string } {
	return language === undefined ? { query } : { query, language };
}

function useKept<Value>(
	path: string | null,
	query: Query,
	language: string | undefined,
	load: () => Promise<Value>,
): Loaded<Value> {
	const [, render] = useReducer((count: number) => count + 1, 0);
	const key = path === null ? '' : JSON.stringify([path, query, language ?? defaultLanguage]);
	const loadNow = useRef(load);
	loadNow.current = load;
	// What was shown last stays on the screen until the next page has come.
	const last = useRef<Value | undefined>(undefined);

	useEffect(() => {
		if (path === null) {
			return undefined;
		}
		const refresh = (): void => {
			refreshKept(key, path, () => loadNow.current());
			render();
		};
		const own = watchers.get(key) ?? new Set();
		watchers.set(key, own.add(refresh));
		refresh();
		return () => {
			own.delete(refresh);
			if (own.size === 0 && watchers.get(key) === own) {
				watchers.delete(key);
			}
		};
	}, [key, path]);

	const one = kept.get(key);
	if (one?.value !== undefined) {
		last.current = one.value as Value;
	}
	return {
		value: path === null ? undefined : ((one?.value as Value | undefined) ?? last.current),
		error: one?.error,
		loading: path !== null && (one === undefined || one.running !== undefined),
		reload: () => {
			if (one) {
				one.at = -Infinity;
			}
			notify(key);
		},
	};
}

function refreshKept(key: string, path: string, load: () => Promise<unknown>): void {
	const one = kept.get(key) ?? { path, at: -Infinity };
	kept.delete(key);
	kept.set(key, one);
	if (one.running || Date.now() - one.at < (path.startsWith('OPTIONS ') ? Infinity : FRESH)) {
		return;
	}
	dropUnused();
	one.at = Date.now();
	one.outdated = false;
	one.running = load()
		.then(
			(value) => {
				if (!one.outdated) {
					// An equal value keeps its identity: a new object would remount the dialogs that are built from it.
					if (!isEqual(one.value, value)) {
						one.value = value;
					}
					delete one.error;
				}
			},
			(error: unknown) => {
				one.error = error;
			},
		)
		.finally(() => {
			delete one.running;
			notify(key);
		});
}

/** Drop what was used the longest ago, but nothing that is on the screen or on its way. */
function dropUnused(): void {
	const unused = [...kept].filter(([key, one]) => !watchers.has(key) && !one.running).map(([key]) => key);
	unused.slice(0, Math.max(0, unused.length - MAX_KEPT)).forEach((key) => kept.delete(key));
}

function notify(key: string): void {
	for (const watcher of watchers.get(key) ?? []) {
		watcher();
	}
}
