/**
 * What a buyer would pay: asked of the visitors' own interface, with a cart that belongs to nobody.
 *
 * Its requests carry no session, or the cart would become that of whoever is signed in.
 */
import { useEffect, useRef, useState } from 'react';

import { buildUrl } from '../../api/client';
import { ApiError, readError } from '../../api/errors';
import type { Address } from './order';

const CART = '/wc/store/v1/cart';
/** How long typing rests before prices are asked for, in milliseconds. */
const REST = 350;

export interface WantedLine {
	product: number;
	variation: number;
	name: string;
	quantity: number;
}

export interface WantedOrder {
	lines: WantedLine[];
	billing: Address;
	shipping: Address;
	/** Codes of coupons. */
	coupons: string[];
	/** Chosen way of shipping, the first one where it is empty. */
	rate: string;
}

export interface ShippingRate {
	rate_id: string;
	name: string;
	/** In the smallest unit of the currency, without tax. */
	price: string;
	taxes: string;
	method_id: string;
	instance_id: number;
	selected: boolean;
}

export interface Cart {
	items: { id: number; totals: { line_subtotal: string } }[];
	shipping_rates: { package_id: number; shipping_rates: ShippingRate[] }[];
	totals: {
		total_items: string;
		total_discount: string;
		total_shipping: string;
		total_price: string;
		tax_lines: { name: string; price: string; rate: string }[];
		currency_code: string;
		currency_minor_unit: number;
	};
}

export interface Priced {
	cart: Cart | null;
	error: unknown;
	/** Whether the prices are those of the order as it stands. */
	current: boolean;
}

/** Return what an order would cost a buyer; asked for again whenever it changes. */
export function usePrices(wanted: WantedOrder): Priced {
	const text = JSON.stringify(wanted);
	const token = useRef('');
	const queue = useRef<Promise<unknown>>(Promise.resolve());
	const latest = useRef(text);
	latest.current = text;
	const [state, setState] = useState<{ text: string; cart: Cart | null; error: unknown }>({
		text: '',
		cart: null,
		error: null,
	});
	useEffect(() => {
		const order = JSON.parse(text) as WantedOrder;
		const timer = window.setTimeout(() => {
			// One after the other: they share a cart.
			queue.current = queue.current.then(async () => {
				if (latest.current !== text) {
					return;
				}
				try {
					const cart = order.lines.length ? await priceOrder(order, token) : null;
					setState({ text, cart, error: null });
				} catch (error) {
					setState({ text, cart: null, error });
				}
			});
		}, REST);
		return () => window.clearTimeout(timer);
	}, [text]);
	return { cart: state.cart, error: state.text === text ? state.error : null, current: state.text === text };
}

/** Fill a cart with what is wanted and return it. Raises ApiError where a buyer could not have it. */
async function priceOrder(wanted: WantedOrder, token: { current: string }): Promise<Cart> {
	const ask = async <Body>(path: string, body?: unknown, method = body ? 'POST' : 'GET'): Promise<Body> => {
		const response = await fetch(buildUrl(CART + path), {
			method,
			credentials: 'omit',
			headers: {
				Accept: 'application/json',
				...(body ? { 'Content-Type': 'application/json' } : {}),
				...(token.current ? { 'Cart-Token': token.current } : {}),
			},
			...(body ? { body: JSON.stringify(body) } : {}),
		}).catch((error: unknown) => {
			throw new ApiError('offline', String(error), 0);
		});
		token.current = response.headers.get('Cart-Token') ?? token.current;
		if (!response.ok) {
			throw await readError(response);
		}
		return (await response.json()) as Body;
	};
	const before = await ask<{ coupons: { code: string }[] } & Cart>('');
	if (before.items.length) {
		await ask('/items', undefined, 'DELETE');
	}
	for (const { code } of before.coupons) {
		await ask('/remove-coupon', { code });
	}
	await ask('/update-customer', {
		billing_address: keepWritten(wanted.billing),
		shipping_address: keepWritten(wanted.shipping),
	});
	for (const { product, variation, quantity } of wanted.lines) {
		await ask('/add-item', { id: variation || product, quantity });
	}
	for (const code of wanted.coupons) {
		await ask('/apply-coupon', { code });
	}
	const cart = await ask<Cart>('');
	const chosen = cart.shipping_rates.find(({ shipping_rates }) =>
		shipping_rates.some(({ rate_id, selected }) => rate_id === wanted.rate && !selected),
	);
	return chosen ? ask<Cart>('/select-shipping-rate', { package_id: chosen.package_id, rate_id: wanted.rate }) : cart;
}

/** Return an address without a mail address that is not finished yet. */
function keepWritten(address: Address): Partial<Address> {
	const { email, ...rest } = address;
	return email && /^\S+@\S+\.\S+$/.test(email) ? { ...rest, email } : rest;
}
