import { t } from '../../app/i18n';
import { ItemsEditor } from './items-editor';
import { ItemsTable } from './items-table';
import { TotalsTable } from './totals-table';
import type { Order } from './order';
import { SidePanel } from './side-panel';
import { useDraft } from './use-draft';

/** What was ordered and what it comes to, and changing that while the order waits. */
export function ItemsPanel({ order }: { order: Order }) {
	const draft = useDraft(order);
	return (
		<SidePanel
			title={t('Items')}
			actions={
				draft.base ? null : (
					<button type="button" className="button" disabled={!order.is_editable} onClick={draft.begin}>
						{t('Change the items')}
					</button>
				)
			}
		>
			{draft.base ? (
				<ItemsEditor key={draft.base.id} draft={draft} order={draft.base} />
			) : (
				<>
					<ItemsTable order={order} />
					<TotalsTable order={order} />
					{!order.is_editable && (
						<p className="quiet">
							{t(
								'Items can be changed while the order is on hold or waits for its payment; what was paid is refunded.',
							)}
						</p>
					)}
				</>
			)}
		</SidePanel>
	);
}
