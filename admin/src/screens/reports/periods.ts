/** The span of a report, the one that it is compared with, and the intervals that both are cut into. */
import { t, tx } from '../../app/i18n';
import { addDays, addMonths, countDays, findStart, getToday, isDay, type Day, type IntervalKind } from './calendar';

/** Days from the first to the last, both counted. */
export interface Span {
	from: Day;
	until: Day;
}

export type Comparison = 'previous' | 'year' | 'none';

interface Unit {
	name: 'week' | 'month' | 'quarter' | 'year';
	days?: number;
	months?: number;
}

interface Period {
	label: () => string;
	/** The unit that it is, or is the begun part of. */
	unit?: Unit;
	/** Whether the unit is over. */
	whole?: boolean;
}

const WEEK: Unit = { name: 'week', days: 7 };
const MONTH: Unit = { name: 'month', months: 1 };
const QUARTER: Unit = { name: 'quarter', months: 3 };
const YEAR: Unit = { name: 'year', months: 12 };

export const PERIODS: Record<string, Period> = {
	today: { label: () => t('Today') },
	yesterday: { label: () => t('Yesterday') },
	week: { label: () => t('This week'), unit: WEEK },
	'last-week': { label: () => t('Last week'), unit: WEEK, whole: true },
	month: { label: () => t('This month'), unit: MONTH },
	'last-month': { label: () => t('Last month'), unit: MONTH, whole: true },
	quarter: { label: () => t('This quarter'), unit: QUARTER },
	'last-quarter': { label: () => t('Last quarter'), unit: QUARTER, whole: true },
	year: { label: () => t('This year'), unit: YEAR },
	'last-year': { label: () => t('Last year'), unit: YEAR, whole: true },
	custom: { label: () => t('Other days') },
};
export const DEFAULT_PERIOD = 'month';

export const COMPARISONS: Record<Comparison, () => string> = {
	previous: () => t('The period before'),
	year: () => t('The same a year before'),
	none: () => tx('Nothing', 'comparison'),
};

/** Most intervals of one answer of the interface. */
export const MAX_INTERVALS = 100;

export const INTERVALS: Record<IntervalKind, () => string> = {
	hour: () => t('Hours'),
	day: () => t('Days'),
	week: () => t('Weeks'),
	month: () => t('Months'),
	quarter: () => t('Quarters'),
	year: () => t('Years'),
};

/** Fewest and most days of a span that is cut into such intervals, and from how many on it is at first. */
const LIMITS: [IntervalKind, fewest: number, most: number, usual: number][] = [
	['year', 366, Infinity, 366 * 8],
	['quarter', 92, 91 * 98, 366 * 3],
	['month', 28, 30 * 98, 200],
	['week', 8, 7 * 98, 63],
	['day', 2, MAX_INTERVALS, 2],
	['hour', 1, Math.floor(MAX_INTERVALS / 25), 1],
];

/** Return the span of a period. from, until: those of a custom one; turned round where they are. */
export function findSpan(period: string, from: Day, until: Day, today: Day = getToday()): Span {
	const { unit, whole } = PERIODS[period] ?? {};
	if (unit) {
		const start = findStart(unit.name, today);
		return whole ? { from: moveBack(start, unit), until: addDays(start, -1) } : { from: start, until: today };
	}
	if (period === 'yesterday') {
		return { from: addDays(today, -1), until: addDays(today, -1) };
	}
	if (period === 'custom') {
		const [first = today, last = first] = [from, until].filter(isDay).sort();
		return { from: first, until: last };
	}
	return { from: today, until: today };
}

/**
 * Return the span that a period is compared with, null for none.
 *
 * The begun part of a month goes with the same days of the month before, a whole one with the whole one before.
 */
export function findComparedSpan(comparison: Comparison, period: string, { from, until }: Span): Span | null {
	if (comparison === 'none') {
		return null;
	}
	if (comparison === 'year') {
		return { from: addMonths(from, -12), until: addMonths(until, -12) };
	}
	const { unit, whole } = PERIODS[period] ?? {};
	if (unit) {
		return { from: moveBack(from, unit), until: whole ? addDays(from, -1) : moveBack(until, unit) };
	}
	return { from: addDays(from, -countDays(from, until)), until: addDays(from, -1) };
}

/** Return the intervals that a span can be cut into, the shortest first. */
export function listIntervals({ from, until }: Span): IntervalKind[] {
	const days = countDays(from, until);
	return LIMITS.filter(([, fewest, most]) => days >= fewest && days <= most)
		.map(([kind]) => kind)
		.reverse();
}

/** Return the interval that is wanted where the span can be cut so, else the usual one. */
export function chooseInterval(span: Span, wanted: string): IntervalKind {
	const offered = listIntervals(span);
	const days = countDays(span.from, span.until);
	return (
		offered.find((one) => one === wanted) ??
		LIMITS.find(([kind, , , usual]) => days >= usual && offered.includes(kind))?.[0] ??
		'day'
	);
}

function moveBack(day: Day, { days, months }: Unit): Day {
	return days ? addDays(day, -days) : addMonths(day, -(months ?? 0));
}
