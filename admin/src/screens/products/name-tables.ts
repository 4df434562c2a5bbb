/** Reads what names in a file of products stand for. */
import { decodeEntities } from '@wordpress/html-entities';

import { readAll } from '../catalogue/all-items';
import { PRODUCTS } from '../catalogue/product';
import type { Term } from '../catalogue/terms';
import type { NameTables } from './columns';

const FIELDS = { _fields: 'id,name,parent' };

export async function readNameTables(): Promise<NameTables> {
	const [categories, tags, brands, shippingClasses, attributes] = await Promise.all([
		readAll<Term>(`${PRODUCTS}/categories`, FIELDS),
		readAll<Term>(`${PRODUCTS}/tags`, FIELDS),
		readAll<Term>(`${PRODUCTS}/brands`, FIELDS),
		readAll<{ slug: string; name: string }>(`${PRODUCTS}/shipping_classes`, { _fields: 'slug,name' }),
		readAll<{ id: number; name: string }>(`${PRODUCTS}/attributes`, { _fields: 'id,name' }),
	]);
	const decode = (all: Term[]): Term[] => all.map((one) => ({ ...one, name: decodeEntities(one.name) }));
	const named = attributes.map((one) => ({ ...one, name: decodeEntities(one.name) }));
	return {
		categories: decode(categories),
		tags: decode(tags),
		brands: decode(brands),
		shippingClasses,
		attributes: named,
		skus: new Map(),
	};
}
