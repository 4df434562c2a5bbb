/** Figures over a span, kept together with what they were asked with: choices are quicker than answers. */
import type { Query } from '../../api/client';
import { useAnswer, type Answer } from './answers';
import type { IntervalKind } from './calendar';
import type { Span } from './periods';
import { loadStats, type Stats } from './stats';

export interface SpanStats {
	stats: Stats;
	span: Span;
	interval: IntervalKind;
	/** What it was asked with beside the span. */
	asked: string;
}

/**
 * Ask for figures over a span.
 *
 * path: null asks for nothing, and so does no span. segmentby: segments take a large shop seconds; until they are there,
 * the figures are those without.
 */
export function useSpanStats(
	path: string | null,
	span: Span | null,
	{ interval }: { interval: IntervalKind },
	query: Query | null,
	segmentby: string,
	pause?: number,
): Answer<SpanStats> {
	const key = path === null || span === null ? null : JSON.stringify([path, span, interval, query]);
	const whole = useAnswer(key, ask({}), pause);
	const isCut = segmentby !== '' && whole.value !== undefined;
	const cut = useAnswer(isCut ? JSON.stringify([key, segmentby]) : null, ask({ segmentby }), pause);
	const isOfSame =
		cut.value?.asked === describeAsked({ segmentby }) &&
		JSON.stringify(cut.value.span) === JSON.stringify(whole.value?.span);
	return {
		value: segmentby && isOfSame ? cut.value : whole.value,
		error: whole.error ?? cut.error,
		loading: whole.loading || cut.loading,
	};

	function describeAsked(more: Query): string {
		return JSON.stringify([path, interval, { ...query, ...more }]);
	}

	function ask(more: Query): (signal: AbortSignal) => Promise<SpanStats> {
		const asked = describeAsked(more);
		return async (signal) => {
			if (path === null || span === null) {
				throw new Error('Nothing is asked for without a span.');
			}
			return { stats: await loadStats(path, span, interval, { ...query, ...more }, signal), span, interval, asked };
		};
	}
}

/** Return two spans as they are drawn beside each other: what is still cut otherwise is left out. */
export function pairSpans(
	now: SpanStats | undefined,
	before: SpanStats | undefined,
	chosen: { span: Span; interval: IntervalKind; compared: Span | null },
): {
	stats: Stats | undefined;
	compared: Stats | undefined;
	interval: IntervalKind;
	spans: { span: Span; compared: Span | null };
} {
	const other = chosen.compared && before?.asked === now?.asked ? before : undefined;
	return {
		stats: now?.stats,
		compared: other?.stats,
		interval: now?.interval ?? chosen.interval,
		spans: { span: now?.span ?? chosen.span, compared: other?.span ?? null },
	};
}
