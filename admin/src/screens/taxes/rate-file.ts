/** Rates as a file, with the headings by which other shops know it. */
import { t } from '../../app/i18n';
import { formatCsv, parseCsv, unguardCell } from '../catalogue/csv';
import { makeRate, type RateRow, type StoredRate } from './rate';

const HEADINGS = [
	'Country code',
	'State code',
	'Postcode / ZIP',
	'City',
	'Rate %',
	'Tax name',
	'Priority',
	'Compound',
	'Shipping',
	'Tax class',
] as const;

export function writeRates(rates: StoredRate[]): string {
	return formatCsv([
		[...HEADINGS],
		...rates.map((one) => [
			one.country,
			one.state,
			one.postcodes.join(';'),
			one.cities.join(';'),
			one.rate,
			one.name,
			String(one.priority),
			one.compound ? '1' : '0',
			one.shipping ? '1' : '0',
			one.class === 'standard' ? '' : one.class,
		]),
	]);
}

/** Return the lines of a file that are of a class, to be looked at before they are stored. */
export function readRates(text: string, taxClass: string): RateRow[] {
	const [first, ...records] = parseCsv(text);
	const places = HEADINGS.map((heading) =>
		(first?.cells ?? []).findIndex((one) => one.trim().toLowerCase() === heading.toLowerCase()),
	);
	if (!first || places[4] === -1) {
		throw new Error(`${t('The file has no column with this heading:')} Rate %`);
	}
	return records.flatMap(({ cells }, index) => {
		const [country, state, postcodes, cities, rate, name, priority, compound, shipping, own] = places.map((place) =>
			unguardCell(cells[place] ?? '').trim(),
		);
		if ((own || 'standard') !== taxClass) {
			return [];
		}
		return [
			makeRate({
				country: every(country),
				state: every(state),
				postcodes: every(postcodes),
				cities: every(cities),
				rate: rate ?? '',
				name: name ?? '',
				priority: priority || '1',
				compound: compound === '1',
				shipping: shipping !== '0',
				order: String(index),
			}),
		];
	});
}

/** A star stands for every place. */
function every(cell: string | undefined): string {
	return cell === '*' ? '' : (cell ?? '');
}
