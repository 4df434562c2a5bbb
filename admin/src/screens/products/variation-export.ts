/** Variations as rows of a file of products. */
import type { Product, ProductAttribute, ProductImage } from '../catalogue/product';

export interface StoredVariation {
	id: number;
	name: string;
	image: ProductImage | null;
	attributes: { id: number; name: string; option: string }[];
	[name: string]: unknown;
}

/** What a row of a variation says of what is the product's alone: nothing. */
const OF_PRODUCTS = {
	short_description: '',
	featured: false,
	catalog_visibility: '',
	sold_individually: false,
	reviews_allowed: false,
	purchase_note: '',
	external_url: '',
	button_text: '',
	categories: [],
	tags: [],
	brands: [],
	upsell_ids: [],
	cross_sell_ids: [],
	grouped_products: [],
};

/** Return a variation as the columns of a file write a product. */
export function buildVariationRow(variation: StoredVariation, product: Product): Product {
	const attributes = product.attributes
		.filter((one) => one.variation)
		.map((one): ProductAttribute => {
			const own = variation.attributes.find(({ id, name }) => (one.id ? id === one.id : name === one.name));
			return { ...one, options: own?.option ? [own.option] : [] };
		});
	return {
		...(variation as unknown as Product),
		...OF_PRODUCTS,
		type: 'variation',
		name: `${product.name} – ${variation.name}`,
		parent: product.sku || `id:${String(product.id)}`,
		images: variation.image ? [variation.image] : [],
		attributes,
	};
}
