/** What a person chose of a report. All of it is in the address, so that a link shows the same to somebody else. */
import { useMemo } from 'react';

import { setQuery, useLocation } from '../../app/router';
import { getToday, type Day, type IntervalKind } from './calendar';
import {
	chooseInterval,
	COMPARISONS,
	DEFAULT_PERIOD,
	findComparedSpan,
	findSpan,
	PERIODS,
	type Comparison,
	type Span,
} from './periods';

export interface Choices {
	period: string;
	comparison: Comparison;
	span: Span;
	compared: Span | null;
	interval: IntervalKind;
	figure: string;
	segment: string;
	chart: 'line' | 'bar';
	/** Filters by the arguments of the interface that they are. */
	filters: Record<string, string>;
	orderby: string;
	order: 'asc' | 'desc';
	page: number;
	perPage: number;
}

const FILTER = 'filter.';
const PER_PAGE = 25;
/** What goes along from one report to another. */
const SHARED = ['period', 'from', 'until', 'compare'];

export function useChoices(): Choices {
	const { query } = useLocation();
	const text = query.toString();
	const today = getToday();
	return useMemo(() => readChoices(new URLSearchParams(text), today), [text, today]);
}

/** Return the choices of an address. */
export function readChoices(query: URLSearchParams, today: Day): Choices {
	const named = query.get('period') ?? DEFAULT_PERIOD;
	const period = Object.hasOwn(PERIODS, named) ? named : DEFAULT_PERIOD;
	const compare = query.get('compare') ?? '';
	const comparison = Object.hasOwn(COMPARISONS, compare) ? (compare as Comparison) : 'previous';
	const span = findSpan(period, query.get('from') ?? '', query.get('until') ?? '', today);
	return {
		period,
		comparison,
		span,
		compared: findComparedSpan(comparison, period, span),
		interval: chooseInterval(span, query.get('interval') ?? ''),
		figure: query.get('figure') ?? '',
		segment: query.get('segment') ?? '',
		chart: query.get('chart') === 'bar' ? 'bar' : 'line',
		filters: Object.fromEntries(
			[...query].filter(([name]) => name.startsWith(FILTER)).map(([name, value]) => [name.slice(FILTER.length), value]),
		),
		orderby: query.get('orderby') ?? '',
		order: query.get('order') === 'asc' ? 'asc' : 'desc',
		page: readNumber(query.get('page'), 1),
		perPage: Math.min(readNumber(query.get('per_page'), PER_PAGE), 100),
	};
}

/** Choose something; other pages of the table are left, as they are pages of another table. */
export function choose(changes: Record<string, string>): void {
	setQuery({ page: '', ...changes });
}

/** Filter by an argument; an empty value filters no more. */
export function chooseFilter(name: string, value: string): void {
	choose({ [FILTER + name]: value });
}

/** Return the address of another report over the same span. */
export function useReportPath(): (name: string, changes?: Record<string, string>) => string {
	const { query } = useLocation();
	return (name, changes = {}) => {
		const kept = SHARED.map((one) => [one, query.get(one) ?? ''] as [string, string]).filter(([, value]) => value);
		const text = new URLSearchParams([...kept, ...Object.entries(changes)]).toString();
		return `/reports${name && `/${name}`}${text && `?${text}`}`;
	};
}

function readNumber(text: string | null, usual: number): number {
	const number = Number(text);
	return Number.isInteger(number) && number > 0 ? number : usual;
}
