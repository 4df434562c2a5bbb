import { readAmount, writeAmount } from '../../app/decimals';
import { t } from '../../app/i18n';
import { formatMoney, shopDecimals } from '../../app/money';
import { stripMarkup } from '../../list/collection';
import type { LineItem, MetaEntry, Order } from './order';

/** The products, shipping and fees of an order, each with its price and tax. */
export function ItemsTable({ order }: { order: Order }) {
	const money = (amount: string): string => formatMoney(amount, order.currency);
	return (
		// A table that is wider than a phone is scrolled by keyboard as well.
		// eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
		<div className="table-scroll" role="group" aria-label={t('Items')} tabIndex={0}>
			<table className="order-table order-items">
				<thead>
					<tr>
						<th scope="col">{t('Item')}</th>
						<th scope="col" className="amount">
							{t('Quantity')}
						</th>
						<th scope="col" className="amount">
							{t('Without tax')}
						</th>
						<th scope="col" className="amount">
							{t('Tax')}
						</th>
						<th scope="col" className="amount">
							{t('Total')}
						</th>
					</tr>
				</thead>
				<tbody>
					{order.line_items.map((line) => (
						<tr key={line.id}>
							<th scope="row">
								<ItemName line={line} />
							</th>
							<td className="amount">{line.quantity}</td>
							<td className="amount">
								{line.subtotal !== line.total && <del className="quiet block">{money(line.subtotal)}</del>}
								{money(line.total)}
							</td>
							<td className="amount">{money(line.total_tax)}</td>
							<td className="amount">{money(addTax(line))}</td>
						</tr>
					))}
					{[
						...order.shipping_lines.map((line) => ({ ...line, name: line.method_title || t('Shipping') })),
						...order.fee_lines,
					].map((line) => (
						<tr key={line.id}>
							<th scope="row">{line.name}</th>
							<td />
							<td className="amount">{money(line.total)}</td>
							<td className="amount">{money(line.total_tax)}</td>
							<td className="amount">{money(addTax(line))}</td>
						</tr>
					))}
				</tbody>
			</table>
			{order.line_items.length === 0 && <p className="quiet">{t('There are no items yet.')}</p>}
		</div>
	);
}

/** Return what a line costs with its tax. */
export function addTax({ total, total_tax }: { total: string; total_tax: string }): string {
	return writeAmount(readAmount(total) + readAmount(total_tax), shopDecimals);
}

function ItemName({ line }: { line: LineItem }) {
	return (
		<span className="item-name">
			{line.image?.src && <img src={line.image.src} alt="" width={36} height={36} loading="lazy" />}
			<span>
				{line.name}
				{line.sku && <span className="quiet block">{line.sku}</span>}
				<ItemDetails details={line.meta_data} />
			</span>
		</span>
	);
}

/** What was chosen of a line. */
export function ItemDetails({ details }: { details: MetaEntry[] }) {
	return (
		<>
			{details
				.filter(({ key }) => !key.startsWith('_'))
				.map(({ id, key, value, display_key, display_value }) => (
					<span key={id} className="quiet block">
						{stripMarkup(String(display_key ?? key))}: {stripMarkup(String(display_value ?? value))}
					</span>
				))}
		</>
	);
}
