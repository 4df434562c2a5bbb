import { useState } from 'react';

import { can } from '../../app/boot';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import { showDone } from '../../app/toasts';
import { CustomerSearch } from './customer-search';
import { DraftNotes } from './draft-notes';
import { formatBuyer, type Order } from './order';
import { SidePanel } from './side-panel';
import { useDraft } from './use-draft';

/** Whose order it is; a guest's has no account. */
export function CustomerPanel({ order }: { order: Order }) {
	const draft = useDraft(order);
	const [chosen, setChosen] = useState(0);
	const choosing = draft.base !== null;
	const assign = async (customer: number, send = draft.save): Promise<void> => {
		setChosen(customer);
		if (await send({ customer_id: customer })) {
			showDone(t('Saved.'));
		}
	};
	return (
		<SidePanel
			title={t('Customer')}
			actions={
				<button
					type="button"
					className="button"
					aria-expanded={choosing}
					aria-label={`${t('Change')}: ${t('Customer')}`}
					onClick={choosing ? draft.cancel : draft.begin}
				>
					{t('Change')}
				</button>
			}
		>
			<p>
				{order.customer_id > 0 && can('list_users') ? (
					<Link to={`/customers/${String(order.customer_id)}`}>{formatBuyer(order)}</Link>
				) : (
					<>
						{formatBuyer(order)}
						{order.customer_id === 0 && <span className="quiet"> – {t('without an account')}</span>}
					</>
				)}
			</p>
			{order.customer_note && (
				<blockquote className="customer-note">
					<p className="quiet">{t('Note of the customer')}</p>
					<p>{order.customer_note}</p>
				</blockquote>
			)}
			{choosing && (
				<>
					<DraftNotes draft={draft} onKeepMine={() => void assign(chosen, draft.overwrite)} />
					<CustomerSearch onChoose={(customer) => void assign(customer?.id ?? 0)} onCancel={draft.cancel} />
				</>
			)}
		</SidePanel>
	);
}
