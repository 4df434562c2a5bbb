/** Columns of a file of products that name other products, by SKU or, as in `id:12`, by number. */
import { t } from '../../app/i18n';
import { joinList, splitList } from '../catalogue/csv';
import type { Product } from '../catalogue/product';
import type { Column } from './columns';

const MEMBERS = ['upsell_ids', 'cross_sell_ids', 'grouped_products'] as const;

export type LinkMember = (typeof MEMBERS)[number];

/** The products that a row names, by the member in which they are linked, as its cells write them. */
export type Links = Partial<Record<LinkMember, string[]>>;

/** Return the columns of linked products. */
export function listLinkedColumns(): Column[] {
	return [
		describeLinks('upsell_ids', t('Instead of it'), ['upsells', 'up-sells']),
		describeLinks('cross_sell_ids', t('To go with it'), ['cross-sells', 'cross sells']),
		describeLinks('grouped_products', t('Products of the group'), ['grouped products']),
	];
}

function describeLinks(member: LinkMember, label: string, aliases: string[]): Column {
	return {
		member,
		label,
		aliases,
		read: (cell, body) => {
			body[member] = splitList(cell);
		},
		write: (product, { skus }) => joinList(product[member].map((id) => skus.get(id) || `id:${String(id)}`)),
	};
}

/** Return the SKUs of products by their numbers. */
export function mapSkus(products: Product[]): Map<number, string> {
	return new Map(products.map(({ id, sku }) => [id, sku]));
}

/** Return what a row links, and take it out of its body. */
export function takeLinks(body: Record<string, unknown>): Links {
	const links: Links = {};
	for (const member of MEMBERS) {
		if (body[member] !== undefined) {
			links[member] = body[member] as string[];
			body[member] = undefined;
		}
	}
	return links;
}

/** Return the numbers of what a row links, by member. numbers: of the products that are known, by what names them. */
export function resolveLinks(
	links: Links,
	numbers: ReadonlyMap<string, number>,
): { found: Record<string, number[]>; faults: Record<string, string> } {
	const found: Record<string, number[]> = {};
	const faults: Record<string, string> = {};
	for (const [member, names] of Object.entries(links)) {
		const unknown = names.filter((one) => !numbers.has(one.toLowerCase()));
		if (unknown.length) {
			faults[member] = `${t('There is no such product:')} ${unknown.join(', ')}`;
		} else {
			found[member] = names.map((one) => numbers.get(one.toLowerCase()) ?? 0);
		}
	}
	return { found, faults };
}
