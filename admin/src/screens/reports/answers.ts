/**
 * Answers of reports: asked for again when an order changes, dropped when something else is wanted meanwhile.
 *
 * They are not kept beyond the screen: the segments of a large shop are megabytes.
 */
import { useEffect, useRef, useState } from 'react';

import { useChanges } from '../../api/changes';

export interface Answer<Value> {
	/** What was answered last; it stays while other choices are asked for. */
	value: Value | undefined;
	error: unknown;
	/** Whether a request is on its way. */
	loading: boolean;
}

/** What reports are made from, by its kinds in the change feed. */
const KINDS = ['order', 'product', 'product_variation'];
/** Between the beginnings of two requests for the same, in milliseconds. */
export const SOON = 1000;
/** The same for what hardly changes, as the sums of last month. */
export const SELDOM = 20_000;

/**
 * Ask for something, and again after changes, but not more often than the pause allows.
 *
 * key: what is asked for; another key drops the request at hand, null asks for nothing.
 */
export function useAnswer<Value>(
	key: string | null,
	load: (signal: AbortSignal) => Promise<Value>,
	pause: number = SOON,
): Answer<Value> {
	const [answer, setAnswer] = useState<Answer<Value>>({ value: undefined, error: undefined, loading: key !== null });
	const latest = useRef(load);
	latest.current = load;
	const changed = useRef<() => void>(() => undefined);
	useEffect(() => {
		if (key === null) {
			setAnswer({ value: undefined, error: undefined, loading: false });
			return undefined;
		}
		const stop = new AbortController();
		let begun = 0;
		let running = false;
		let again = false;
		let timer: number | undefined;
		const ask = async (): Promise<void> => {
			timer = undefined;
			begun = Date.now();
			running = true;
			again = false;
			try {
				const value = await latest.current(stop.signal);
				if (!stop.signal.aborted) {
					setAnswer({ value, error: undefined, loading: false });
				}
			} catch (error) {
				if (!stop.signal.aborted) {
					setAnswer(({ value }) => ({ value, error, loading: false }));
				}
			}
			running = false;
			if (again) {
				changed.current();
			}
		};
		changed.current = () => {
			// A request that was begun before the change may not know of it.
			again = running;
			if (!running && timer === undefined && !stop.signal.aborted) {
				timer = window.setTimeout(() => void ask(), Math.max(0, begun + pause - Date.now()));
			}
		};
		setAnswer(({ value }) => ({ value, error: undefined, loading: true }));
		void ask();
		return () => {
			stop.abort();
			window.clearTimeout(timer);
			changed.current = () => undefined;
		};
	}, [key, pause]);
	useChanges(KINDS, () => changed.current());
	return answer;
}
