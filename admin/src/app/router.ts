/** Where the person is: the path below `/admin`, its query, and how to go elsewhere. */
import { useSyncExternalStore } from 'react';

import { boot, defaultLanguage } from './boot';

export interface Location {
	/** Path below the administration, beginning with a slash. */
	path: string;
	query: URLSearchParams;
}

type Guard = () => boolean;

const listeners = new Set<() => void>();
const guards = new Set<Guard>();
let current = readLocation();

window.addEventListener('popstate', () => {
	current = readLocation();
	listeners.forEach((listener) => listener());
});

function readLocation(): Location {
	return {
		path: window.location.pathname.slice(boot.admin.length) || '/',
		query: new URLSearchParams(window.location.search),
	};
}

export function useLocation(): Location {
	return useSyncExternalStore(
		(listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		() => current,
	);
}

/** Go to a path below the administration. replace: without an entry in the history. */
export function navigate(to: string, { replace = false } = {}): void {
	if ([...guards].some((guard) => !guard())) {
		return;
	}
	window.history[replace ? 'replaceState' : 'pushState'](null, '', boot.admin + to);
	current = readLocation();
	listeners.forEach((listener) => listener());
}

/** Change parameters of the address without leaving the screen; an empty text removes one. */
export function setQuery(changes: Record<string, string>): void {
	const query = new URLSearchParams(current.query);
	for (const [name, value] of Object.entries(changes)) {
		if (value) {
			query.set(name, value);
		} else {
			query.delete(name);
		}
	}
	const text = query.toString();
	navigate(current.path + (text ? `?${text}` : ''), { replace: true });
}

/** Ask a function before the screen is left; it returns whether to go. Returns how to stop asking. */
export function guardNavigation(guard: Guard): () => void {
	guards.add(guard);
	return () => guards.delete(guard);
}

/** Let the browser ask before the window is closed. Returns how to stop. */
export function guardUnload(): () => void {
	const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
	window.addEventListener('beforeunload', warn);
	return () => window.removeEventListener('beforeunload', warn);
}

/** The language of the content on the screen (`?lang=`). */
export function useContentLanguage(): string {
	const { query } = useLocation();
	const wanted = query.get('lang');
	return wanted && boot.languages.some((one) => one.code === wanted) ? wanted : defaultLanguage;
}

/** Return a path below the administration that keeps the language of the content. */
export function withContentLanguage(path: string, language: string): string {
	return language === defaultLanguage ? path : `${path}${path.includes('?') ? '&' : '?'}lang=${language}`;
}

/** Return the parameters of a pattern (`/content/:type/:id`) that a path fits, null where it does not. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
	const wanted = pattern.split('/');
	const given = path.replace(/\/+$/, '').split('/');
	if (wanted.length !== (given.length === 0 ? 1 : given.length)) {
		return null;
	}
	const found: Record<string, string> = {};
	for (const [index, part] of wanted.entries()) {
		const value = given[index] ?? '';
		if (part.startsWith(':')) {
			found[part.slice(1)] = decodeURIComponent(value);
		} else if (part !== value) {
			return null;
		}
	}
	return found;
}
