import { useEffect, useState } from 'react';

import { useChanges } from '../../api/changes';
import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { formatTime, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { Link } from '../../app/link';
import { navigate } from '../../app/router';
import type { ScreenProps } from '../../app/routes';
import { Screen } from '../../app/screen';
import { showDone, showError } from '../../app/toasts';
import { AddressPanel } from './address-panel';
import { CustomerPanel } from './customer-panel';
import { ItemsPanel } from './items-panel';
import { MailPanel } from './mail-panel';
import { MetaPanel } from './meta-panel';
import { NotesPanel } from './notes-panel';
import { getOrderPath, ORDERS_PATH, saveOrder, type Order } from './order';
import { labelStatus, StatusLabel, StatusSelect } from './order-status';
import { PaymentPanel } from './payment-panel';
import { RefundsPanel } from './refunds-panel';

/** One order: what was bought, by whom, how it stands, and everything that is done with it. */
export default function OrderScreen({ params }: ScreenProps) {
	const id = params['id'] ?? '';
	const { value: order, error, reload } = useResource<Order>(getOrderPath(id));
	useChanges(['order'], (change) => {
		if (String(change.id) === id) {
			reload();
		}
	});
	return (
		<Screen
			title={order ? sprintf(t('Order %s'), `#${order.number}`) : t('Order')}
			actions={
				<>
					<Link className="button" to="/orders">
						{t('Back to the list')}
					</Link>
					{order && order.status !== 'trash' && (
						<>
							<Link className="button" to={`/orders/${id}/print`}>
								{t('Print')}
							</Link>
							<button type="button" className="button button-danger" onClick={() => trashOrder(order)}>
								{t('Put into the trash')}
							</button>
						</>
					)}
				</>
			}
		>
			<ErrorNotice error={error} />
			{order && (
				<div className="order-screen" key={order.id}>
					<div className="order-main">
						<StatusBar order={order} />
						<ItemsPanel order={order} />
						<RefundsPanel order={order} />
						<NotesPanel order={order} />
					</div>
					<div className="order-side">
						<CustomerPanel order={order} />
						<AddressPanel order={order} kind="billing" />
						<AddressPanel order={order} kind="shipping" />
						<PaymentPanel order={order} />
						<MailPanel order={order} />
						<MetaPanel order={order} />
					</div>
				</div>
			)}
		</Screen>
	);
}

/** How the order stands, and giving it another status. */
function StatusBar({ order }: { order: Order }) {
	const [status, setStatus] = useState(order.status);
	const [saving, setSaving] = useState(false);
	useEffect(() => setStatus(order.status), [order.status]);
	const save = (): void => {
		const before = order.status;
		setSaving(true);
		saveOrder(order, { status })
			.then(
				() =>
					showDone(sprintf(t('The order is now: %s'), labelStatus(status)), () =>
						request(getOrderPath(order.id), { method: 'POST', body: { status: before } }),
					),
				showError,
			)
			.finally(() => setSaving(false));
	};
	return (
		<form
			className="panel order-status-bar"
			onSubmit={(event) => {
				event.preventDefault();
				save();
			}}
		>
			<p>
				<StatusLabel status={order.status} />{' '}
				<span className="quiet">{sprintf(t('ordered %s'), formatTime(parseGmt(order.date_created_gmt)))}</span>
			</p>
			<StatusSelect label={t('Status')} value={status} onChange={setStatus} />
			<button type="submit" className="button button-primary" disabled={saving || status === order.status}>
				{t('Set the status')}
			</button>
		</form>
	);
}

function trashOrder(order: Order): void {
	request(getOrderPath(order.id), { method: 'DELETE' }).then(() => {
		navigate('/orders');
		showDone(sprintf(t('Order %s is in the trash.'), `#${order.number}`), () =>
			request(`${ORDERS_PATH}/${String(order.id)}`, { method: 'POST', body: { status: order.status } }),
		);
	}, showError);
}
