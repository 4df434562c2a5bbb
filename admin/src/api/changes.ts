/**
 * What changes on the site while a screen is open, by the change feed: one stream for the whole page.
 *
 * What is kept of a changed thing is dropped, so that a list or a sum that shows it asks again by itself. The stream is
 * open while a screen listens and the page is seen: a browser keeps few connections to a host.
 */
import { useEffect, useRef } from 'react';

import { buildUrl, getNonce, renewNonce, request } from './client';
import { forget } from './collections';

/** An entry of the change feed. */
export interface Change {
	cursor: number;
	/** `order`, `product`, `post`, `option` … */
	kind: string;
	id: number | string | null;
	action: 'created' | 'changed' | 'removed';
	/** URL of the thing in the interface, null where it has none of its own. */
	href: string | null;
}

interface Listener {
	kinds: ReadonlySet<string>;
	onChange: (change: Change) => void;
}

/** Where things are kept that have no URL any more, by kind. */
const COLLECTIONS: Record<string, string> = {
	order: '/wc/v3/orders',
	product: '/wc/v3/products',
	coupon: '/wc/v3/coupons',
};
/** Longest wait before a stream that was refused is asked for again, in milliseconds. */
const LONGEST_WAIT = 30_000;

const listeners = new Set<Listener>();
let stream: EventSource | null = null;
let cursor: number | null = null;
let refusals = 0;
let retry: number | undefined;
let opening = false;

document.addEventListener('visibilitychange', () => {
	if (document.visibilityState === 'hidden') {
		close();
	} else {
		void open();
	}
});

/** Call a function after each change of things of some kinds, while the component is shown. */
export function useChanges(kinds: readonly string[], onChange: (change: Change) => void): void {
	const latest = useRef(onChange);
	latest.current = onChange;
	const wanted = kinds.join(' ');
	useEffect(() => {
		const listener = { kinds: new Set(wanted.split(' ')), onChange: (change: Change) => latest.current(change) };
		listeners.add(listener);
		void open();
		return () => {
			listeners.delete(listener);
			if (listeners.size === 0) {
				close();
				cursor = null;
			}
		};
	}, [wanted]);
}

async function open(): Promise<void> {
	if (stream || opening || listeners.size === 0 || document.visibilityState === 'hidden') {
		return;
	}
	opening = true;
	try {
		// From where the page stood: what happened while it was hidden is told as well.
		cursor ??= (await request<{ next: number }>('/wp/v2/changes')).next;
	} catch {
		// Offline, or without the right: asked again later, like a stream that was refused.
		waitAndOpen();
		return;
	} finally {
		opening = false;
	}
	if (listeners.size === 0) {
		return;
	}
	stream = new EventSource(buildUrl('/wp/v2/changes', { stream: true, since: cursor, _wpnonce: getNonce() }));
	stream.addEventListener('open', () => {
		refusals = 0;
	});
	stream.addEventListener('change', ({ data }: MessageEvent<string>) => tell(JSON.parse(data) as Change));
	stream.addEventListener('error', () => {
		// The browser opens a lost connection again itself; a refused one is closed.
		if (stream?.readyState === EventSource.CLOSED) {
			close();
			waitAndOpen();
		}
	});
}

function close(): void {
	stream?.close();
	stream = null;
	window.clearTimeout(retry);
}

function waitAndOpen(): void {
	refusals += 1;
	window.clearTimeout(retry);
	retry = window.setTimeout(
		() => void renewNonce().then((renewed) => (renewed ? open() : undefined), waitAndOpen),
		Math.min(1000 * 2 ** refusals, LONGEST_WAIT),
	);
}

function tell(change: Change): void {
	cursor = change.cursor;
	const path = change.href?.match(/-json(\/[^?]*)/)?.[1] ?? COLLECTIONS[change.kind];
	if (path) {
		forget(path);
	}
	for (const { kinds, onChange } of listeners) {
		if (kinds.has(change.kind)) {
			onChange(change);
		}
	}
}
