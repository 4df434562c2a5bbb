/** What of the shop needs a person, and how today goes. */
import type { ReactNode } from 'react';

import { useChanges } from '../../api/changes';
import type { Query } from '../../api/client';
import { useCollection, useResource } from '../../api/collections';
import { boot, can } from '../../app/boot';
import { formatAge, formatNumber, parseGmt } from '../../app/formats';
import { sprintf, t, tn } from '../../app/i18n';
import { Link } from '../../app/link';
import { formatMoney } from '../../app/money';
import { formatBuyer, ORDERS_PATH, type Order } from '../orders/order';
import { StatusLabel } from '../orders/order-status';
import { Entry, Panel } from './panel';
import { listTimesOfToday } from './shop-day';

const SHOWN = 5;
const DAYS_OF_REFUNDS = 7;

/** The panels of the shop, each for whoever may see what it shows. */
export function ShopPanels() {
	if (!boot.modules.includes('shop')) {
		return null;
	}
	return (
		<>
			{can('view_shop_reports') && <SalesOfToday />}
			{can('manage_shop') && <OrdersToHandle />}
			{can('view_shop_reports') && <LowStock />}
			{can('manage_shop') && <RecentRefunds />}
		</>
	);
}

/** Orders that are paid and not sent, or wait for their money. */
function OrdersToHandle() {
	const { value } = useCollection<Order>(ORDERS_PATH, {
		status: ['processing', 'on-hold'],
		per_page: SHOWN,
		order: 'asc',
		_fields: 'id,number,status,currency,total,date_created_gmt,billing',
	});
	// What is kept of orders is dropped by the feed itself.
	useChanges(['order'], () => undefined);
	return (
		<Panel
			title={t('Orders to handle')}
			to="/orders?view=processing"
			more={sprintf(t('All orders to handle: %d'), value?.total ?? 0)}
		>
			{value?.items.map((order) => (
				<Entry
					key={order.id}
					note={
						<>
							<StatusLabel status={order.status} /> {formatAge(parseGmt(order.date_created_gmt))}
						</>
					}
				>
					<Link to={`/orders/${String(order.id)}`}>
						#{order.number} {formatBuyer(order)}
					</Link>{' '}
					{formatMoney(order.total, order.currency)}
				</Entry>
			))}
		</Panel>
	);
}

interface ScarceProduct {
	id: number;
	parent_id: number;
	name: string;
	stock_quantity: number;
}

/** Products of which there are few left, or none. */
function LowStock() {
	const { value, reload } = useCollection<ScarceProduct>('/wc-analytics/products/low-in-stock', { per_page: SHOWN });
	useChanges(['product', 'order'], reload);
	return (
		<Panel title={t('Low stock')}>
			{value?.items.map(({ id, parent_id, name, stock_quantity }) => (
				<Entry
					key={id}
					note={
						stock_quantity > 0
							? sprintf(tn('%d piece left', '%d pieces left', stock_quantity), stock_quantity)
							: t('sold out')
					}
				>
					<Link to={`/products/${String(parent_id || id)}`}>{name}</Link>
				</Entry>
			))}
			{(value?.total ?? 0) > SHOWN && (
				<Entry>{sprintf(tn('%d more', '%d more', (value?.total ?? 0) - SHOWN), (value?.total ?? 0) - SHOWN)}</Entry>
			)}
		</Panel>
	);
}

interface MadeRefund {
	id: number;
	parent_id: number;
	date_created_gmt: string;
	amount: string;
	reason: string;
}

/** What went back to customers lately. */
function RecentRefunds() {
	const since = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - DAYS_OF_REFUNDS * 86_400_000);
	const { value, reload } = useCollection<MadeRefund>('/wc/v3/refunds', {
		per_page: SHOWN,
		after: since.toISOString().slice(0, 19),
		dates_are_gmt: true,
	});
	useChanges(['order'], reload);
	return (
		<Panel title={t('Refunds of the last seven days')}>
			{value?.items.map(({ id, parent_id, date_created_gmt, amount, reason }) => (
				<Entry key={id} note={[reason, formatAge(parseGmt(date_created_gmt))].filter(Boolean).join(' · ')}>
					<Link to={`/orders/${String(parent_id)}`}>{sprintf(t('Order %s'), `#${String(parent_id)}`)}</Link>{' '}
					{formatMoney(amount)}
				</Entry>
			))}
		</Panel>
	);
}

interface Revenue {
	totals: { orders_count: number; total_sales: number };
}

/** What was sold today, beside the same day a week ago: until this time, and all of it. */
function SalesOfToday() {
	const times = listTimesOfToday(new Date(), boot.site.timezone);
	const today = useRevenue({ after: times.start, before: times.end });
	const soFar = useRevenue({ after: times.startBefore, before: times.nowBefore });
	const whole = useRevenue({ after: times.startBefore, before: times.endBefore });
	useChanges(['order'], () => today.reload());
	const row = (label: ReactNode, revenue: Revenue | undefined) =>
		revenue && (
			<Entry
				note={sprintf(
					tn('%s order', '%s orders', revenue.totals.orders_count),
					formatNumber(revenue.totals.orders_count),
				)}
			>
				{label} <strong>{formatMoney(revenue.totals.total_sales)}</strong>
			</Entry>
		);
	return (
		<Panel title={t('Sales of today')}>
			{row(t('Today'), today.value)}
			{/* translators: %s: name of a day of the week */}
			{row(sprintf(t('%s a week ago, until this time'), times.weekday), soFar.value)}
			{row(sprintf(t('%s a week ago, the whole day'), times.weekday), whole.value)}
		</Panel>
	);
}

function useRevenue(query: Query) {
	return useResource<Revenue>('/wc-analytics/reports/revenue/stats', { interval: 'day', ...query });
}
