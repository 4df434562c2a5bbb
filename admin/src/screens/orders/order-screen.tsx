import { useState } from 'react';

import { useChanges } from '../../api/changes';
import { buildCondition, getState, request } from '../../api/client';
import { useResource } from '../../api/collections';
import { ApiError } from '../../api/errors';
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
import { DraftNotes } from './draft-notes';
import { ItemsPanel } from './items-panel';
import { MailPanel } from './mail-panel';
import { MetaPanel } from './meta-panel';
import { NotesPanel } from './notes-panel';
import { getOrderPath, ORDERS_PATH, type Order } from './order';
import { labelStatus, StatusLabel, StatusSelect } from './order-status';
import { PaymentPanel } from './payment-panel';
import { RefundsPanel } from './refunds-panel';
import { useDraft } from './use-draft';

const NOTHING = (): void => undefined;

/** One order: what was bought, by whom, how it stands, and everything that is done with it. */
export default function OrderScreen({ params }: ScreenProps) {
	const id = params['id'] ?? '';
	const { value, error } = useResource<Order>(getOrderPath(id));
	// What is kept of an order that changes is asked for again.
	useChanges(['order'], NOTHING);
	const isGone = error instanceof ApiError && error.status === 404;
	const order = isGone ? undefined : value;
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
			{isGone ? <p>{t('The order is gone.')}</p> : <ErrorNotice error={error} />}
			{order?.status === 'trash' && (
				<p className="notice notice-warning" role="status">
					{t('This order is in the trash. Another status takes it out.')}
				</p>
			)}
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
	const draft = useDraft(order);
	const [chosen, setChosen] = useState(order.status);
	const status = draft.base ? chosen : order.status;
	const save = async (send = draft.save): Promise<void> => {
		const before = order.status;
		if (await send({ status })) {
			showDone(sprintf(t('The order is now: %s'), labelStatus(status)), () =>
				request(getOrderPath(order.id), { method: 'POST', body: { status: before } }),
			);
		}
	};
	return (
		<form
			className="panel order-status-bar"
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			<p>
				<StatusLabel status={order.status} />{' '}
				<span className="quiet">{sprintf(t('ordered %s'), formatTime(parseGmt(order.date_created_gmt)))}</span>
			</p>
			<StatusSelect
				label={t('Status')}
				value={status}
				onChange={(next) => {
					setChosen(next);
					if (next === order.status) {
						draft.cancel();
					} else if (!draft.base) {
						draft.begin();
					}
				}}
			/>
			<button
				type="submit"
				className="button button-primary"
				disabled={draft.saving || draft.isOutdated || status === order.status}
			>
				{t('Set the status')}
			</button>
			<DraftNotes draft={draft} onKeepMine={() => void save(draft.overwrite)} />
		</form>
	);
}

function trashOrder(order: Order): void {
	request(getOrderPath(order.id), { method: 'DELETE', headers: buildCondition(getState(order)) }).then(() => {
		navigate('/orders');
		showDone(sprintf(t('Order %s is in the trash.'), `#${order.number}`), () =>
			request(`${ORDERS_PATH}/${String(order.id)}`, { method: 'POST', body: { status: order.status } }),
		);
	}, showError);
}
