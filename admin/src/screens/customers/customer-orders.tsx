import { useChanges } from '../../api/changes';
import { useCollection, useResource } from '../../api/collections';
import { can } from '../../app/boot';
import { formatNumber } from '../../app/formats';
import { sprintf, t, tn } from '../../app/i18n';
import { Link } from '../../app/link';
import { formatMoney } from '../../app/money';
import { OrderTime } from '../orders/collection';
import { ORDERS_PATH, type Order } from '../orders/order';
import { StatusLabel } from '../orders/order-status';
import { SidePanel } from '../orders/side-panel';

const SHOWN = 20;

interface Buyer {
	orders_count: number;
	total_spend: number;
	avg_order_value: number;
}

/** What a customer has bought, and what for. */
export function CustomerOrders({ id }: { id: number }) {
	const orders = useCollection<Order>(ORDERS_PATH, {
		customer: id,
		per_page: SHOWN,
		_fields: 'id,number,status,currency,total,date_created_gmt',
	});
	const figures = useResource<Buyer[]>(can('view_shop_reports') ? '/wc-analytics/reports/customers' : null, {
		users: [id],
	});
	useChanges(['order'], () => figures.reload());
	const buyer = figures.value?.[0];
	return (
		<SidePanel title={t('Orders')}>
			{buyer && (
				<dl className="meta-list">
					<div>
						<dt>{t('Money spent')}</dt>
						<dd>{formatMoney(buyer.total_spend)}</dd>
					</div>
					<div>
						<dt>{t('Orders')}</dt>
						<dd>{formatNumber(buyer.orders_count)}</dd>
					</div>
					<div>
						<dt>{t('An order is worth')}</dt>
						<dd>{formatMoney(buyer.avg_order_value)}</dd>
					</div>
				</dl>
			)}
			{orders.value?.total === 0 && <p className="quiet">{t('There are no orders yet.')}</p>}
			<ul className="customer-orders">
				{orders.value?.items.map((order) => (
					<li key={order.id}>
						<span>
							<Link to={`/orders/${String(order.id)}`}>#{order.number}</Link>{' '}
							<span className="quiet">
								<OrderTime order={order} />
							</span>
						</span>
						<span className="amount">{formatMoney(order.total, order.currency)}</span>
						<StatusLabel status={order.status} />
					</li>
				))}
			</ul>
			{(orders.value?.total ?? 0) > SHOWN && (
				<p className="quiet">
					{sprintf(
						tn('%d older order', '%d older orders', (orders.value?.total ?? 0) - SHOWN),
						(orders.value?.total ?? 0) - SHOWN,
					)}
				</p>
			)}
		</SidePanel>
	);
}
