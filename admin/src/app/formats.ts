/** Dates and numbers as the person reads them; times in the person's own zone. */
import { boot } from './boot';

const locale = boot.locale.replace('_', '-');
const shortDate = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const shortTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const number = new Intl.NumberFormat(locale);
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const regions = new Intl.DisplayNames(locale, { type: 'region' });
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
	['day', 86_400],
	['hour', 3_600],
	['minute', 60],
];

/** Return a GMT time of the interface (`2026-01-31T12:00:00`) as a moment. */
export function parseGmt(text: string): Date {
	return new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
}

export function formatDate(when: Date): string {
	return shortDate.format(when);
}

export function formatTime(when: Date): string {
	return shortTime.format(when);
}

/** Return the name of a country or continent in the person's language, the code where it is no such one. */
export function nameRegion(code: string): string {
	return /^([A-Z]{2}|\d{3})$/.test(code) ? (regions.of(code) ?? code) : code;
}

export function formatNumber(value: number): string {
	return number.format(value);
}

/** Return how long ago a moment was, or its date where that is more than a week. */
export function formatAge(when: Date, now: Date = new Date()): string {
	const seconds = (when.getTime() - now.getTime()) / 1000;
	if (Math.abs(seconds) > 7 * 86_400) {
		return formatDate(when);
	}
	const [unit, length] = UNITS.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1];
	return relative.format(Math.round(seconds / length), unit);
}

export function formatBytes(bytes: number): string {
	const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
	const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
	const unit = units[power] ?? 'byte';
	return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: power ? 1 : 0 }).format(
		bytes / 1000 ** power,
	);
}

/** Return how long something takes, as a person says it: in the two greatest units, seconds at the least. */
export function formatDuration(seconds: number): string {
	const whole = Math.max(1, Math.round(seconds));
	const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
	const parts: [number, string][] = hours
		? [
				[hours, 'hour'],
				[minutes, 'minute'],
			]
		: [
				[minutes, 'minute'],
				[rest, 'second'],
			];
	return parts
		.filter(([value]) => value > 0)
		.map(([value, unit]) => new Intl.NumberFormat(locale, { style: 'unit', unit }).format(value))
		.join(' ');
}
