import { useEffect, useMemo, useState } from 'react';

import { useChanges } from '../../api/changes';
import { useResource } from '../../api/collections';
import { can } from '../../app/boot';
import { sprintf, t, tn } from '../../app/i18n';
import { formatMoney } from '../../app/money';
import { ListView } from '../../list/list-view';
import { buildOrderCollection } from './collection';
import { useNewOrders } from './new-orders';
import { formatBuyer } from './order';

/** How far down a person reads on, in pixels: rows that came above would move what is read. */
const READING = 80;

interface StatusTotal {
	slug: string;
	total: number;
}

/** The desk: every order, and those that come in while it is open. */
export default function Orders() {
	const totals = useResource<StatusTotal[]>(can('view_shop_reports') ? '/wc/v3/reports/orders/totals' : null);
	const [gone, setGone] = useState<ReadonlySet<number>>(new Set());
	useChanges(['order'], ({ id, action }) => {
		totals.reload();
		if (action === 'removed') {
			setGone((before) => new Set([...before, Number(id)]));
		}
	});
	const fresh = useNewOrders();
	const [seen, setSeen] = useState(0);
	const reading = useReading();
	const waiting = reading ? fresh.length - seen : 0;
	useEffect(() => {
		if (!reading) {
			setSeen(fresh.length);
		}
	}, [reading, fresh.length]);

	const collection = useMemo(
		() =>
			buildOrderCollection(
				Object.fromEntries((totals.value ?? []).map(({ slug, total }) => [slug, total])),
				new Set(fresh.map(({ id }) => id)),
			),
		[totals.value, fresh],
	);
	const [newest] = fresh;
	return (
		<ListView collection={collection} keepRows={reading} gone={gone}>
			<p className="visually-hidden" role="status">
				{newest &&
					sprintf(
						/* translators: %1$s: number of an order, %2$s: name of a buyer, %3$s: an amount */
						t('New order %1$s by %2$s: %3$s'),
						newest.number,
						formatBuyer(newest),
						formatMoney(newest.total, newest.currency),
					)}
			</p>
			{waiting > 0 && (
				<button type="button" className="button button-primary new-orders" onClick={() => window.scrollTo({ top: 0 })}>
					{sprintf(tn('Show %d new order', 'Show %d new orders', waiting), waiting)}
				</button>
			)}
		</ListView>
	);
}

/** Return whether the person has scrolled down. */
function useReading(): boolean {
	const [reading, setReading] = useState(window.scrollY > READING);
	useEffect(() => {
		const look = (): void => setReading(window.scrollY > READING);
		window.addEventListener('scroll', look, { passive: true });
		return () => window.removeEventListener('scroll', look);
	}, []);
	return reading;
}
