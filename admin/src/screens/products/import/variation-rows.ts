/** Rows of a file of products that are variations: found by number, SKU or choice among those of their product. */
import { requestPage } from '../../../api/client';
import { t } from '../../../app/i18n';
import { readAll } from '../../catalogue/all-items';
import { sendShopBatch, type MemberAnswer } from '../../../api/shop-batches';
import { PRODUCTS } from '../../catalogue/product';
import type { ReadRow } from './rows';

interface KnownVariation {
	id: number;
	sku: string;
	attributes: { name: string; option: string }[];
}

/** The variations of each product that a file names, as they are now. */
export type KnownVariations = Map<number, KnownVariation[]>;

/** Members that a variation has of its own. */
const MEMBERS = [
	'sku',
	'global_unique_id',
	'status',
	'description',
	'regular_price',
	'sale_price',
	'date_on_sale_from',
	'date_on_sale_to',
	'tax_class',
	'manage_stock',
	'stock_quantity',
	'backorders',
	'low_stock_amount',
	'virtual',
	'downloadable',
	'downloads',
	'download_limit',
	'download_expiry',
	'weight',
	'dimensions',
	'shipping_class',
	'menu_order',
	'attributes',
];

/** Send rows of variations. Returns what was answered to each by its line; faults of rows that are not sent are noted in them. */
export async function sendVariations(
	rows: ReadRow[],
	known: KnownVariations,
	signal: AbortSignal,
): Promise<Map<number, { answer: MemberAnswer; isNew: boolean }>> {
	const parents = await findParents(rows, signal);
	const answers = new Map<number, { answer: MemberAnswer; isNew: boolean }>();
	const byParent = new Map<number, ReadRow[]>();
	for (const row of rows) {
		const named = readParent(row);
		const parent = parents.get(named);
		if (parent === undefined) {
			row.faults['parent'] ??= named
				? `${t('There is no such product:')} ${named}`
				: t('A variation needs its product.');
		} else if (!Object.keys(row.faults).length) {
			byParent.set(parent, [...(byParent.get(parent) ?? []), row]);
		}
	}
	for (const [parent, own] of byParent) {
		const path = `${PRODUCTS}/${String(parent)}/variations`;
		const there = known.get(parent) ?? (await readAll<KnownVariation>(path, { _fields: 'id,sku,attributes' }, signal));
		known.set(parent, there);
		const bodies = own.map((row) => ({ row, body: buildBody(row), id: findVariation(row, there)?.id }));
		const created = bodies.filter((one) => one.id === undefined);
		const changed = bodies.filter((one) => one.id !== undefined);
		const answered = await sendShopBatch(
			path,
			{
				create: created.map((one) => one.body),
				update: changed.map((one) => ({ ...one.body, id: one.id ?? 0 })),
			},
			{ signal },
		);
		[...created, ...changed].forEach(({ row, id }, index) => {
			const answer = answered[index];
			if (answer) {
				answers.set(row.line, { answer, isNew: id === undefined });
				if (answer.item && id === undefined) {
					there.push(answer.item as unknown as KnownVariation);
				}
			}
		});
	}
	return answers;
}

function readParent({ body }: ReadRow): string {
	return String((body['parent'] ?? '') as string).toLowerCase();
}

/** Return the numbers of the products that rows name, by what they write: a SKU, or `id:12`. */
async function findParents(rows: ReadRow[], signal: AbortSignal): Promise<Map<string, number>> {
	const found = new Map<string, number>();
	const skus = new Set<string>();
	for (const named of rows.map(readParent)) {
		const id = /^id:(\d+)$/.exec(named)?.[1];
		if (id) {
			found.set(named, Number(id));
		} else if (named) {
			skus.add(named);
		}
	}
	if (skus.size) {
		const { items } = await requestPage<{ id: number; sku: string }>(PRODUCTS, {
			query: { sku: [...skus].join(','), per_page: 100, _fields: 'id,sku' },
			signal,
		});
		items.forEach((one) => found.set(one.sku.toLowerCase(), one.id));
	}
	return found;
}

function buildBody({ body }: ReadRow): Record<string, unknown> {
	const [image] = (body['images'] ?? []) as unknown[];
	return {
		...Object.fromEntries(MEMBERS.filter((name) => name in body).map((name) => [name, body[name]])),
		...(image ? { image } : {}),
	};
}

/** Return the variation that a row means: by its number, its SKU, or else by what is chosen in it. */
function findVariation({ body }: ReadRow, there: KnownVariation[]): KnownVariation | undefined {
	if (body['id'] !== undefined) {
		return { id: body['id'] as number, sku: '', attributes: [] };
	}
	const sku = String((body['sku'] ?? '') as string).toLowerCase();
	if (sku) {
		return there.find((one) => one.sku.toLowerCase() === sku);
	}
	const wanted = describeChoice((body['attributes'] ?? []) as KnownVariation['attributes']);
	return there.find((one) => describeChoice(one.attributes) === wanted);
}

function describeChoice(attributes: KnownVariation['attributes']): string {
	return JSON.stringify(attributes.map(({ name, option }) => [name.toLowerCase(), option.toLowerCase()]).sort());
}
