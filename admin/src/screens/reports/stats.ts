/** Figures over time: what is asked of the interface, and the series that a plot draws of the answer. */
import { request, type Query } from '../../api/client';
import { t } from '../../app/i18n';
import { formatInterval, type IntervalKind } from './calendar';
import { MAX_INTERVALS, type Span } from './periods';

export const API = '/wc-analytics';

type Figures = Record<string, number>;

interface Segment {
	segment_id: number | string;
	segment_label: string | null;
	subtotals: Figures;
}

type Subtotals = Figures & { segments?: Segment[] };

interface StatsInterval {
	interval: string;
	date_start: string;
	date_start_gmt: string;
	date_end: string;
	subtotals: Subtotals;
}

/** An answer of `reports/…/stats`. */
export interface Stats {
	totals: Subtotals | null;
	intervals: StatsInterval[];
}

/** A line of a plot, or the bars of one colour. */
export interface Series {
	/** The segment that it is of, empty for all. */
	id: string;
	label: string;
	/** A value an interval; null where the interval is still to come. */
	values: (number | null)[];
	total: number;
	/** The same of the span that it is compared with. */
	compared?: { values: (number | null)[]; total: number };
}

export interface PlotInterval {
	/** When it is, in full and as it stands below the plot. */
	label: string;
	short: string;
	/** When the interval is that it is compared with. */
	comparedLabel: string;
}

export interface PlotData {
	intervals: PlotInterval[];
	series: Series[];
	/** How many segments are not drawn. */
	left: number;
	total: number;
	comparedTotal: number | null;
}

/** Most segments that are told apart by their colours. */
const MAX_SERIES = 5;

/** Ask for the figures of a span, an interval a row. */
export function loadStats(
	path: string,
	span: Span,
	interval: IntervalKind,
	query: Query,
	signal: AbortSignal,
): Promise<Stats> {
	return request<Stats>(`${API}/reports/${path}/stats`, {
		query: { ...buildSpanQuery(span), interval, per_page: MAX_INTERVALS, order: 'asc', orderby: 'date', ...query },
		signal,
	});
}

export function buildSpanQuery({ from, until }: Span): { after: string; before: string } {
	return { after: `${from}T00:00:00`, before: `${until}T23:59:59` };
}

/**
 * Return what is drawn of a figure.
 *
 * figure: its name in the interface. compared: the answer over the span that it is compared with.
 */
export function buildPlotData(kind: IntervalKind, figure: string, stats: Stats, compared: Stats | undefined): PlotData {
	const count = Math.max(stats.intervals.length, compared?.intervals.length ?? 0);
	const intervals = Array.from({ length: count }, (_, at): PlotInterval => {
		const one = stats.intervals[at];
		const other = compared?.intervals[at];
		const shown = one ?? other;
		return {
			label: one ? formatInterval(kind, one.date_start, one.date_end) : '',
			short: shown ? formatInterval(kind, shown.date_start, shown.date_end, true) : '',
			comparedLabel: other ? formatInterval(kind, other.date_start, other.date_end) : '',
		};
	});
	const segments = stats.totals?.segments ?? [];
	const chosen = selectSegments(segments, compared?.totals?.segments ?? [], figure);
	const series = segments.length
		? chosen.map((one) =>
				buildSeries(
					String(one.segment_id),
					labelSegment(one),
					count,
					stats,
					compared,
					(subtotals) => findSegment(subtotals, one.segment_id)?.[figure],
				),
			)
		: [buildSeries('', '', count, stats, compared, (subtotals) => subtotals?.[figure])];
	return {
		intervals,
		series,
		left: segments.filter((one) => one.subtotals[figure]).length - chosen.filter((one) => one.subtotals[figure]).length,
		total: stats.totals?.[figure] ?? 0,
		comparedTotal: compared ? (compared.totals?.[figure] ?? 0) : null,
	};
}

function buildSeries(
	id: string,
	label: string,
	count: number,
	stats: Stats,
	compared: Stats | undefined,
	read: (subtotals: Subtotals | null | undefined) => number | undefined,
): Series {
	const list = ({ intervals }: Stats): (number | null)[] =>
		Array.from({ length: count }, (_, at) => {
			const one = intervals[at];
			return one && !isToCome(one) ? (read(one.subtotals) ?? 0) : null;
		});
	return {
		id,
		label,
		values: list(stats),
		total: read(stats.totals) ?? 0,
		...(compared ? { compared: { values: list(compared), total: read(compared.totals) ?? 0 } } : {}),
	};
}

/** Return the segments with the largest figures of either span. */
function selectSegments(segments: Segment[], before: Segment[], figure: string): Segment[] {
	const size = (one: Segment): number =>
		Math.max(
			Math.abs(one.subtotals[figure] ?? 0),
			Math.abs(before.find((other) => other.segment_id === one.segment_id)?.subtotals[figure] ?? 0),
		);
	const sized = segments.map((one) => ({ one, size: size(one) }));
	return sized
		.filter((entry) => entry.size > 0)
		.sort((one, other) => other.size - one.size)
		.slice(0, MAX_SERIES)
		.map(({ one }) => one);
}

function findSegment(subtotals: Subtotals | null | undefined, id: number | string): Figures | undefined {
	return subtotals?.segments?.find((one) => one.segment_id === id)?.subtotals;
}

function labelSegment({ segment_id: id, segment_label: label }: Segment): string {
	// The segments by kind of customer have numbers alone.
	return label ?? (Number(id) === 0 ? t('New customers') : t('Returning customers'));
}

function isToCome({ date_start_gmt: start }: StatsInterval): boolean {
	return new Date(`${start.replace(' ', 'T')}Z`).getTime() > Date.now();
}
