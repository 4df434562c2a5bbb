/** A cart as a visitor fills it, by the visitors' interface: what it says is what a buyer would see. */
import { buildUrl } from '../../api/client';
import { readError, type ApiError } from '../../api/errors';

export interface TrialLine {
	id: number;
	name: string;
	quantity: number;
}

export interface TrialAddress {
	country: string;
	state: string;
	postcode: string;
	city: string;
}

interface Amounts {
	currency_code: string;
	currency_minor_unit: number;
}

export interface CartTotals extends Amounts {
	total_items: string;
	total_items_tax: string;
	total_discount: string;
	total_discount_tax: string;
	total_shipping: string | null;
	total_shipping_tax: string | null;
	total_tax: string;
	total_price: string;
	tax_lines: { name: string; price: string; rate: string }[];
}

export interface CartLine {
	key: string;
	name: string;
	quantity: number;
	variation: { attribute: string; value: string }[];
	totals: Amounts & { line_subtotal: string; line_subtotal_tax: string; line_total: string; line_total_tax: string };
}

export interface ShippingRate extends Amounts {
	rate_id: string;
	name: string;
	price: string;
	taxes: string;
	selected: boolean;
}

export interface Cart {
	items: CartLine[];
	coupons: { code: string; totals: Amounts & { total_discount: string; total_discount_tax: string } }[];
	totals: CartTotals;
	shipping_rates: { package_id: number | string; name: string; shipping_rates: ShippingRate[] }[];
	errors: { message: string }[];
}

export interface Trial {
	cart: Cart;
	/** Why the coupon was refused; null where it was taken, or none was tried. */
	refusal: ApiError | null;
}

export interface TrialRequest {
	lines: TrialLine[];
	address: TrialAddress;
	email?: string;
	coupon?: string;
}

const CART = '/wc/store/v1/cart';

/** Fill a cart of its own, ask what it costs, and empty it. Raises ApiError where a product or the address is refused. */
export async function tryCart({ lines, address, email, coupon }: TrialRequest): Promise<Trial> {
	const first = await sendAsVisitor('', '', null);
	const token = first.headers.get('Cart-Token') ?? '';
	try {
		let cart: Cart | null = null;
		for (const { id, quantity } of lines) {
			cart = await ask('/add-item', token, { id, quantity });
		}
		cart = await ask('/update-customer', token, {
			shipping_address: address,
			billing_address: { ...address, ...(email ? { email } : {}) },
		});
		if (!coupon) {
			return { cart, refusal: null };
		}
		const answer = await sendAsVisitor('/apply-coupon', token, { code: coupon });
		return answer.ok
			? { cart: (await answer.json()) as Cart, refusal: null }
			: { cart, refusal: await readError(answer) };
	} finally {
		// A cart that is left behind would be removed as well, only later: nothing is lost where this is refused.
		void sendAsVisitor('/items', token, null, 'DELETE').catch(() => undefined);
	}
}

async function ask(path: string, token: string, body: unknown): Promise<Cart> {
	const response = await sendAsVisitor(path, token, body);
	if (!response.ok) {
		throw await readError(response);
	}
	return (await response.json()) as Cart;
}

/** Send a request without the session: the cart of the person who is signed in stays as it is. */
async function sendAsVisitor(path: string, token: string, body: unknown, method?: string): Promise<Response> {
	const response = await fetch(buildUrl(CART + path), {
		method: method ?? (body === null ? 'GET' : 'POST'),
		credentials: 'omit',
		headers: {
			Accept: 'application/json',
			...(token ? { 'Cart-Token': token } : {}),
			...(body === null ? {} : { 'Content-Type': 'application/json' }),
		},
		...(body === null ? {} : { body: JSON.stringify(body) }),
	});
	if (!token && !response.ok) {
		throw await readError(response);
	}
	return response;
}

/** Return an amount of the visitors' interface as a decimal text; it comes in the smallest unit of the currency. */
export function readMinor(amount: string, unit: number): string {
	const isNegative = amount.startsWith('-');
	const digits = (isNegative ? amount.slice(1) : amount).padStart(unit + 1, '0');
	const whole = digits.slice(0, digits.length - unit);
	const decimals = unit > 0 ? `.${digits.slice(-unit)}` : '';
	return `${isNegative ? '-' : ''}${whole}${decimals}`;
}

/** Return the difference of two amounts in the smallest unit. */
export function subtractMinor(amount: string, other: string): string {
	return String(BigInt(amount) - BigInt(other));
}
