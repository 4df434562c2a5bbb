/** What a person changes of the items of an order, as the interface takes it. */
import type { Order } from './order';

export interface DraftLine {
	key: string;
	/** Of the line, 0 for a new one. */
	id: number;
	product: number;
	variation: number;
	name: string;
	quantity: number;
	/** Without tax and after discounts; null where it follows from the product. */
	total: string | null;
	/** The same before discounts, where it was changed. */
	subtotal?: string;
	/** What a piece of a new line costs in the shop. */
	price?: string;
	removed?: boolean;
}

export interface DraftExtra {
	key: string;
	id: number;
	kind: 'shipping' | 'fee';
	name: string;
	total: string;
	removed?: boolean;
}

export interface DraftItems {
	lines: DraftLine[];
	extras: DraftExtra[];
	/** Codes of coupons. */
	coupons: string[];
}

/** Return the items of an order as a draft begins. */
export function startItems(order: Order): DraftItems {
	return {
		lines: order.line_items.map((one) => ({
			key: String(one.id),
			id: one.id,
			product: one.product_id,
			variation: one.variation_id,
			name: one.name,
			quantity: one.quantity,
			total: one.total,
		})),
		extras: [
			...order.shipping_lines.map((one) => ({
				key: String(one.id),
				id: one.id,
				kind: 'shipping' as const,
				name: one.method_title,
				total: one.total,
			})),
			...order.fee_lines.map((one) => ({
				key: String(one.id),
				id: one.id,
				kind: 'fee' as const,
				name: one.name,
				total: one.total,
			})),
		],
		coupons: order.coupon_lines.map(({ code }) => code),
	};
}

/** Return what of the items is to be written; nothing where nothing was changed. */
export function buildItemChanges(order: Order, items: DraftItems): Record<string, unknown> {
	const before = startItems(order);
	const lines = items.lines.filter((one) => isChanged(one, before.lines)).map(buildLine);
	const extras = items.extras.filter((one) => isChanged(one, before.extras));
	const shipping = extras.filter(({ kind }) => kind === 'shipping').map(buildShipping);
	const fees = extras.filter(({ kind }) => kind === 'fee').map(buildFee);
	const coupons =
		items.coupons.join('\n') === before.coupons.join('\n') ? null : items.coupons.map((code) => ({ code }));
	return {
		...(lines.length ? { line_items: lines } : {}),
		...(shipping.length ? { shipping_lines: shipping } : {}),
		...(fees.length ? { fee_lines: fees } : {}),
		...(coupons ? { coupon_lines: coupons } : {}),
	};
}

function isChanged<One extends { id: number; removed?: boolean }>(one: One, before: One[]): boolean {
	const known = before.find(({ id }) => id === one.id);
	return known && one.id ? JSON.stringify(known) !== JSON.stringify(one) : !one.removed;
}

function buildLine(line: DraftLine): Record<string, unknown> {
	if (line.removed) {
		return { id: line.id, quantity: 0 };
	}
	if (line.id === 0) {
		return { product_id: line.product, variation_id: line.variation, quantity: line.quantity };
	}
	return {
		id: line.id,
		quantity: line.quantity,
		...(line.total === null ? {} : { total: point(line.total) }),
		...(line.subtotal === undefined ? {} : { subtotal: line.subtotal }),
	};
}

function buildShipping({ id, name, total, removed }: DraftExtra): Record<string, unknown> {
	if (removed) {
		return { id, method_id: null };
	}
	return id
		? { id, method_title: name, total: point(total) }
		: { method_id: 'flat_rate', method_title: name, total: point(total) };
}

function buildFee({ id, name, total, removed }: DraftExtra): Record<string, unknown> {
	if (removed) {
		return { id, name: null };
	}
	return { ...(id ? { id } : {}), name, total: point(total) };
}

/** Return an amount that a person typed with the point of the interface. */
function point(amount: string): string {
	return amount.trim().replace(',', '.');
}
