/** An order as the interface sends it, and writing one without losing what somebody else changed. */
import { buildCondition, getState, request } from '../../api/client';
import { nameRegion } from '../../app/formats';
import { t } from '../../app/i18n';
import type { Item } from '../../list/collection';

export const ORDERS_PATH = '/wc/v3/orders';

export interface Address {
	first_name: string;
	last_name: string;
	company: string;
	address_1: string;
	address_2: string;
	city: string;
	state: string;
	postcode: string;
	country: string;
	email?: string;
	phone: string;
}

export interface MetaEntry {
	id?: number;
	key: string;
	value: unknown;
	display_key?: string;
	display_value?: unknown;
}

interface ItemTax {
	id: number;
	total: string;
}

export interface LineItem {
	id: number;
	name: string;
	product_id: number;
	variation_id: number;
	quantity: number;
	subtotal: string;
	total: string;
	total_tax: string;
	taxes: ItemTax[];
	sku: string | null;
	meta_data: MetaEntry[];
	image?: { src: string } | null;
}

export interface ShippingLine {
	id: number;
	method_title: string;
	method_id: string;
	total: string;
	total_tax: string;
	taxes: ItemTax[];
	meta_data: MetaEntry[];
}

export interface FeeLine {
	id: number;
	name: string;
	total: string;
	total_tax: string;
	taxes: ItemTax[];
	meta_data: MetaEntry[];
}

export interface TaxLine {
	id: number;
	rate_id: number;
	label: string;
	rate_percent: number;
	tax_total: string;
	shipping_tax_total: string;
}

export interface Order extends Item {
	id: number;
	number: string;
	status: string;
	currency: string;
	prices_include_tax: boolean;
	date_created_gmt: string;
	date_modified_gmt: string;
	date_paid_gmt: string | null;
	date_completed_gmt: string | null;
	discount_total: string;
	discount_tax: string;
	shipping_total: string;
	shipping_tax: string;
	total: string;
	total_tax: string;
	customer_id: number;
	billing: Address;
	shipping: Address;
	payment_method: string;
	payment_method_title: string;
	transaction_id: string;
	customer_note: string;
	created_via: string;
	meta_data: MetaEntry[];
	line_items: LineItem[];
	tax_lines: TaxLine[];
	shipping_lines: ShippingLine[];
	fee_lines: FeeLine[];
	coupon_lines: { id: number; code: string; discount: string }[];
	refunds: { id: number; reason: string; total: string }[];
	payment_url?: string;
	is_editable: boolean;
	needs_payment: boolean;
}

export interface Refund {
	id: number;
	date_created_gmt: string;
	amount: string;
	reason: string;
	line_items: RefundedItem[];
	shipping_lines: RefundedItem[];
	fee_lines: RefundedItem[];
}

export interface RefundedItem {
	quantity?: number;
	total: string;
	taxes: ItemTax[];
	meta_data: MetaEntry[];
}

export function getOrderPath(id: number | string): string {
	return `${ORDERS_PATH}/${String(id)}`;
}

/** Return the name of a person in an address, empty where there is none. */
export function formatName(address: Partial<Address> | undefined): string {
	return [address?.first_name, address?.last_name].filter(Boolean).join(' ');
}

/** Return who bought: a name, else a company, else a mail address. */
export function formatBuyer(order: Order): string {
	return formatName(order.billing) || order.billing.company || order.billing.email || t('Guest');
}

/** Return the lines of an address that have something in them. */
export function listAddressLines(address: Address): string[] {
	const place = [address.postcode, address.city, address.state].filter(Boolean).join(' ');
	const country = address.country && nameRegion(address.country);
	return [formatName(address), address.company, address.address_1, address.address_2, place, country].filter(Boolean);
}

/**
 * Return an address as it is sent: an empty mail address is none, and the interface takes none but whole ones.
 *
 * before: the address that it replaces; a mail address of that which was emptied is sent, and refused with the reason.
 */
export function writeAddress(address: Address, before?: Address): Address {
	const { email, ...rest } = address;
	return email || before?.email ? { ...rest, email: email ?? '' } : rest;
}

/**
 * Change an order, and return it as it is then.
 *
 * base: the order on the screen when the change was begun; null for whatever is there now. Raises ApiError with the
 * status 412 where somebody else has changed it since.
 */
export async function saveOrder(id: number, base: Order | null, changes: Record<string, unknown>): Promise<Order> {
	const headers = buildCondition(getState(base));
	return request<Order>(getOrderPath(id), { method: 'POST', body: changes, headers });
}
