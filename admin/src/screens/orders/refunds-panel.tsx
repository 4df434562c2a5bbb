import { useState } from 'react';

import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { Dialog } from '../../app/dialog';
import { ErrorNotice } from '../../app/error-notice';
import { formatTime, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { formatMoney } from '../../app/money';
import { showDone, showError } from '../../app/toasts';
import { getOrderPath, type Order, type Refund } from './order';
import { RefundDialog } from './refund-dialog';
import { countLeft } from './refund-sums';
import { SidePanel } from './side-panel';

const MAX_REFUNDS = 100;

/** What of an order went back, and giving more of it back. */
export function RefundsPanel({ order }: { order: Order }) {
	const path = `${getOrderPath(order.id)}/refunds`;
	const { value: refunds, error } = useResource<Refund[]>(path, { per_page: MAX_REFUNDS });
	const [making, setMaking] = useState(false);
	const [removing, setRemoving] = useState<Refund | null>(null);
	const remove = (refund: Refund): void => {
		setRemoving(null);
		request(`${path}/${String(refund.id)}`, { method: 'DELETE', query: { force: true } }).then(
			() => showDone(t('The refund is removed; stock and status stay as they are.')),
			showError,
		);
	};
	return (
		<SidePanel
			title={t('Refunds')}
			actions={
				<button
					type="button"
					className="button"
					disabled={!refunds || countLeft(order) <= 0n}
					onClick={() => setMaking(true)}
				>
					{t('Refund …')}
				</button>
			}
		>
			<ErrorNotice error={error} />
			{refunds?.length === 0 && <p className="quiet">{t('Nothing was refunded.')}</p>}
			<ul className="refund-list">
				{refunds?.map((refund) => (
					<li key={refund.id}>
						<span>
							<strong>{formatMoney(refund.amount, order.currency)}</strong> {refund.reason}
							<span className="quiet block">{formatTime(parseGmt(refund.date_created_gmt))}</span>
						</span>
						<button
							type="button"
							className="link-button"
							aria-label={`${t('Remove the refund')}: ${formatMoney(refund.amount, order.currency)}`}
							onClick={() => setRemoving(refund)}
						>
							{t('Remove')}
						</button>
					</li>
				))}
			</ul>
			{making && refunds && <RefundDialog order={order} refunds={refunds} onClose={() => setMaking(false)} />}
			{removing && (
				<Dialog title={t('Remove the refund')} onClose={() => setRemoving(null)}>
					<p>
						{sprintf(
							t('The refund of %s counts no more. What was put back into stock stays there.'),
							formatMoney(removing.amount, order.currency),
						)}
					</p>
					<div className="form-buttons">
						<button type="button" className="button button-danger" onClick={() => remove(removing)}>
							{t('Remove the refund')}
						</button>
						<button type="button" className="button" onClick={() => setRemoving(null)}>
							{t('Cancel')}
						</button>
					</div>
				</Dialog>
			)}
		</SidePanel>
	);
}
