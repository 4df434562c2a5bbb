/** The columns of a file of products: their headings, how a cell is read and how it is written. */
import { decodeEntities } from '@wordpress/html-entities';

import { t } from '../../app/i18n';
import { readAmount, readWhole } from '../catalogue/amounts';
import { unguardCell } from '../catalogue/csv';
import type { Product, ProductTerm } from '../catalogue/product';
import type { Term } from '../catalogue/terms';
import { listAttributeColumns } from './attribute-columns';
import { listDownloadColumns } from './download-columns';
import { listLinkedColumns } from './linked-columns';

/** What names in a file stand for. */
export interface NameTables {
	categories: Term[];
	tags: Term[];
	brands: Term[];
	/** Attributes that products share. */
	attributes: { id: number; name: string }[];
	shippingClasses: { slug: string; name: string }[];
	/** SKUs of products by their numbers, where a file is written. */
	skus: ReadonlyMap<number, string>;
}

/** A value that a cell does not stand for; its message says what does. */
export class CellFault extends Error {}

export interface Column {
	/** The member of a product, or of its dimensions. */
	member: string;
	label: string;
	/** Further headings by which it is recognised, in small letters. */
	aliases: string[];
	/** Put what a cell says into the body of a product. Raises CellFault. */
	read: (text: string, body: Record<string, unknown>, names: NameTables) => void;
	write: (product: Product, names: NameTables) => string;
}

type Writer = (product: Product, names: NameTables) => string;

const KINDS = ['simple', 'variable', 'variation', 'grouped', 'external'];
const YES = new Set(['1', 'yes', 'true', 'sì', 'si', 'x', 'ja', 'oui']);
const NO = new Set(['0', 'no', 'false', '', 'nein', 'non']);

/** Return every column, in the order in which they are written. attributes, downloads: how many there are columns for. */
export function listColumns(attributes: number, downloads: number): Column[] {
	return [
		column('id', t('ID'), [], readId, (one) => String(one.id)),
		{ member: 'type', label: t('Kind'), aliases: ['type'], read: readKind, write: (one) => one.type },
		text('parent', t('Product of the variation'), ['parent']),
		text('sku', t('SKU'), []),
		text('global_unique_id', t('GTIN, EAN or ISBN'), ['gtin, upc, ean, or isbn', 'gtin', 'ean', 'isbn', 'barcode']),
		column(
			'name',
			t('Name'),
			['title', 'product name'],
			(cell) => cell,
			(one) => decodeEntities(one.name),
		),
		column('status', t('Status'), ['published'], readStatus, (one) => one.status),
		yesOrNo('featured', t('Featured'), ['is featured?']),
		choice(
			'catalog_visibility',
			t('Where customers find it'),
			['visibility in catalog', 'visibility'],
			['visible', 'catalog', 'search', 'hidden'],
		),
		text('short_description', t('Short description'), []),
		text('description', t('Description'), []),
		amount('regular_price', t('Price'), ['regular price']),
		amount('sale_price', t('Sale price'), []),
		time('date_on_sale_from', t('On sale from'), ['date sale price starts']),
		time('date_on_sale_to', t('On sale until'), ['date sale price ends']),
		choice('tax_status', t('What is taxed'), ['tax status'], ['taxable', 'shipping', 'none']),
		text('tax_class', t('Tax class'), ['tax class']),
		column('stock_quantity', t('In stock'), ['stock', 'quantity'], readStock, (one) =>
			one.manage_stock === true ? String(one.stock_quantity ?? 0) : '',
		),
		choice('backorders', t('Orders beyond the stock'), ['backorders allowed?', 'backorders'], ['no', 'notify', 'yes']),
		whole('low_stock_amount', t('Low from'), ['low stock amount']),
		yesOrNo('sold_individually', t('One an order at most'), ['sold individually?']),
		yesOrNo('virtual', t('Nothing is sent'), []),
		yesOrNo('downloadable', t('Buyers get files'), []),
		limit('download_limit', t('Downloads an order'), ['download limit']),
		limit('download_expiry', t('Days of downloads'), ['download expiry days']),
		text('weight', t('Weight'), ['weight (kg)', 'weight (g)', 'weight (lbs)', 'weight (oz)'], readAmountCell),
		size('length', t('Length'), ['length (cm)', 'length (m)', 'length (mm)', 'length (in)']),
		size('width', t('Width'), ['width (cm)', 'width (m)', 'width (mm)', 'width (in)']),
		size('height', t('Height'), ['height (cm)', 'height (m)', 'height (mm)', 'height (in)']),
		yesOrNo('reviews_allowed', t('Customers may review it'), ['allow customer reviews?']),
		text('purchase_note', t('Note for buyers'), ['purchase note']),
		column(
			'categories',
			t('Categories'),
			['category'],
			(cell, names) => splitNames(cell).map((name) => ({ id: findTerm(name, names.categories) })),
			(one, names) => one.categories.map((term) => writePath(term, names.categories)).join(', '),
		),
		terms('tags', t('Tags')),
		terms('brands', t('Brands')),
		column('shipping_class', t('Shipping class'), [], readShippingClass, (one) => one.shipping_class),
		column('images', t('Pictures'), ['images', 'image'], readImages, (one) =>
			one.images.map((image) => image.src).join(', '),
		),
		text('external_url', t('Address where it is sold'), ['external url']),
		text('button_text', t('Text of the button'), ['button text']),
		whole('menu_order', t('Order in lists'), ['position']),
		...listLinkedColumns(),
		...listDownloadColumns(downloads),
		...listAttributeColumns(attributes, readYesOrNo),
	];
}

/** Return the column that a heading means, null where none does. */
export function recognizeColumn(heading: string, columns: Column[]): Column | null {
	const wanted = unguardCell(heading).trim().toLowerCase();
	return (
		columns.find(
			(one) => one.member === wanted || one.label.toLowerCase() === wanted || one.aliases.includes(wanted),
		) ?? null
	);
}

function column(
	member: string,
	label: string,
	aliases: string[],
	read: (cell: string, names: NameTables) => unknown,
	write: Writer,
): Column {
	return {
		member,
		label,
		aliases,
		read: (cell, body, names) => {
			const value = read(unguardCell(cell).trim(), names);
			if (value !== undefined) {
				body[member] = value;
			}
		},
		write,
	};
}

function text(member: string, label: string, aliases: string[], read = (cell: string): unknown => cell): Column {
	return column(member, label, aliases, read, (one) => String((one[member] ?? '') as string));
}

function amount(member: string, label: string, aliases: string[]): Column {
	return text(member, label, aliases, readAmountCell);
}

function whole(member: string, label: string, aliases: string[]): Column {
	return text(member, label, aliases, (cell) => (cell === '' ? undefined : readWholeCell(cell)));
}

/** A limit of -1 is none, which an empty cell says. */
function limit(member: string, label: string, aliases: string[]): Column {
	return column(
		member,
		label,
		aliases,
		(cell) => (cell === '' || cell === '-1' ? -1 : readWholeCell(cell)),
		(one) => (Number(one[member]) < 0 ? '' : String(one[member] as number)),
	);
}

function time(member: string, label: string, aliases: string[]): Column {
	return text(member, label, aliases, (cell) => {
		if (cell !== '' && !/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?$/.test(cell)) {
			throw new CellFault(t('This is no date. Write 2026-12-31, with a time where you like: 2026-12-31 18:00.'));
		}
		return cell.replace(' ', 'T');
	});
}

function yesOrNo(member: string, label: string, aliases: string[]): Column {
	return column(member, label, aliases, readYesOrNo, (one) => (one[member] === true ? '1' : '0'));
}

function choice(member: string, label: string, aliases: string[], values: string[]): Column {
	return text(member, label, aliases, (cell) => {
		const value = cell.toLowerCase();
		if (value === '') {
			return undefined;
		}
		if (!values.includes(value)) {
			throw new CellFault(`${t('Only these are known:')} ${values.join(', ')}.`);
		}
		return value;
	});
}

function terms(member: 'tags' | 'brands', label: string): Column {
	return column(
		member,
		label,
		[],
		(cell, names) => splitNames(cell).map((name) => ({ id: findTerm(name, names[member]) })),
		(one) => one[member].map((term) => decodeEntities(term.name ?? '')).join(', '),
	);
}

function size(member: 'length' | 'width' | 'height', label: string, aliases: string[]): Column {
	return {
		member,
		label,
		aliases,
		read: (cell, body) => {
			const before = (body['dimensions'] ?? {}) as Record<string, unknown>;
			body['dimensions'] = { ...before, [member]: readAmountCell(unguardCell(cell)) };
		},
		write: (one) => one.dimensions[member],
	};
}

function readAmountCell(cell: string): string {
	const value = readAmount(cell);
	if (value === null) {
		throw new CellFault(t('This is no amount. Write digits, such as 12.50.'));
	}
	return value;
}

function readWholeCell(cell: string): number {
	const value = readWhole(cell);
	if (value === null) {
		throw new CellFault(t('This is no whole number.'));
	}
	return value;
}

/** Other shops write what is not sent and what has files beside the kind: `simple, downloadable, virtual`. */
function readKind(cell: string, body: Record<string, unknown>): void {
	for (const one of splitNames(unguardCell(cell).toLowerCase())) {
		if (one === 'virtual' || one === 'downloadable') {
			body[one] = true;
		} else if (KINDS.includes(one)) {
			body['type'] = one;
		} else {
			throw new CellFault(`${t('Only these are known:')} ${KINDS.join(', ')}.`);
		}
	}
}

function readId(cell: string): number | undefined {
	return cell === '' ? undefined : readWholeCell(cell);
}

function readYesOrNo(cell: string): boolean {
	const value = cell.toLowerCase();
	if (!YES.has(value) && !NO.has(value)) {
		throw new CellFault(t('Write 1 for yes or 0 for no.'));
	}
	return YES.has(value);
}

/** Other shops write 1 for published, 0 for private and -1 for a draft. */
function readStatus(cell: string): string | undefined {
	const value = cell.toLowerCase();
	const numbers: Record<string, string> = { '1': 'publish', '0': 'private', '-1': 'draft' };
	if (value === '') {
		return undefined;
	}
	if (!['publish', 'draft', 'pending', 'private'].includes(numbers[value] ?? value)) {
		throw new CellFault(`${t('Only these are known:')} publish, draft, pending, private.`);
	}
	return numbers[value] ?? value;
}

function readStock(cell: string): number | undefined {
	return cell === '' ? undefined : readWholeCell(cell);
}

function readShippingClass(cell: string, names: NameTables): string {
	const found = names.shippingClasses.find((one) => one.slug === cell || one.name.toLowerCase() === cell.toLowerCase());
	if (cell !== '' && !found) {
		throw new CellFault(t('There is no such shipping class.'));
	}
	return found?.slug ?? '';
}

function readImages(cell: string): { id?: number; src?: string }[] {
	return splitNames(cell).map((one) => (/^\d+$/.test(one) ? { id: Number(one) } : { src: one }));
}

function splitNames(cell: string): string[] {
	return cell
		.split(/[,|]/)
		.map((one) => one.trim())
		.filter(Boolean);
}

/** Return the id of a term by its name, or by its path, `Clothes > Scarves`. */
function findTerm(name: string, known: Term[]): number {
	const parts = name.split('>').map((one) => one.trim().toLowerCase());
	const last = parts.at(-1) ?? '';
	const found = known.find(
		(one) =>
			one.name.toLowerCase() === last &&
			(parts.length === 1 || writePath(one, known).toLowerCase() === parts.join(' > ')),
	);
	if (!found) {
		throw new CellFault(`${t('There is no such name:')} ${name}`);
	}
	return found.id;
}

function writePath(term: ProductTerm, known: Term[]): string {
	const found = known.find((one) => one.id === term.id);
	const above = found?.parent ? known.find((one) => one.id === found.parent) : undefined;
	const name = found?.name ?? term.name ?? '';
	return above ? `${writePath(above, known)} > ${name}` : name;
}
