/** Coupons as the shop's interface sends them. */
import { ApiError } from '../../api/errors';
import { t, tx } from '../../app/i18n';
import type { Item } from '../../list/collection';
import { checkAmount } from '../catalogue/amounts';
import type { Choice } from '../catalogue/product';

export const COUPONS = '/wc/v3/coupons';

export interface Coupon extends Item {
	code: string;
	description: string;
	status: string;
	discount_type: string;
	amount: string;
	free_shipping: boolean;
	date_expires: string | null;
	minimum_amount: string;
	maximum_amount: string;
	individual_use: boolean;
	exclude_sale_items: boolean;
	product_ids: number[];
	excluded_product_ids: number[];
	product_categories: number[];
	excluded_product_categories: number[];
	email_restrictions: string[];
	usage_limit: number | null;
	usage_limit_per_user: number | null;
	limit_usage_to_x_items: number | null;
	usage_count: number;
	date_modified_gmt?: string;
}

export const NEW_COUPON: Coupon = {
	id: 'new',
	code: '',
	description: '',
	status: 'publish',
	discount_type: 'percent',
	amount: '',
	free_shipping: false,
	date_expires: null,
	minimum_amount: '',
	maximum_amount: '',
	individual_use: false,
	exclude_sale_items: false,
	product_ids: [],
	excluded_product_ids: [],
	product_categories: [],
	excluded_product_categories: [],
	email_restrictions: [],
	usage_limit: null,
	usage_limit_per_user: null,
	limit_usage_to_x_items: null,
	usage_count: 0,
};

const FAULT_MEMBERS: Record<string, string> = {
	woocommerce_rest_empty_coupon_code: 'code',
	woocommerce_rest_coupon_code_already_exists: 'code',
	coupon_invalid_amount: 'amount',
};

export function listDiscountTypes(): Choice[] {
	return [
		{ value: 'percent', label: t('Per cent') },
		{ value: 'fixed_cart', label: t('Amount off the cart') },
		{ value: 'fixed_product', label: tx('Amount off each piece', 'coupon') },
	];
}

/** Return what is wrong with each member: what was typed is no amount, or the interface refused it. */
export function listCouponFaults(coupon: Coupon | undefined, error: unknown): Record<string, string> {
	const faults: Record<string, string> = {};
	if (error instanceof ApiError) {
		const member = FAULT_MEMBERS[error.code];
		Object.assign(faults, member ? { [member]: error.message } : error.params);
	}
	for (const name of ['amount', 'minimum_amount', 'maximum_amount'] as const) {
		const fault = coupon && checkAmount(coupon[name]);
		if (fault) {
			faults[name] = fault;
		}
	}
	return faults;
}

/** Return what is sent of what was changed. */
export function buildCouponBody(edits: Partial<Coupon>): Record<string, unknown> {
	const body: Record<string, unknown> = { ...edits };
	for (const name of ['amount', 'minimum_amount', 'maximum_amount'] as const) {
		if (edits[name] !== undefined) {
			body[name] = edits[name].trim().replace(',', '.');
		}
	}
	// Null leaves these as they are; nothing and none take them away.
	if ('date_expires' in edits) {
		body['date_expires'] = edits.date_expires ?? '';
	}
	for (const name of ['usage_limit', 'usage_limit_per_user', 'limit_usage_to_x_items'] as const) {
		if (name in edits) {
			body[name] = edits[name] ?? 0;
		}
	}
	return body;
}
