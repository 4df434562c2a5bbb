/** Days of the site's calendar, as texts (`2026-11-27`), and how they are read. Clocks and zones stay outside. */
import { boot } from '../../app/boot';
import { sprintf, tx } from '../../app/i18n';

/** A day as `2026-11-27`: texts of this form are in the order of time. */
export type Day = string;

/** How long an interval of a plot is. */
export type IntervalKind = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

const DAY_MS = 86_400_000;
const locale = boot.locale.replace('_', '-');

/** Return the day that it is at the site. */
export function getToday(now: Date = new Date()): Day {
	const parts: Intl.DateTimeFormatOptions = { year: 'numeric', month: '2-digit', day: '2-digit' };
	return new Intl.DateTimeFormat('en-CA', { ...parts, timeZone: boot.site.timezone || 'UTC' }).format(now);
}

export function isDay(text: string): boolean {
	return /^\d{4}-\d\d-\d\d$/.test(text) && toDay(toDate(text)) === text;
}

export function addDays(day: Day, count: number): Day {
	return toDay(new Date(toDate(day).getTime() + count * DAY_MS));
}

/** Return the same day some months later; the last of the month where that month is shorter. */
export function addMonths(day: Day, count: number): Day {
	const date = toDate(day);
	const wanted = date.getUTCDate();
	date.setUTCDate(1);
	date.setUTCMonth(date.getUTCMonth() + count);
	const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
	date.setUTCDate(Math.min(wanted, last));
	return toDay(date);
}

/** Return how many days there are from one to another, both counted. */
export function countDays(from: Day, until: Day): number {
	return Math.round((toDate(until).getTime() - toDate(from).getTime()) / DAY_MS) + 1;
}

/** Return the first day of the week, month, quarter or year that a day is in. */
export function findStart(unit: 'week' | 'month' | 'quarter' | 'year', day: Day): Day {
	const date = toDate(day);
	switch (unit) {
		case 'week':
			return addDays(day, -((date.getUTCDay() - boot.site.startOfWeek + 7) % 7));
		case 'month':
			return `${day.slice(0, 7)}-01`;
		case 'quarter':
			return addMonths(`${day.slice(0, 7)}-01`, -(date.getUTCMonth() % 3));
		case 'year':
			return `${day.slice(0, 4)}-01-01`;
	}
}

/** Write the days of a span: “1–27 Nov 2026”. */
export function formatSpan(from: Day, until: Day): string {
	return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).formatRange(
		toDate(from),
		toDate(until),
	);
}

/**
 * Write when an interval is.
 *
 * start: its first moment in the site's time, `2026-11-27 14:00:00`. short: as it stands below a plot.
 */
export function formatInterval(kind: IntervalKind, start: string, end: string, short = false): string {
	const date = new Date(`${start.replace(' ', 'T')}Z`);
	const write = (options: Intl.DateTimeFormatOptions): string =>
		new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(date);
	switch (kind) {
		case 'hour':
			return write(
				short
					? { hour: '2-digit', minute: '2-digit' }
					: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
			);
		case 'day':
			return write(short ? { day: 'numeric', month: 'short' } : { dateStyle: 'medium' });
		case 'week':
			return short ? write({ day: 'numeric', month: 'short' }) : formatSpan(start.slice(0, 10), end.slice(0, 10));
		case 'month':
			return write({ month: short ? 'short' : 'long', year: short ? '2-digit' : 'numeric' });
		case 'quarter':
			return sprintf(tx('Q%1$d %2$s', 'quarter of a year'), Math.floor(date.getUTCMonth() / 3) + 1, start.slice(0, 4));
		case 'year':
			return start.slice(0, 4);
	}
}

/** Write a moment of the site's own time, `2026-11-27 14:05:00`; it says of no zone that it is of. */
export function formatSiteTime(text: string): string {
	return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(
		new Date(`${text.replace(' ', 'T')}Z`),
	);
}

function toDate(day: Day): Date {
	return new Date(`${day}T00:00:00Z`);
}

function toDay(date: Date): Day {
	return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}
