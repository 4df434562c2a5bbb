/** Rows of a file of products: what each becomes, and sending them in parts. */
import { requestPage } from '../../../api/client';
import { t } from '../../../app/i18n';
import { sendShopBatch, type MemberAnswer } from '../../catalogue/batches';
import { unguardCell, type CsvRecord } from '../../catalogue/csv';
import { listProductFaults, PRODUCTS } from '../../catalogue/product';
import { CellFault, type Column, type NameTables } from '../columns';

export interface ImportRow {
	/** Line of the file. */
	line: number;
	/** What each mapped member's cell says. */
	cells: Record<string, string>;
	state: 'waiting' | 'created' | 'changed' | 'refused';
	/** What is wrong with each member; under an empty name what names none. */
	faults: Record<string, string>;
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

/** Return the body of a row, and what its cells do not stand for. */
export function readRow(
	row: ImportRow,
	columns: Column[],
	names: NameTables,
): { body: Record<string, unknown>; faults: Record<string, string> } {
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
	return { body, faults };
}

interface SendOptions {
	columns: Column[];
	names: NameTables;
	/** Called after each part, with all rows as they are now. */
	onProgress: (rows: ImportRow[]) => void;
	signal: AbortSignal;
}

/** Send the rows that wait, in parts; a row that a number or a SKU names changes that product, others make one. */
export async function sendRows(rows: ImportRow[], options: SendOptions): Promise<ImportRow[]> {
	const { columns, names, onProgress, signal } = options;
	let all = rows;
	const waiting = rows.filter((one) => one.state === 'waiting');
	for (let start = 0; start < waiting.length && !signal.aborted; start += PART) {
		const answered = await sendPart(waiting.slice(start, start + PART), columns, names, signal);
		all = all.map((one) => answered.get(one.line) ?? one);
		onProgress(all);
	}
	return all;
}

async function sendPart(
	part: ImportRow[],
	columns: Column[],
	names: NameTables,
	signal: AbortSignal,
): Promise<Map<number, ImportRow>> {
	const results = new Map<number, ImportRow>();
	const readable: { row: ImportRow; body: Record<string, unknown> }[] = [];
	const known = await findBySku(part, signal);
	for (const row of part) {
		const { body, faults } = readRow(row, columns, names);
		const id = body['id'] ?? known.get(String(body['sku'] ?? '').toLowerCase());
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

function takeAnswer(row: ImportRow, { error }: MemberAnswer, done: 'created' | 'changed'): ImportRow {
	if (!error) {
		return { ...row, state: done, faults: {} };
	}
	const named = listProductFaults(error);
	return { ...row, state: 'refused', faults: Object.keys(named).length ? named : { '': error.message } };
}

/** Return the ids of the products that have the SKUs of rows which tell no id. */
async function findBySku(part: ImportRow[], signal: AbortSignal): Promise<Map<string, number>> {
	const skus = part
		.filter((one) => !one.cells['id'])
		.map((one) => unguardCell(one.cells['sku'] ?? '').trim())
		.filter(Boolean);
	if (!skus.length) {
		return new Map();
	}
	const { items } = await requestPage<{ id: number; sku: string }>(PRODUCTS, {
		query: { sku: skus.join(','), per_page: 100, _fields: 'id,sku' },
		signal,
	});
	return new Map(items.map((one) => [one.sku.toLowerCase(), one.id]));
}
