/** Rows of a file of products: what each becomes, and sending them in parts. */
import { decodeEntities } from '@wordpress/html-entities';

import { requestPage, type Query } from '../../../api/client';
import type { ApiError } from '../../../api/errors';
import { t } from '../../../app/i18n';
import { sendShopBatch, type MemberAnswer } from '../../../api/shop-batches';
import { unguardCell, type CsvRecord } from '../../catalogue/csv';
import { listProductFaults, PRODUCTS, type ProductAttribute } from '../../catalogue/product';
import { buildAttributes, takeAttributes } from '../attribute-columns';
import { CellFault, type Column, type NameTables } from '../columns';
import { takeDownloads } from '../download-columns';
import { takeLinks, type Links } from '../linked-columns';
import { sendLinks } from './linked-rows';
import { sendVariations, type KnownVariations } from './variation-rows';

export interface ImportRow {
	/** Line of the file. */
	line: number;
	/** Number of the product that it changed or made. */
	id?: number;
	/** What each mapped member's cell says. */
	cells: Record<string, string>;
	state: 'waiting' | 'created' | 'changed' | 'refused';
	/** What is wrong with each member; under an empty name what names none. */
	faults: Record<string, string>;
}

/** What a row stands for, and what is wrong with its cells. */
export interface ReadRow {
	line: number;
	body: Record<string, unknown>;
	faults: Record<string, string>;
	/** The products that it names; they may be in later rows. */
	links: Links;
}

/** Fewer than the interface takes at once, so that progress is seen and a stop is soon. */
const PART = 50;

/** Return the rows of a file. mapping: by the index of a column, what it means. */
export function buildRows(records: CsvRecord[], mapping: (Column | null)[]): ImportRow[] {
	return records.map(({ line, cells }) => ({
		line,
		cells: Object.fromEntries(
			mapping.flatMap((column, index) => (column ? [[column.member, cells[index] ?? '']] : [])),
		),
		state: 'waiting',
		faults: {},
	}));
}

/** Return whether a row is one of a variation. */
function isVariation({ cells }: ImportRow): boolean {
	const [type = ''] = (cells['type'] ?? '').trim().toLowerCase().split(/\s*,/);
	return type === 'variation' || (type === '' && (cells['parent'] ?? '').trim() !== '');
}

/**
 * Return the body of a row, and what its cells do not stand for.
 *
 * isOfVariations: whether the variations of the product differ in an attribute of a name, where its row does not say it.
 */
export function readRow(
	row: ImportRow,
	columns: Column[],
	names: NameTables,
	isOfVariations: (name: string) => boolean = () => false,
): ReadRow {
	const body: Record<string, unknown> = {};
	const faults: Record<string, string> = {};
	for (const one of columns) {
		const cell = row.cells[one.member];
		if (cell === undefined) {
			continue;
		}
		try {
			one.read(cell, body, names);
		} catch (error) {
			if (!(error instanceof CellFault)) {
				throw error;
			}
			faults[one.member] = error.message;
		}
	}
	if (body['stock_quantity'] !== undefined) {
		body['manage_stock'] = true;
	}
	takeDownloads(body);
	const links = takeLinks(body);
	const attributes = takeAttributes(body, names, faults);
	if (isVariation(row)) {
		const chosen = attributes?.flatMap(({ sent, values: [option] }) => (option ? [{ ...sent, option }] : []));
		return { line: row.line, body: { ...body, ...(chosen ? { attributes: chosen } : {}) }, faults, links: {} };
	}
	delete body['parent'];
	const own = attributes && buildAttributes(attributes, isOfVariations);
	return { line: row.line, body: { ...body, ...own }, faults, links };
}

interface SendOptions {
	columns: Column[];
	names: NameTables;
	/** Called after each part, with all rows as they are now. */
	onProgress: (rows: ImportRow[]) => void;
	signal: AbortSignal;
}

/**
 * Send the rows that wait, in parts: products first, since variations name them.
 *
 * A row that a number or a SKU names changes that product, others make one.
 */
export async function sendRows(rows: ImportRow[], options: SendOptions): Promise<ImportRow[]> {
	const { onProgress, signal } = options;
	const known: KnownVariations = new Map();
	let all = rows;
	for (const ofVariations of [false, true]) {
		const waiting = rows.filter((one) => one.state === 'waiting' && isVariation(one) === ofVariations);
		for (let start = 0; start < waiting.length && !signal.aborted; start += PART) {
			const part = waiting.slice(start, start + PART);
			const answered = ofVariations
				? await sendVariationPart(part, known, options)
				: await sendPart(part, rows, options);
			all = all.map((one) => answered.get(one.line) ?? one);
			onProgress(all);
		}
		if (!ofVariations) {
			const linked = await sendRowLinks(all, options);
			all = all.map((one) => linked.get(one.line) ?? one);
			onProgress(all);
		}
	}
	return all;
}

/** Link the products that were sent, once all of them are there. Returns the rows whose links were refused, by line. */
async function sendRowLinks(
	rows: ImportRow[],
	{ columns, names, signal }: SendOptions,
): Promise<Map<number, ImportRow>> {
	const linking = rows.flatMap((row) => {
		if (isVariation(row) || row.id === undefined || row.state === 'refused') {
			return [];
		}
		const { links } = readRow(row, columns, names);
		return Object.keys(links).length ? [{ row, id: row.id, links }] : [];
	});
	const answers = await sendLinks(linking, signal);
	return new Map(
		linking.flatMap(({ row, id }) => {
			const error = answers.get(id);
			return error ? [[row.line, { ...row, state: 'refused', faults: listRowFaults(error) }] as const] : [];
		}),
	);
}

async function sendVariationPart(
	part: ImportRow[],
	known: KnownVariations,
	{ columns, names, signal }: SendOptions,
): Promise<Map<number, ImportRow>> {
	const read = part.map((row) => readRow(row, columns, names));
	const answers = await sendVariations(read, known, signal);
	return new Map(
		part.flatMap((row, index) => {
			const found = answers.get(row.line);
			const faults = read[index]?.faults ?? {};
			const next = found
				? takeAnswer(row, found.answer, found.isNew ? 'created' : 'changed')
				: { ...row, state: 'refused' as const, faults };
			return found || Object.keys(faults).length ? [[row.line, next] as const] : [];
		}),
	);
}

async function sendPart(
	part: ImportRow[],
	all: ImportRow[],
	{ columns, names, signal }: SendOptions,
): Promise<Map<number, ImportRow>> {
	const results = new Map<number, ImportRow>();
	const readable: { row: ImportRow; body: Record<string, unknown> }[] = [];
	const known = await findKnown(part, signal);
	for (const row of part) {
		const stored = known.find(row);
		const { body, faults } = readRow(row, columns, names, (name) => differIn(row, name, all, columns, stored));
		const id = row.id ?? stored?.id ?? body['id'];
		if (id === undefined && String(body['name'] ?? '') === '') {
			faults['name'] ??= t('A new product needs a name.');
		}
		if (Object.keys(faults).length) {
			results.set(row.line, { ...row, state: 'refused', faults });
		} else {
			readable.push({ row, body: id === undefined ? body : { ...body, id } });
		}
	}
	const created = readable.filter((one) => one.body['id'] === undefined);
	const changed = readable.filter((one) => one.body['id'] !== undefined);
	const answers = await sendShopBatch(
		PRODUCTS,
		{
			create: created.map((one) => one.body),
			update: changed.map((one) => one.body as { id: number }),
		},
		{ signal },
	);
	[...created, ...changed].forEach(({ row, body }, index) => {
		const answer = answers[index];
		if (answer) {
			results.set(row.line, takeAnswer(row, answer, body['id'] === undefined ? 'created' : 'changed'));
		}
	});
	return results;
}

/** Return whether variations differ in an attribute: those of the file, or those that the product has. */
function differIn(
	row: ImportRow,
	name: string,
	all: ImportRow[],
	columns: Column[],
	stored: KnownProduct | undefined,
): boolean {
	const keys = [row.cells['sku'] ?? '', `id:${row.cells['id'] ?? ''}`].map((one) =>
		unguardCell(one).trim().toLowerCase(),
	);
	const named = columns.filter((one) => /^attribute_\d+_name$/.test(one.member));
	return (
		stored?.attributes.some((one) => one.variation && decodeEntities(one.name).toLowerCase() === name) === true ||
		all.some((one) => {
			const parent = unguardCell(one.cells['parent'] ?? '')
				.trim()
				.toLowerCase();
			return (
				isVariation(one) &&
				parent !== '' &&
				keys.includes(parent) &&
				named.some(
					({ member }) =>
						unguardCell(one.cells[member] ?? '')
							.trim()
							.toLowerCase() === name,
				)
			);
		})
	);
}

function takeAnswer(row: ImportRow, { item, error }: MemberAnswer, done: 'created' | 'changed'): ImportRow {
	return error
		? { ...row, state: 'refused', faults: listRowFaults(error) }
		: { ...row, id: Number(item.id), state: done, faults: {} };
}

function listRowFaults(error: ApiError): Record<string, string> {
	const named = listProductFaults(error);
	return Object.keys(named).length ? named : { '': error.message };
}

interface KnownProduct {
	id: number;
	sku: string;
	attributes: ProductAttribute[];
}

/** Return the products that rows name by number, or else by SKU. */
async function findKnown(
	part: ImportRow[],
	signal: AbortSignal,
): Promise<{ find: (row: ImportRow) => KnownProduct | undefined }> {
	const read = (row: ImportRow, member: string): string => unguardCell(row.cells[member] ?? '').trim();
	const ask = async (query: Query): Promise<KnownProduct[]> => {
		const fields = { per_page: 100, _fields: 'id,sku,attributes' };
		return (await requestPage<KnownProduct>(PRODUCTS, { query: { ...query, ...fields }, signal })).items;
	};
	const ids = part.map((row) => read(row, 'id')).filter((one) => /^\d+$/.test(one));
	const skus = part
		.filter((row) => !read(row, 'id'))
		.map((row) => read(row, 'sku'))
		.filter(Boolean);
	const [byId, bySku] = await Promise.all([
		ids.length ? ask({ include: ids, status: 'any' }) : [],
		skus.length ? ask({ sku: skus.join(',') }) : [],
	]);
	return {
		find: (row) => {
			const [id, sku] = [read(row, 'id'), read(row, 'sku').toLowerCase()];
			return id
				? byId.find((one) => String(one.id) === id)
				: sku
					? bySku.find((one) => one.sku.toLowerCase() === sku)
					: undefined;
		},
	};
}
