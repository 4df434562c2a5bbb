/** The list of orders. */
import type { RenderModalProps } from '@wordpress/dataviews';
import { decodeEntities } from '@wordpress/html-entities';
import { useState } from 'react';

import { can } from '../../app/boot';
import { formatAge, formatTime, parseGmt } from '../../app/formats';
import { sprintf, t, tn } from '../../app/i18n';
import { formatMoney } from '../../app/money';
import { navigate } from '../../app/router';
import { showDone, showError } from '../../app/toasts';
import { sendBatch } from '../../list/batches';
import type { Collection, Item } from '../../list/collection';
import { describeSearchedFilter } from '../../list/record-search';
import { ChangeStatus } from './change-status';
import { formatBuyer, formatName, getOrderPath, ORDERS_PATH, type Order } from './order';
import { labelStatus, PLACED_STATUSES, StatusLabel } from './order-status';

const customerFilter = describeSearchedFilter({
	path: '/wc/v3/customers',
	query: { role: 'all', orderby: 'name', order: 'asc', _fields: 'id,first_name,last_name,email' },
	getName: (one) => {
		const name = formatName(one as { first_name?: string; last_name?: string });
		return [name, String(one['email'])].filter(Boolean).join(' – ');
	},
});
const productFilter = describeSearchedFilter({
	path: '/wc/v3/products',
	query: { orderby: 'title', order: 'asc', _fields: 'id,name' },
	getName: (one) => decodeEntities(String(one['name'])),
});

/**
 * Return the collection of orders.
 *
 * counts: how many orders have each status. marked: numbers of the orders that came while the list was open.
 */
export function buildOrderCollection(counts: Record<string, number>, marked: ReadonlySet<number>): Collection {
	const tab = (status: string) => ({
		name: status,
		label: counts[status] === undefined ? labelStatus(status) : `${labelStatus(status)} (${String(counts[status])})`,
		query: { status: [status] },
	});
	return {
		name: 'orders',
		path: ORDERS_PATH,
		title: t('Orders'),
		singular: t('Order'),
		titleField: 'number',
		columns: ['status', 'customer', 'date', 'product', 'total'],
		query: {
			_fields:
				'id,number,status,currency,total,date_created_gmt,date_modified_gmt,billing,customer_id,line_items,refunds',
		},
		presets: [
			{ name: 'placed', label: t('All'), query: { status: PLACED_STATUSES } },
			...PLACED_STATUSES.map(tab),
			tab('checkout-draft'),
			{ name: 'trash', label: t('Trash'), query: { status: ['trash'] } },
		],
		fields: {
			number: {
				label: t('Number'),
				getValue: ({ item }) => (item as Order).number,
				render: ({ item }) => (
					<>
						#{(item as Order).number} {marked.has(Number(item.id)) && <span className="new-mark">{t('new')}</span>}
					</>
				),
			},
			status: {
				elements: PLACED_STATUSES.map((value) => ({ value, label: labelStatus(value) })),
				filterBy: { operators: ['isAny'], isPrimary: true },
				render: ({ item }) => <StatusLabel status={(item as Order).status} />,
			},
			customer: {
				label: t('Customer'),
				type: 'text',
				getValue: ({ item }) => (item as Order).customer_id,
				...customerFilter,
				render: ({ item }) => <>{formatBuyer(item as Order)}</>,
			},
			date: {
				label: t('Date'),
				type: 'datetime',
				enableSorting: true,
				getValue: ({ item }) => (item as Order).date_created_gmt,
				filterBy: { operators: ['after', 'before'] },
				render: ({ item }) => <OrderTime order={item as Order} />,
			},
			product: {
				label: t('Items'),
				type: 'text',
				...productFilter,
				render: ({ item }) => <>{describeItems(item as Order)}</>,
			},
			total: {
				label: t('Total'),
				type: 'number',
				getValue: ({ item }) => Number((item as Order).total),
				render: ({ item }) => <OrderTotal order={item as Order} />,
			},
		},
		actions: can('manage_shop') ? [changeStatus, printOrder] : [printOrder],
		sort: { field: 'date', direction: 'desc' },
		hasTrash: true,
		restored: { status: 'on-hold', text: t('Taken out of the trash, on hold.') },
		getItemPath: (item) => `/orders/${String(item.id)}`,
		addPath: can('manage_shop') ? '/orders/new' : null,
	};
}

const changeStatus: NonNullable<Collection['actions']>[number] = {
	id: 'status',
	label: () => t('Change the status'),
	modalHeader: () => t('Change the status'),
	supportsBulk: true,
	isEligible: (item) => item['status'] !== 'trash',
	RenderModal: (given) => <ChangeOrders {...given} />,
};

function ChangeOrders({ items, closeModal, onActionPerformed }: RenderModalProps<Item>) {
	// The rows as they were when the person chose them: what comes in meanwhile was not seen.
	const [orders] = useState(items);
	const write = (choose: (item: Item) => unknown, seen: unknown[]): Promise<unknown[]> =>
		sendBatch(
			orders.map((item, index) => ({
				method: 'POST',
				path: getOrderPath(item.id),
				body: { status: choose(item) },
				seen: seen[index] as Item,
			})),
		);
	return (
		<ChangeStatus
			count={orders.length}
			onCancel={() => closeModal?.()}
			onChoose={(status) => {
				closeModal?.();
				write(() => status, orders).then((changed) => {
					onActionPerformed?.(orders);
					showDone(
						sprintf(
							/* translators: %1$d: a number, %2$s: a status */
							tn('%1$d order: %2$s', '%1$d orders: %2$s', orders.length),
							orders.length,
							labelStatus(status),
						),
						() => write((item) => item['status'], changed),
					);
				}, showError);
			}}
		/>
	);
}

const printOrder: NonNullable<Collection['actions']>[number] = {
	id: 'print',
	label: () => t('Print'),
	isEligible: (item) => item['status'] !== 'trash',
	callback: ([item]) => {
		if (item) {
			navigate(`/orders/${String(item.id)}/print`);
		}
	},
};

function describeItems(order: Order): string {
	const [first, ...others] = order.line_items;
	if (!first) {
		return '–';
	}
	const name = first.quantity === 1 ? first.name : `${String(first.quantity)} × ${first.name}`;
	return others.length ? sprintf(t('%1$s and %2$d more'), name, others.length) : name;
}

/** What an order costs, and what of it went back. */
function OrderTotal({ order }: { order: Order }) {
	const partly = order.refunds.length > 0 && order.status !== 'refunded';
	return (
		<span className="amount">
			{formatMoney(order.total, order.currency)}
			{partly && <span className="quiet block">{t('partly refunded')}</span>}
		</span>
	);
}

export function OrderTime({ order }: { order: Order }) {
	const when = parseGmt(order.date_created_gmt);
	return (
		<time dateTime={when.toISOString()} title={formatTime(when)}>
			{formatAge(when)}
		</time>
	);
}
