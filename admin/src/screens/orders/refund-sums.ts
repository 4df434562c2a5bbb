/** What of an order can go back and what a refund comes to, in exact decimals. */
import {
	parseAmount,
	readAmount,
	roundAmount,
	sumAmounts,
	takeShare,
	writeAmount,
	type Amount,
} from '../../app/decimals';
import type { Order, Refund, RefundedItem } from './order';

/** A line of an order as far as it has not gone back yet. */
export interface RefundableLine {
	id: number;
	name: string;
	/** Pieces left; 0 for what has no pieces, such as shipping. */
	quantity: number;
	/** Amount left, without tax. */
	total: Amount;
	/** Taxes left, by rate. */
	taxes: { id: number; label: string; amount: Amount }[];
}

/** What a person gives back of a line, as it is typed. */
export interface RefundChoice {
	quantity: number;
	total: string;
	taxes: Record<number, string>;
}

const REFUNDED_ITEM = '_refunded_item_id';

/** Return the lines of an order with what is left of each; decimals: of the shop's amounts. */
export function listRefundableLines(order: Order, refunds: Refund[], decimals: number): RefundableLine[] {
	const returned = refunds.flatMap((one) => [...one.line_items, ...one.shipping_lines, ...one.fee_lines]);
	const labels = new Map(order.tax_lines.map(({ rate_id, label }) => [rate_id, label]));
	const lines = [
		...order.line_items.map((one) => ({ ...one, pieces: one.quantity })),
		...order.shipping_lines.map((one) => ({ ...one, name: one.method_title, pieces: 0 })),
		...order.fee_lines.map((one) => ({ ...one, pieces: 0 })),
	];
	return lines.map(({ id, name, total, taxes, pieces }) => {
		const own = returned.filter((one) => isReturnOf(one, id));
		// Refunded items have their amounts below nothing.
		return {
			id,
			name,
			quantity: pieces + own.reduce((sum, one) => sum + (one.quantity ?? 0), 0),
			total: roundAmount(readAmount(total), decimals) + sumAmounts(own.map((one) => readAmount(one.total))),
			taxes: taxes.map((tax) => ({
				id: tax.id,
				label: labels.get(tax.id) ?? '',
				amount:
					roundAmount(readAmount(tax.total), decimals) +
					sumAmounts(
						own
							.flatMap((one) => one.taxes.filter(({ id: rate }) => rate === tax.id))
							.map((one) => readAmount(one.total)),
					),
			})),
		};
	});
}

function isReturnOf(item: RefundedItem, id: number): boolean {
	return item.meta_data.some(({ key, value }) => key === REFUNDED_ITEM && Number(value) === id);
}

/** Return what a number of pieces is worth: their share of what is left of a line. */
export function proposeChoice(line: RefundableLine, quantity: number, decimals: number): RefundChoice {
	const share = (amount: Amount): string => writeAmount(takeShare(amount, quantity, line.quantity, decimals), decimals);
	return {
		quantity,
		total: share(line.total),
		taxes: Object.fromEntries(line.taxes.map(({ id, amount }) => [id, share(amount)])),
	};
}

/** Return all that is left of a line. */
export function takeWhole(line: RefundableLine, decimals: number): RefundChoice {
	return {
		quantity: line.quantity,
		total: writeAmount(line.total, decimals),
		taxes: Object.fromEntries(line.taxes.map(({ id, amount }) => [id, writeAmount(amount, decimals)])),
	};
}

/** Return what is refunded of one line, null where what is typed is no amount. */
export function sumChoice(choice: RefundChoice): Amount | null {
	const amounts = [choice.total, ...Object.values(choice.taxes)].map((text) => (text.trim() ? parseAmount(text) : 0n));
	return amounts.some((one) => one === null) ? null : sumAmounts(amounts as Amount[]);
}

/** Return what of an order has not gone back yet. */
export function countLeft(order: Order): Amount {
	return readAmount(order.total) + sumAmounts(order.refunds.map(({ total }) => readAmount(total)));
}

/** Return the lines of a refund as the interface takes them; what has neither pieces nor an amount is left out. */
export function buildRefundLines(choices: Map<number, RefundChoice>, decimals: number): Record<string, unknown>[] {
	const write = (text: string): string => writeAmount(readAmount(text), decimals);
	return [...choices]
		.filter(([, choice]) => choice.quantity > 0 || sumChoice(choice) !== 0n)
		.map(([id, choice]) => ({
			id,
			quantity: choice.quantity,
			refund_total: write(choice.total),
			refund_tax: Object.entries(choice.taxes).map(([rate, amount]) => ({
				id: Number(rate),
				refund_total: write(amount),
			})),
		}));
}
