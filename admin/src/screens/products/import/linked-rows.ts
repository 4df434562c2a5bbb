/** Links between the products of a file: they are sent last, since a row may name a product of a later one. */
import { requestPage, type Query } from '../../../api/client';
import { ApiError } from '../../../api/errors';
import { sendShopBatch } from '../../../api/shop-batches';
import { PRODUCTS } from '../../catalogue/product';
import { resolveLinks, type LinkMember, type Links } from '../linked-columns';

/** The links that a product is to have. */
interface Linking {
	id: number;
	links: Links;
}

type LinkedProduct = { id: number; sku: string } & Record<LinkMember, number[]>;

/** As many as one page has. */
const PART = 100;

/** Store the links of products where they are others than now. Returns what was refused, by the product's number. */
export async function sendLinks(linking: Linking[], signal: AbortSignal): Promise<Map<number, ApiError>> {
	const refused = new Map<number, ApiError>();
	for (let start = 0; start < linking.length && !signal.aborted; start += PART) {
		const part = linking.slice(start, start + PART);
		const stored = await readProducts({ include: part.map((one) => one.id), status: 'any' }, signal);
		const numbers = await findNumbers(
			part.flatMap(({ links }) => Object.values(links).flat()),
			signal,
		);
		const updates = part.flatMap(({ id, links }) => {
			const { found, faults } = resolveLinks(links, numbers);
			if (Object.keys(faults).length) {
				refused.set(id, new ApiError('', '', 400, faults));
			}
			const before = stored.find((one) => one.id === id);
			const changed = Object.entries(found).filter(
				([member, ids]) => before?.[member as LinkMember].join() !== ids.join(),
			);
			return changed.length ? [{ id, ...Object.fromEntries(changed) }] : [];
		});
		const answers = await sendShopBatch(PRODUCTS, { update: updates }, { signal });
		updates.forEach(({ id }, at) => {
			const error = answers[at]?.error;
			if (error) {
				refused.set(id, error);
			}
		});
	}
	return refused;
}

/** Return the numbers of products by what names them: a SKU in small letters, or `id:12`. */
async function findNumbers(named: string[], signal: AbortSignal): Promise<Map<string, number>> {
	const found = new Map<string, number>();
	const skus: string[] = [];
	for (const one of new Set(named.map((name) => name.toLowerCase()))) {
		const id = /^id:(\d+)$/.exec(one)?.[1];
		if (id) {
			found.set(one, Number(id));
		} else {
			skus.push(one);
		}
	}
	for (let start = 0; start < skus.length; start += PART) {
		const products = await readProducts({ sku: skus.slice(start, start + PART).join(',') }, signal);
		products.forEach((one) => found.set(one.sku.toLowerCase(), one.id));
	}
	return found;
}

async function readProducts(query: Query, signal: AbortSignal): Promise<LinkedProduct[]> {
	const fields = { per_page: PART, _fields: 'id,sku,upsell_ids,cross_sell_ids,grouped_products' };
	return (await requestPage<LinkedProduct>(PRODUCTS, { query: { ...query, ...fields }, signal })).items;
}
