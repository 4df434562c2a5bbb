/** Products as the shop's interface sends them. */
import { ApiError } from '../../api/errors';
import { t, tx } from '../../app/i18n';
import type { Item } from '../../list/collection';

export const PRODUCTS = '/wc/v3/products';

export interface ProductTerm {
	id: number;
	name?: string;
}

export interface ProductImage {
	id: number;
	src: string;
	name?: string;
	alt?: string;
}

export interface ProductAttribute {
	id: number;
	name: string;
	visible: boolean;
	variation: boolean;
	options: string[];
}

export interface ProductDownload {
	id?: string;
	name: string;
	file: string;
}

export interface MetaEntry {
	id?: number;
	key: string;
	value: unknown;
}

export interface Product extends Item {
	id: number;
	name: string;
	slug: string;
	permalink: string;
	type: string;
	status: string;
	date_modified_gmt: string;
	featured: boolean;
	catalog_visibility: string;
	description: string;
	short_description: string;
	sku: string;
	global_unique_id: string;
	regular_price: string;
	sale_price: string;
	price: string;
	date_on_sale_from: string | null;
	date_on_sale_to: string | null;
	virtual: boolean;
	downloadable: boolean;
	downloads: ProductDownload[];
	download_limit: number;
	download_expiry: number;
	external_url: string;
	button_text: string;
	tax_status: string;
	tax_class: string;
	manage_stock: boolean;
	stock_quantity: number | null;
	stock_status: string;
	backorders: string;
	low_stock_amount: number | null;
	sold_individually: boolean;
	weight: string;
	dimensions: { length: string; width: string; height: string };
	shipping_class: string;
	reviews_allowed: boolean;
	upsell_ids: number[];
	cross_sell_ids: number[];
	grouped_products: number[];
	purchase_note: string;
	categories: ProductTerm[];
	brands: ProductTerm[];
	tags: ProductTerm[];
	images: ProductImage[];
	attributes: ProductAttribute[];
	default_attributes?: { id: number; name: string; option: string }[];
	variations: number[];
	menu_order: number;
	meta_data: MetaEntry[];
}

export type ProductEdits = Partial<Product>;

export interface Choice {
	value: string;
	label: string;
}

/** The members that a refusal means, by the code of one that names none. */
const FAULT_MEMBERS: Record<string, string> = {
	product_invalid_sku: 'sku',
	product_invalid_global_unique_id: 'global_unique_id',
	product_external_invalid_manage_stock: 'manage_stock',
	woocommerce_product_invalid_image_id: 'images',
	woocommerce_product_image_upload_error: 'images',
	woocommerce_rest_product_invalid_id: 'id',
};

/** Return what a refusal says of each member of a product. */
export function listProductFaults(error: unknown): Record<string, string> {
	if (!(error instanceof ApiError)) {
		return {};
	}
	const member = FAULT_MEMBERS[error.code];
	return member ? { [member]: error.message } : error.params;
}

export function listTypes(): Choice[] {
	return [
		{ value: 'simple', label: tx('Simple', 'product') },
		{ value: 'variable', label: tx('Variable', 'product') },
		{ value: 'grouped', label: tx('Grouped', 'product') },
		{ value: 'external', label: tx('Sold elsewhere', 'product') },
	];
}

export function listStatuses(): Choice[] {
	return [
		{ value: 'publish', label: tx('Published', 'status') },
		{ value: 'draft', label: tx('Draft', 'status') },
		{ value: 'pending', label: tx('Pending review', 'status') },
		{ value: 'private', label: tx('Private', 'status') },
	];
}

export function listStockStatuses(): Choice[] {
	return [
		{ value: 'instock', label: t('In stock') },
		{ value: 'outofstock', label: t('Out of stock') },
		{ value: 'onbackorder', label: t('On backorder') },
	];
}

export function listBackorders(): Choice[] {
	return [
		{ value: 'no', label: t('Not allowed') },
		{ value: 'notify', label: t('Allowed, the customer is told') },
		{ value: 'yes', label: t('Allowed') },
	];
}

export function listVisibilities(): Choice[] {
	return [
		{ value: 'visible', label: t('Lists and search') },
		{ value: 'catalog', label: t('Lists only') },
		{ value: 'search', label: t('Search only') },
		{ value: 'hidden', label: t('Hidden') },
	];
}

export function listTaxStatuses(): Choice[] {
	return [
		{ value: 'taxable', label: t('Goods and shipping') },
		{ value: 'shipping', label: t('Shipping only') },
		{ value: 'none', label: t('Nothing') },
	];
}

/** Return the label of a value among choices, the value where there is none. */
export function labelChoice(choices: Choice[], value: unknown): string {
	return choices.find((one) => one.value === value)?.label ?? String(value as string);
}
