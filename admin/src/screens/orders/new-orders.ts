/** The orders that come in while the desk is open. */
import { useEffect, useRef, useState } from 'react';

import { useChanges } from '../../api/changes';
import { request } from '../../api/client';
import { getOrderPath, ORDERS_PATH, type Order } from './order';
import { PLACED_STATUSES } from './order-status';

const MAX_DRAFTS = 100;
const SHOWN = 'id,number,status,currency,total,billing';

interface Known {
	/** The newest order, placed or not, when the desk was opened. */
	newest: number;
	/** Orders that visitors had begun by then. */
	drafts: ReadonlySet<number>;
}

/** Return the orders that were placed since the desk was opened, newest first. */
export function useNewOrders(): Order[] {
	const known = useRef<Promise<Known> | null>(null);
	const [orders, setOrders] = useState<Order[]>([]);
	useEffect(() => {
		known.current = readKnown();
		// Where it is not answered, no order is called new; the list itself shows what went wrong.
		known.current.catch(() => undefined);
	}, []);
	useChanges(['order'], ({ id, action }) => {
		if (id === null || action === 'removed') {
			return;
		}
		void findNewOrder(Number(id), known.current).then((order) => {
			if (order) {
				setOrders((before) => (before.some((one) => one.id === order.id) ? before : [order, ...before]));
			}
		});
	});
	return orders;
}

async function readKnown(): Promise<Known> {
	const [newest, drafts] = await Promise.all([
		request<{ id: number }[]>(ORDERS_PATH, { query: { orderby: 'id', per_page: 1, _fields: 'id' } }),
		request<{ id: number }[]>(ORDERS_PATH, {
			query: { status: ['checkout-draft'], per_page: MAX_DRAFTS, _fields: 'id' },
		}),
	]);
	return { newest: newest[0]?.id ?? 0, drafts: new Set(drafts.map(({ id }) => id)) };
}

/** Return an order if it was placed since, null where it was there before, is no longer, or is not placed yet. */
async function findNewOrder(id: number, known: Promise<Known> | null): Promise<Order | null> {
	try {
		const before = await known;
		if (!before || (id <= before.newest && !before.drafts.has(id))) {
			return null;
		}
		const order = await request<Order>(getOrderPath(id), { query: { _fields: SHOWN } });
		return PLACED_STATUSES.includes(order.status) ? order : null;
	} catch {
		// It is gone already, or out of this person's sight: nothing to tell of.
		return null;
	}
}
