import { t } from '../../app/i18n';
import { formatMoney } from '../../app/money';
import type { Cart } from './visitor-cart';

/** Return an amount in the smallest unit of a cart's currency as a decimal text. */
export function fromMinorUnits(amount: string, cart: Cart | null): string {
	const decimals = cart?.totals.currency_minor_unit ?? 0;
	const sign = amount.startsWith('-') ? '-' : '';
	const digits = amount.replace('-', '').padStart(decimals + 1, '0');
	return sign + (decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits);
}

/** What a cart comes to, as its buyer would read it; current: whether that is what was entered. */
export function CartTotals({ cart, current }: { cart: Cart | null; current: boolean }) {
	if (!cart) {
		return <p className="quiet">{current ? t('Add an item; the shop then says what it costs.') : t('Loading …')}</p>;
	}
	const { totals } = cart;
	const money = (amount: string): string => formatMoney(fromMinorUnits(amount, cart), totals.currency_code);
	return (
		<table className="totals-table" aria-busy={!current}>
			<tbody>
				<tr>
					<th scope="row">{t('Items, without tax')}</th>
					<td className="amount">{money(totals.total_items)}</td>
				</tr>
				{totals.total_discount !== '0' && (
					<tr>
						<th scope="row">{t('Discount')}</th>
						<td className="amount">{money(`-${totals.total_discount}`)}</td>
					</tr>
				)}
				<tr>
					<th scope="row">{t('Shipping')}</th>
					<td className="amount">{money(totals.total_shipping ?? '0')}</td>
				</tr>
				{totals.tax_lines.map(({ name, price, rate }) => (
					<tr key={name}>
						<th scope="row">
							{name} {rate}
						</th>
						<td className="amount">{money(price)}</td>
					</tr>
				))}
				<tr className="total-row">
					<th scope="row">{t('Total')}</th>
					<td className="amount">{money(totals.total_price)}</td>
				</tr>
			</tbody>
		</table>
	);
}
