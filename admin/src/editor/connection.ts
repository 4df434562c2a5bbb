/** Whether the site can be reached, as the last request of the editor found it. */
import { useSyncExternalStore } from 'react';

/** Name of the editor's own notice that nothing was saved; where that is expected, it says the wrong thing. */
export const EDITOR_NOTICE = 'editor-save';

let connected = true;
const listeners = new Set<() => void>();

/** Note that a request has arrived, or that none can. */
export function reportConnection(arrived: boolean): void {
	if (arrived !== connected) {
		connected = arrived;
		listeners.forEach((listener) => listener());
	}
}

export function useConnection(): boolean {
	return useSyncExternalStore(
		(listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		() => connected,
	);
}
