/** Tax rates, as they are edited in a table. */
import { t } from '../../app/i18n';
import { checkAmount, readAmount, readWhole } from '../catalogue/amounts';

export const TAXES = '/wc/v3/taxes';

export interface StoredRate {
	id: number;
	country: string;
	state: string;
	postcodes: string[];
	cities: string[];
	rate: string;
	name: string;
	priority: number;
	compound: boolean;
	shipping: boolean;
	order: number;
	class: string;
}

/** A line of the table: everything that is typed is text. */
export interface RateRow {
	/** Known for as long as the screen is open; the id of a stored one. */
	key: string;
	/** Null for one that is not stored yet. */
	stored: StoredRate | null;
	country: string;
	state: string;
	postcodes: string;
	cities: string;
	rate: string;
	name: string;
	priority: string;
	compound: boolean;
	shipping: boolean;
	order: string;
	faults: Record<string, string>;
}

export type RateText = 'country' | 'state' | 'postcodes' | 'cities' | 'rate' | 'name' | 'priority' | 'order';

let made = 0;

export function showRate(stored: StoredRate): RateRow {
	return {
		key: String(stored.id),
		stored,
		country: stored.country,
		state: stored.state,
		postcodes: stored.postcodes.join('; '),
		cities: stored.cities.join('; '),
		rate: stored.rate === '' ? '' : String(Number(stored.rate)),
		name: stored.name,
		priority: String(stored.priority),
		compound: stored.compound,
		shipping: stored.shipping,
		order: String(stored.order),
		faults: {},
	};
}

/** Return a line that is not stored yet. */
export function makeRate(values: Partial<RateRow> = {}): RateRow {
	made += 1;
	return {
		country: '',
		state: '',
		postcodes: '',
		cities: '',
		rate: '',
		name: '',
		priority: '1',
		compound: false,
		shipping: true,
		order: '0',
		faults: {},
		...values,
		key: `new ${String(made)}`,
		stored: null,
	};
}

/** Whether a line says something else than what is stored. */
export function isChanged(row: RateRow): boolean {
	if (!row.stored) {
		return true;
	}
	const before = showRate(row.stored);
	return (Object.keys(before) as (keyof RateRow)[]).some(
		(name) => name !== 'faults' && name !== 'stored' && before[name] !== row[name],
	);
}

/** Return a line as it is stored by now, with what was typed in it; null where nobody else has changed it meanwhile. */
export function findConflict(row: RateRow, now: readonly StoredRate[]): RateRow | null {
	const stored = now.find((one) => one.id === row.stored?.id);
	if (!row.stored || !stored || !isChanged({ ...showRate(row.stored), stored })) {
		return null;
	}
	const before = showRate(row.stored);
	const typed = Object.entries(row).filter(([name, value]) => before[name as keyof RateRow] !== value);
	const faults = { '': t('Somebody else changed this meanwhile. Save once more to write over that.') };
	return { ...showRate(stored), ...Object.fromEntries(typed), stored, faults };
}

/** Return what is wrong with a line; the interface would take what it cannot read as nothing. */
export function checkRate(row: RateRow, countries: ReadonlySet<string>): Record<string, string> {
	const faults: Record<string, string> = {};
	const rate = row.rate.trim() === '' ? t('A rate needs its per cent.') : checkAmount(row.rate);
	if (rate) {
		faults['rate'] = rate;
	}
	const country = row.country.trim().toUpperCase();
	if (country !== '' && countries.size > 0 && !countries.has(country)) {
		faults['country'] = t('There is no such country. Write its two letters, or nothing for all.');
	}
	if ((readWhole(row.priority) ?? 0) < 1) {
		faults['priority'] = t('Write 1 or more.');
	}
	if (readWhole(row.order) === null) {
		faults['order'] = t('This is no whole number.');
	}
	return faults;
}

/** Return the members of a batch for a line. */
export function buildRateBody(row: RateRow, taxClass: string): Record<string, unknown> {
	return {
		country: row.country.trim().toUpperCase(),
		state: row.state.trim().toUpperCase(),
		postcodes: listPlaces(row.postcodes, row.stored),
		cities: listPlaces(row.cities, row.stored),
		rate: readAmount(row.rate) ?? '',
		name: row.name.trim(),
		priority: readWhole(row.priority) ?? 1,
		compound: row.compound,
		shipping: row.shipping,
		order: readWhole(row.order) ?? 0,
		class: taxClass,
	};
}

/** Return places as a list; a star frees a stored rate from its places, while no places would leave it with them. */
function listPlaces(text: string, stored: StoredRate | null): string[] {
	const places = splitList(text);
	return places.length || !stored ? places : ['*'];
}

function splitList(text: string): string[] {
	return text
		.split(/[;\n]/)
		.map((one) => one.trim())
		.filter(Boolean);
}
