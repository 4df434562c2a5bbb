/** The editor's way to the interface: its requests go through `src/api/client.ts`, in the language of the screen. */
import apiFetch from '@wordpress/api-fetch';

import { boot, defaultLanguage } from '../app/boot';
import { translateKinds } from '../app/kind-labels';
import { buildUrl, send, type RequestOptions } from '../api/client';
import { ApiError, describeError } from '../api/errors';
import { reportConnection } from './connection';
import { noteRead, sendGuarded } from './guarded-writes';
import { takePrefetched } from './prefetch';
import { completeThemeJson } from './theme-json';
import { findViewConfig } from './view-config';

type FetchOptions = Parameters<Parameters<typeof apiFetch.setFetchHandler>[0]>[0];

const FOREIGN_AVATARS = /"avatar_urls":\{[^}]*\}/g;
let language = defaultLanguage;

/** Choose the language of the content that the editor's requests are about. */
export function setRequestLanguage(code: string): void {
	language = code;
}

export function getRequestLanguage(): string {
	return language;
}

apiFetch.nonceEndpoint = `${boot.admin}/nonce`;
apiFetch.setFetchHandler(async (options: FetchOptions) => {
	const path = getRoutePath(options);
	const viewConfig = findViewConfig(path);
	if (viewConfig) {
		return viewConfig;
	}
	try {
		const response = adaptResponse(path, await fetchRoute(path, options), options.method ?? 'GET');
		reportConnection(true);
		if (options.parse === false) {
			return await response;
		}
		return (await response).status === 204 ? null : await (await response).json();
	} catch (error) {
		throw options.parse === false ? buildErrorResponse(error) : buildPlainError(error);
	}
});

function fetchRoute(path: string, { method = 'GET', data, body, headers, signal }: FetchOptions): Promise<Response> {
	const known = takePrefetched(method, path, language);
	if (known) {
		return known;
	}
	const content: unknown = data ?? body;
	const request: RequestOptions = {
		method: method as NonNullable<RequestOptions['method']>,
		language,
		...(content === undefined || content === null ? {} : { body: content }),
		headers: (headers ?? {}) as Record<string, string>,
		...(signal ? { signal } : {}),
	};
	return method === 'GET' || method === 'OPTIONS' ? send(path, request) : sendGuarded(path, request);
}

/** Return the path of a request below the interface's root; links of the interface are whole addresses. */
function getRoutePath({ path, url }: FetchOptions): string {
	let route = path ?? '/';
	if (url) {
		const { pathname, search } = new URL(url, window.location.href);
		const root = [buildUrl('', {}, language), buildUrl('')].find((one) => pathname.startsWith(`${one}/`));
		if (root === undefined) {
			throw new Error(`The editor asked for ${url}, which is not of this site.`);
		}
		route = pathname.slice(root.length) + search;
	}
	// What the account reads in is known from its session.
	return chooseWholeMembers(
		route.replace(/([?&])_locale=user(&|$)/, (_whole, before: string, after: string) => (after ? before : '')),
	);
}

/** Revisions show a member whole or not at all; the editor would have only a part of it (`content.raw`). */
function chooseWholeMembers(path: string): string {
	const [route = '', query = ''] = path.split('?');
	const parameters = new URLSearchParams(query);
	const fields = parameters.get('_fields');
	if (!fields || !/\/revisions(\/\d+)?$/.test(route)) {
		return path;
	}
	parameters.set('_fields', fields.replace(/\.\w+/g, ''));
	return `${route}?${parameters.toString()}`;
}

/** Change what the editor would misread: pictures of people lie on a foreign host, and themes leave out what is usual. */
async function adaptResponse(path: string, response: Response, method: string): Promise<Response> {
	if (!response.headers.get('Content-Type')?.includes('json') || response.status === 204) {
		return response;
	}
	const text = await response.text();
	if (method === 'GET') {
		noteRead(path, response, text, language);
	}
	const adapted = /^\/wp\/v2\/(types|taxonomies)\b/.test(path)
		? JSON.stringify(translateKinds(JSON.parse(text)))
		: completeThemeJson(path, text.replace(FOREIGN_AVATARS, '"avatar_urls":{}'));
	return new Response(adapted, {
		status: response.status,
		headers: response.headers,
	});
}

function buildPlainError(error: unknown): unknown {
	if (!(error instanceof ApiError)) {
		return error;
	}
	if (error.isOffline) {
		reportConnection(false);
	}
	return {
		code: error.isOffline ? 'offline_error' : error.code,
		message: describeError(error),
		data: { ...error.data, params: error.params },
	};
}

function buildErrorResponse(error: unknown): unknown {
	if (!(error instanceof ApiError) || error.isOffline) {
		return buildPlainError(error);
	}
	const content = { code: error.code, message: error.message, data: error.data };
	return new Response(JSON.stringify(content), {
		status: error.status,
		headers: { 'Content-Type': 'application/json' },
	});
}
