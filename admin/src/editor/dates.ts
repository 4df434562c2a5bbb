/** Tells the editor's dates of the site's time zone and formats, and of the words of the person's language. */
import { getSettings, setSettings } from '@wordpress/date';
// The package of dates has no rules of time zones; with these it knows summer times.
import 'moment-timezone';

import { boot } from '../app/boot';
import { t } from '../app/i18n';

/** Prepare the dates of the editors. */
export function prepareDates(): void {
	const { dateFormat, timeFormat, startOfWeek, timezone } = boot.site;
	const locale = boot.locale.replace('_', '-');
	const known = getSettings();
	const names = (count: number, options: Intl.DateTimeFormatOptions, dates: (index: number) => Date): string[] => {
		const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
		return Array.from({ length: count }, (_, index) => format.format(dates(index)));
	};
	const month = (index: number): Date => new Date(Date.UTC(2026, index, 1));
	// The first of February 2026 is a Sunday.
	const weekday = (index: number): Date => new Date(Date.UTC(2026, 1, 1 + index));
	const offset = getOffset(timezone);
	setSettings({
		l10n: {
			...known.l10n,
			locale,
			months: names(12, { month: 'long' }, month),
			monthsShort: names(12, { month: 'short' }, month),
			weekdays: names(7, { weekday: 'long' }, weekday),
			weekdaysShort: names(7, { weekday: 'short' }, weekday),
			startOfWeek: startOfWeek as typeof known.l10n.startOfWeek,
		},
		formats: {
			...known.formats,
			date: dateFormat,
			time: timeFormat,
			/* translators: how a date and a time are written together: %1$s date, %2$s time, both as codes */
			datetime: t('%1$s, %2$s').replace('%1$s', dateFormat).replace('%2$s', timeFormat),
		},
		timezone: {
			offset,
			offsetFormatted: String(offset),
			string: /^[+-]|^UTC/.test(timezone) ? '' : timezone,
			abbr: '',
		},
	});
}

/** Return the present distance of a time zone from UTC, in hours. */
function getOffset(timezone: string): number {
	try {
		const parts = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' });
		const name = parts.formatToParts(new Date()).find(({ type }) => type === 'timeZoneName')?.value ?? '';
		const found = /([+-])(\d\d):(\d\d)/.exec(name);
		return found ? Number(`${found[1] ?? ''}1`) * (Number(found[2]) + Number(found[3]) / 60) : 0;
	} catch {
		// A name that this browser does not know; the site then counts in UTC here, and says so in its settings.
		return 0;
	}
}
