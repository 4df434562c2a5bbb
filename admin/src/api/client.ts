/** Requests to the interface: session, nonce, language, errors. Kept responses: collections.ts. */
import { boot, defaultLanguage } from '../app/boot';
import { ApiError, readError } from './errors';
import { takeFirstAnswer } from './first-answers';

export type Query = Record<string, string | number | boolean | readonly (string | number)[] | undefined>;

/** Asks for the texts that the server adds, labels of settings and findings, in the person's language. */
export const IN_OWN_LANGUAGE: Query = { _locale: 'user' };

export interface RequestOptions {
	method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
	query?: Query;
	/** Sent as JSON, or as it is where it is a form or a file. */
	body?: unknown;
	headers?: Record<string, string>;
	/** Language of the content; that of the site where it is left out. */
	language?: string;
	signal?: AbortSignal;
}

export interface Page<Item> {
	items: Item[];
	total: number;
	pages: number;
}

let nonce = boot.nonce;
/** By what was read: the state in which it was. */
const states = new WeakMap<object, string>();
const listeners = new Set<(path: string) => void>();

/** Call a function after each write, with the path that was written to; returns how to stop. */
export function onWrite(listener: (path: string) => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** Tell the kept responses that something under a path has changed. */
export function announceWrite(path: string): void {
	for (const listener of listeners) {
		listener(path);
	}
}

/** Return the nonce that proves a request to be this page's. */
export function getNonce(): string {
	return nonce;
}

/** Return the URL of a route. path: as in the index, `/wp/v2/posts`. */
export function buildUrl(path: string, query: Query = {}, language: string = defaultLanguage): string {
	const parameters = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (Array.isArray(value)) {
			value.forEach((one) => parameters.append(`${name}[]`, String(one)));
		} else if (value !== undefined && value !== '') {
			parameters.append(name, String(value));
		}
	}
	const base = boot.api.replace(/\/([^/]+)$/, language === defaultLanguage ? '/$1' : `/${language}/$1`);
	const text = parameters.toString();
	return base + path + (text ? `${path.includes('?') ? '&' : '?'}${text}` : '');
}

/** Send a request and return its response. Raises ApiError where it is refused or does not arrive. */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
	const { method = 'GET', query, body, headers, language, signal } = options;
	const attempt = (): Promise<Response> => {
		const isJson = body !== undefined && !(body instanceof FormData) && !(body instanceof Blob);
		return fetch(buildUrl(path, query, language), {
			method,
			credentials: 'same-origin',
			headers: {
				Accept: 'application/json',
				'X-WP-Nonce': nonce,
				...(isJson ? { 'Content-Type': 'application/json' } : {}),
				...headers,
			},
			...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
			...(signal ? { signal } : {}),
		});
	};
	let response: Response;
	try {
		response = await (takeFirstAnswer(method, buildUrl(path, query, language)) ?? attempt());
		if (response.status === 403 && (await isStaleNonce(response)) && (await renewNonce())) {
			response = await attempt();
		}
	} catch (error) {
		if (signal?.aborted) {
			throw error;
		}
		throw new ApiError('offline', String(error), 0);
	}
	if (!response.ok) {
		throw await readError(response);
	}
	if (method !== 'GET' && method !== 'OPTIONS') {
		announceWrite(path);
	}
	return response;
}

/** Send a request and return what its body says. */
export async function request<Body>(path: string, options: RequestOptions = {}): Promise<Body> {
	const response = await send(path, options);
	const body = (response.status === 204 ? null : await response.json()) as Body;
	const state = readState(response);
	if (state && typeof body === 'object' && body !== null) {
		states.set(body, state);
	}
	return body;
}

/** Return the part of an entity tag that does not depend on who reads it; what is stored nowhere has none. */
export function readState(response: Response): string | undefined {
	return /^(?:W\/)?"(\d+-\d+)\./.exec(response.headers.get('ETag') ?? '')?.[1];
}

/** Return the state in which a record was read; none of a row of a list, or of what a write answered. */
export function getState(record: object | null | undefined): string | undefined {
	return record ? states.get(record) : undefined;
}

/** Return the header with which a write is refused (412) where the record is in another state by then. */
export function buildCondition(state: string | undefined): Record<string, string> {
	return state === undefined ? {} : { 'If-Match': `"${state}"` };
}

/** Read one page of a collection with its totals. */
export async function requestPage<Item>(path: string, options: RequestOptions = {}): Promise<Page<Item>> {
	const response = await send(path, options);
	const items = (await response.json()) as Item[];
	return {
		items,
		total: Number(response.headers.get('X-WP-Total') ?? items.length),
		pages: Number(response.headers.get('X-WP-TotalPages') ?? 1),
	};
}

async function isStaleNonce(response: Response): Promise<boolean> {
	const { code } = (await response.clone().json()) as { code?: string };
	return code === 'rest_cookie_invalid_nonce';
}

/** Get a new nonce; where the session is over, go to the page that signs in and come back here. */
export async function renewNonce(): Promise<boolean> {
	const response = await fetch(`${boot.admin}/nonce`, { credentials: 'same-origin' });
	if (response.status === 401) {
		announceSignedOut();
		return false;
	}
	nonce = await response.text();
	return true;
}

/** Ask the shell to say that the session is over; drafts on the screen stay where they are. */
function announceSignedOut(): void {
	window.dispatchEvent(new CustomEvent('vetrina-signed-out'));
}
