/** The filter of a list by month. */
import type { Option } from '@wordpress/dataviews';

import type { Query } from '../../api/client';
import { boot } from '../../app/boot';

const MAX_MONTHS = 120;

/** Return the months between two moments, newest first. */
export function listMonths(first: Date, last: Date): Option[] {
	const format = new Intl.DateTimeFormat(boot.locale.replace('_', '-'), { month: 'long', year: 'numeric' });
	const months: Option[] = [];
	const at = new Date(last.getFullYear(), last.getMonth(), 1);
	const end = new Date(first.getFullYear(), first.getMonth(), 1);
	while (at >= end && months.length < MAX_MONTHS) {
		const value = `${String(at.getFullYear())}-${String(at.getMonth() + 1).padStart(2, '0')}`;
		months.push({ value, label: format.format(at) });
		at.setMonth(at.getMonth() - 1);
	}
	return months;
}

/** Return the arguments for a month (`2026-11`): both ends are left out by the interface. */
export function parseMonth(month: string): Query {
	const [year = 0, number = 1] = month.split('-').map(Number);
	const start = new Date(Date.UTC(year, number - 1, 1) - 1000);
	const end = new Date(Date.UTC(year, number, 1));
	return { after: start.toISOString().slice(0, 19), before: end.toISOString().slice(0, 19) };
}
