import { useState } from 'react';

import { can } from '../../app/boot';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import { showDone, showError } from '../../app/toasts';
import { CustomerSearch } from './customer-search';
import { formatBuyer, saveOrder, type Order } from './order';
import { SidePanel } from './side-panel';

/** Whose order it is; a guest's has no account. */
export function CustomerPanel({ order }: { order: Order }) {
	const [choosing, setChoosing] = useState(false);
	const assign = (customer: number): void => {
		saveOrder(order, { customer_id: customer }).then(() => {
			setChoosing(false);
			showDone(t('Saved.'));
		}, showError);
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
					onClick={() => setChoosing(!choosing)}
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
				<CustomerSearch onChoose={(customer) => assign(customer?.id ?? 0)} onCancel={() => setChoosing(false)} />
			)}
		</SidePanel>
	);
}
