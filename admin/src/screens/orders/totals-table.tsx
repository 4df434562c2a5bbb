import { readAmount, sumAmounts, writeAmount } from '../../app/decimals';
import { sprintf, t } from '../../app/i18n';
import { formatMoney, shopDecimals } from '../../app/money';
import type { Order } from './order';

/** Return the sum of texts of the interface, as a text. */
function sum(amounts: string[]): string {
	return writeAmount(sumAmounts(amounts.map(readAmount)), shopDecimals);
}

/** What the items of an order come to: discounts, shipping, fees, taxes by rate, and what went back. */
export function TotalsTable({ order }: { order: Order }) {
	const rows: [string, string, string?][] = [
		[t('Items, without tax'), sum(order.line_items.map((one) => one.subtotal))],
	];
	if (readAmount(order.discount_total) !== 0n) {
		const codes = order.coupon_lines.map(({ code }) => code).join(', ');
		rows.push([
			codes ? sprintf(t('Discount (%s)'), codes) : t('Discount'),
			writeAmount(-readAmount(order.discount_total), shopDecimals),
		]);
	} else if (order.coupon_lines.length) {
		rows.push([sprintf(t('Discount (%s)'), order.coupon_lines.map(({ code }) => code).join(', ')), '0']);
	}
	if (order.shipping_lines.length) {
		rows.push([t('Shipping'), order.shipping_total]);
	}
	if (order.fee_lines.length) {
		rows.push([t('Fees'), sum(order.fee_lines.map((one) => one.total))]);
	}
	for (const tax of order.tax_lines) {
		rows.push([`${tax.label} ${String(tax.rate_percent)} %`, sum([tax.tax_total, tax.shipping_tax_total])]);
	}
	rows.push([t('Total'), order.total, 'total-row']);
	if (order.refunds.length) {
		const refunded = sum(order.refunds.map((one) => one.total));
		rows.push([t('Refunded'), refunded]);
		rows.push([t('Left'), sum([order.total, refunded]), 'total-row']);
	}
	return (
		<table className="totals-table">
			<tbody>
				{rows.map(([label, amount, kind], index) => (
					<tr key={index} className={kind}>
						<th scope="row">{label}</th>
						<td className="amount">{formatMoney(amount, order.currency)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}
