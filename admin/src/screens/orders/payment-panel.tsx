import { useState } from 'react';

import type { Page } from '../../api/client';
import { useCollection, type Loaded } from '../../api/collections';
import { formatTime, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { Field } from '../../form/field';
import { DraftNotes } from './draft-notes';
import type { Order } from './order';
import { SidePanel } from './side-panel';
import { useDraft } from './use-draft';

export interface PaymentMethod {
	id: string;
	title: string;
	enabled: boolean;
	/** What it can do: `refunds` where it pays back by itself. */
	method_supports: string[];
}

/** Read the ways of paying of the shop. */
export function usePaymentMethods(): Loaded<Page<PaymentMethod>> {
	return useCollection<PaymentMethod>('/wc/v3/payment_gateways', { _fields: 'id,title,enabled,method_supports' });
}

/** How the order is paid, and by which transaction. */
export function PaymentPanel({ order }: { order: Order }) {
	const draft = useDraft(order);
	const methods = usePaymentMethods();
	const [method, setMethod] = useState(order.payment_method);
	const [transaction, setTransaction] = useState(order.transaction_id);
	const copy = (url: string): void => {
		navigator.clipboard.writeText(url).then(() => showDone(t('The link is copied.')), showError);
	};
	const save = async (send = draft.save): Promise<void> => {
		const title = methods.value?.items.find((one) => one.id === method)?.title ?? '';
		if (await send({ payment_method: method, payment_method_title: title, transaction_id: transaction.trim() })) {
			showDone(t('Saved.'));
		}
	};
	return (
		<SidePanel
			title={t('Payment')}
			actions={
				<button
					type="button"
					className="button"
					aria-expanded={draft.base !== null}
					aria-label={`${t('Change')}: ${t('Payment')}`}
					onClick={() => {
						setMethod(order.payment_method);
						setTransaction(order.transaction_id);
						if (draft.base) {
							draft.cancel();
						} else {
							draft.begin();
						}
					}}
				>
					{t('Change')}
				</button>
			}
		>
			<p>
				{order.payment_method_title || order.payment_method || t('No way of paying was chosen.')}
				{order.transaction_id && <span className="quiet"> · {order.transaction_id}</span>}
			</p>
			<p className="quiet">
				{order.date_paid_gmt
					? sprintf(t('paid %s'), formatTime(parseGmt(order.date_paid_gmt)))
					: t('not marked as paid')}
			</p>
			{order.payment_url && order.needs_payment && (
				<button type="button" className="button" onClick={() => copy(order.payment_url ?? '')}>
					{t('Copy the link by which it is paid')}
				</button>
			)}
			{draft.base && (
				<form
					onSubmit={(event) => {
						event.preventDefault();
						void save();
					}}
				>
					<DraftNotes draft={draft} onKeepMine={() => void save(draft.overwrite)} />
					<Field label={t('Way of paying')}>
						{(control) => (
							<select {...control} value={method} onChange={(event) => setMethod(event.target.value)}>
								<option value="">{t('None')}</option>
								{methods.value?.items.map(({ id, title }) => (
									<option key={id} value={id}>
										{title || id}
									</option>
								))}
							</select>
						)}
					</Field>
					<Field label={t('Number of the transaction')}>
						{(control) => (
							<input {...control} value={transaction} onChange={(event) => setTransaction(event.target.value)} />
						)}
					</Field>
					<div className="form-buttons">
						<button type="submit" className="button button-primary" disabled={draft.saving || draft.isOutdated}>
							{t('Save')}
						</button>
					</div>
				</form>
			)}
		</SidePanel>
	);
}
