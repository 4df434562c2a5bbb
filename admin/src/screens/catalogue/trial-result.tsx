import { sprintf, t } from '../../app/i18n';
import { formatMoney } from '../../app/money';
import { readMinor, subtractMinor, type CartLine, type Trial } from './visitors-cart';

interface Props {
	trial: Trial;
	coupon?: string | undefined;
}

/** What a cart costs: its lines with what the coupon takes off, taxes by rate, ways of shipping, the sum. */
export function TrialResult({ trial: { cart, refusal }, coupon }: Props) {
	const { totals } = cart;
	const money = (amount: string | null): string =>
		formatMoney(readMinor(amount ?? '0', totals.currency_minor_unit), totals.currency_code);
	const rates = cart.shipping_rates.flatMap((one) => one.shipping_rates);
	return (
		<>
			{refusal && (
				<p className="notice notice-failed">
					<strong>{t('The coupon was refused:')}</strong> {refusal.message}
				</p>
			)}
			{coupon !== undefined && !refusal && (
				<p className="notice notice-done">{sprintf(t('The coupon takes off %s.'), money(totals.total_discount))}</p>
			)}
			{cart.errors.map(({ message }) => (
				<p key={message} className="notice notice-failed">
					{message}
				</p>
			))}
			<div className="edit-table">
				<table>
					<thead>
						<tr>
							<th scope="col">{t('Line')}</th>
							<th scope="col">{t('Before')}</th>
							<th scope="col">{t('Discount')}</th>
							<th scope="col">{t('After')}</th>
							<th scope="col">{t('Tax')}</th>
						</tr>
					</thead>
					<tbody>
						{cart.items.map((one) => (
							<tr key={one.key}>
								<th scope="row">{describeLine(one)}</th>
								<td>{money(one.totals.line_subtotal)}</td>
								<td>{money(subtractMinor(one.totals.line_subtotal, one.totals.line_total))}</td>
								<td>{money(one.totals.line_total)}</td>
								<td>{money(one.totals.line_total_tax)}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
			<h3>{t('Shipping')}</h3>
			{rates.length > 0 ? (
				<ul className="plain-list">
					{rates.map((one) => (
						<li key={one.rate_id}>
							<span>
								{one.name}
								{one.selected && <span className="quiet"> {t('(taken here)')}</span>}
							</span>
							<span>
								{money(one.price)}
								{one.taxes !== '0' && <span className="quiet"> {sprintf(t('+ %s tax'), money(one.taxes))}</span>}
							</span>
						</li>
					))}
				</ul>
			) : (
				<p className="quiet">{t('Nothing is sent there.')}</p>
			)}
			<dl className="trial-sums">
				<dt>{t('Goods')}</dt>
				<dd>{money(totals.total_items)}</dd>
				{totals.total_discount !== '0' && (
					<>
						<dt>{t('Discount')}</dt>
						<dd>−{money(totals.total_discount)}</dd>
					</>
				)}
				<dt>{t('Shipping')}</dt>
				<dd>{money(totals.total_shipping)}</dd>
				{totals.tax_lines.map((one) => (
					<div key={one.name} className="trial-tax">
						<dt>
							{one.name} ({one.rate})
						</dt>
						<dd>{money(one.price)}</dd>
					</div>
				))}
				<dt className="trial-total">{t('To pay')}</dt>
				<dd className="trial-total">{money(totals.total_price)}</dd>
			</dl>
		</>
	);
}

function describeLine(line: CartLine): string {
	const values = line.variation.map((one) => one.value).join(', ');
	return `${String(line.quantity)} × ${line.name}${values ? ` – ${values}` : ''}`;
}
