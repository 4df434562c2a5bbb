/** Variations of a product, as they are edited in a table. */
import { ApiError } from '../../api/errors';
import { sprintf, t } from '../../app/i18n';
import { checkAmount, checkWhole, readAmount, readWhole } from '../catalogue/amounts';
import type { MemberAnswer } from '../../api/shop-batches';
import { listProductFaults, type ProductImage } from '../catalogue/product';

export interface Variation {
	id: number;
	name: string;
	status: string;
	sku: string;
	regular_price: string;
	sale_price: string;
	manage_stock: boolean | 'parent';
	stock_quantity: number | null;
	stock_status: string;
	image: ProductImage | null;
	attributes: { name: string; option: string }[];
}

/** What a person typed of one, by member; quantities as text. */
export interface VariationEdits {
	status?: string;
	sku?: string;
	regular_price?: string;
	sale_price?: string;
	/** Empty where the stock is not counted. */
	stock?: string;
	image?: ProductImage | null;
}

export const VARIATION_MEMBERS =
	'id,name,status,sku,regular_price,sale_price,manage_stock,stock_quantity,stock_status,image,attributes,menu_order';

/** Return the stock of a variation as its cell shows it. */
export function showStock(variation: Variation): string {
	return variation.manage_stock === true ? String(variation.stock_quantity ?? 0) : '';
}

/** Return what is wrong with what was typed of one. */
export function checkEdits(edits: VariationEdits): Record<string, string> {
	const faults = {
		regular_price: checkAmount(edits.regular_price ?? ''),
		sale_price: checkAmount(edits.sale_price ?? ''),
		stock: checkWhole(edits.stock ?? ''),
	};
	return Object.fromEntries(Object.entries(faults).filter((one): one is [string, string] => one[1] !== undefined));
}

/** Return what is to be said of each member that was typed and that somebody else changed since it was shown. */
export function findConflicts(edits: VariationEdits, shown: Variation, stored: Variation): Record<string, string> {
	const before = readMembers(shown);
	const now = readMembers(stored);
	const faults: Record<string, string> = {};
	for (const name of Object.keys(edits) as (keyof VariationEdits)[]) {
		if (before[name] !== now[name]) {
			const isCell = name !== 'status' && name !== 'image';
			faults[isCell ? name : ''] = isCell
				? sprintf(t('Somebody else made it “%s” meanwhile. Save once more to write over that.'), now[name])
				: t('Somebody else changed this meanwhile. Save once more to write over that.');
		}
	}
	return faults;
}

function readMembers(one: Variation): Record<keyof VariationEdits, string> {
	const { status, sku, regular_price, sale_price, image } = one;
	return { status, sku, regular_price, sale_price, stock: showStock(one), image: String(image?.id ?? 0) };
}

/** Return the member of a batch that stores what was typed. */
export function buildMember(id: number, edits: VariationEdits): { id: number; [name: string]: unknown } {
	const { stock, image, regular_price: regular, sale_price: sale, ...rest } = edits;
	return {
		...rest,
		id,
		...(regular === undefined ? {} : { regular_price: readAmount(regular) }),
		...(sale === undefined ? {} : { sale_price: readAmount(sale) }),
		...(stock === undefined
			? {}
			: stock.trim() === ''
				? { manage_stock: false }
				: { manage_stock: true, stock_quantity: readWhole(stock) }),
		...(image === undefined ? {} : { image: image ? { id: image.id } : { id: 0 } }),
	};
}

/** Return what a batch refused of each variation, by its id. */
export function collectFaults(ids: number[], answers: MemberAnswer[]): Record<number, Record<string, string>> {
	const faults: Record<number, Record<string, string>> = {};
	answers.forEach(({ error }, index) => {
		const id = ids[index];
		if (error instanceof ApiError && id !== undefined) {
			const named = listProductFaults(error);
			faults[id] = Object.keys(named).length ? named : { '': error.message };
		}
	});
	return faults;
}
