/** Whether the site can be reached, as the last request of the editor found it. */
import { useEffect, useSyncExternalStore } from 'react';

import { request } from '../api/client';

/** Name of the editor's own notice that nothing was saved; where that is expected, it says the wrong thing. */
export const EDITOR_NOTICE = 'editor-save';

const RETRY_AFTER = 5_000; // milliseconds
let connected = true;
const listeners = new Set<() => void>();

/** Note that a request has arrived, or that none can. */
export function reportConnection(arrived: boolean): void {
	// What arrives without a connection was under way before it was lost; the next attempt tells.
	if (!arrived || navigator.onLine) {
		setConnected(arrived);
	}
}

function setConnected(isConnected: boolean): void {
	if (isConnected !== connected) {
		connected = isConnected;
		listeners.forEach((listener) => listener());
	}
}

/** Return whether the site can be reached; while it cannot, it is asked again and again. */
export function useConnection(): boolean {
	const isConnected = useSyncExternalStore(
		(listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		() => connected,
	);
	useEffect(() => {
		const lost = (): void => setConnected(false);
		window.addEventListener('offline', lost);
		return () => window.removeEventListener('offline', lost);
	}, []);
	useEffect(() => {
		if (isConnected) {
			return undefined;
		}
		const retry = (): void => {
			request('/wp/v2/users/me', { query: { _fields: 'id' } }).then(
				() => setConnected(true),
				() => undefined, // Still no connection; the next attempt comes by itself.
			);
		};
		const timer = window.setInterval(retry, RETRY_AFTER);
		window.addEventListener('online', retry);
		return () => {
			window.clearInterval(timer);
			window.removeEventListener('online', retry);
		};
	}, [isConnected]);
	return isConnected;
}
