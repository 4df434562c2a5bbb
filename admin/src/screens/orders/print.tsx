import { useEffect } from 'react';

import { useResource } from '../../api/collections';
import { boot } from '../../app/boot';
import { ErrorNotice } from '../../app/error-notice';
import { formatDate, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { Link } from '../../app/link';
import { formatMoney } from '../../app/money';
import type { ScreenProps } from '../../app/routes';
import { AddressLines } from './address-form';
import { ItemsTable } from './items-table';
import { formatBuyer, getOrderPath, type Order } from './order';
import { TotalsTable } from './totals-table';

interface Setting {
	id: string;
	value: unknown;
}

const SHOP_ADDRESS = ['address', 'address_2', 'postcode', 'city'];

/** An order on paper: the shop, both addresses, items, taxes by rate and what it comes to. */
export default function PrintedOrder({ params }: ScreenProps) {
	const id = params['id'] ?? '';
	const { value: order, error } = useResource<Order>(getOrderPath(id));
	const { value: settings } = useResource<Setting[]>('/wc/v3/settings/general', { _fields: 'id,value' });
	const title = order ? sprintf(t('Order %s'), `#${order.number}`) : t('Order');
	useEffect(() => {
		document.title = `${title} – ${boot.site.title}`;
	}, [title]);
	const [street, addition, postcode, city] = SHOP_ADDRESS.map((name) => {
		const value = settings?.find((one) => one.id === `woocommerce_store_${name}`)?.value;
		return typeof value === 'string' ? value : '';
	});
	return (
		<main className="paper-frame">
			<p className="paper-tools">
				<button type="button" className="button button-primary" disabled={!order} onClick={() => window.print()}>
					{t('Print')}
				</button>
				<Link className="button" to={`/orders/${id}`}>
					{t('Back to the order')}
				</Link>
			</p>
			<ErrorNotice error={error} />
			{order && (
				<article className="paper">
					<header className="paper-head">
						<div>
							<p className="paper-shop">{boot.site.title}</p>
							<address>
								{[street, addition, [postcode, city].filter(Boolean).join(' ')].filter(Boolean).map((line) => (
									<span key={line}>{line}</span>
								))}
							</address>
						</div>
						<div>
							<h1>{title}</h1>
							<p>{formatDate(parseGmt(order.date_created_gmt))}</p>
						</div>
					</header>
					<div className="paper-addresses">
						<section>
							<h2>{t('Billing address')}</h2>
							<AddressLines address={order.billing} />
							{order.billing.email && <p>{order.billing.email}</p>}
						</section>
						<section>
							<h2>{t('Shipping address')}</h2>
							<AddressLines address={order.shipping.address_1 ? order.shipping : order.billing} />
						</section>
					</div>
					<ItemsTable order={order} />
					<TotalsTable order={order} />
					<p>
						{order.payment_method_title && `${t('Payment')}: ${order.payment_method_title}`}
						{order.date_paid_gmt &&
							` – ${sprintf(t('paid %s'), formatDate(parseGmt(order.date_paid_gmt)))}, ${formatMoney(order.total, order.currency)}`}
					</p>
					{order.customer_note && (
						<section>
							<h2>{t('Note of the customer')}</h2>
							<p className="paper-note">{order.customer_note}</p>
						</section>
					)}
					<footer className="paper-foot">{sprintf(t('Thank you for your order, %s.'), formatBuyer(order))}</footer>
				</article>
			)}
		</main>
	);
}
