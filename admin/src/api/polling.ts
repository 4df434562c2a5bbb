/** Asking again for what no change feed tells: background jobs, and what they make. */
import { useEffect } from 'react';

import { forget } from './collections';

/** Ask again for collections every so many milliseconds, while the page is seen and `active` is true. */
export function usePolling(paths: readonly string[], milliseconds: number, active = true): void {
	const wanted = paths.join(' ');
	useEffect(() => {
		if (!active) {
			return undefined;
		}
		const timer = window.setInterval(() => {
			if (document.visibilityState === 'visible') {
				wanted.split(' ').forEach(forget);
			}
		}, milliseconds);
		return () => window.clearInterval(timer);
	}, [wanted, milliseconds, active]);
}
