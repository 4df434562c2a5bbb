import { useState } from 'react';

import { getFault } from '../../form/field';
import { t } from '../../app/i18n';
import { Dialog } from '../../app/dialog';
import { showDone } from '../../app/toasts';
import { AddressForm, AddressLines } from './address-form';
import { DraftNotes } from './draft-notes';
import { writeAddress, type Address, type Order } from './order';
import { SidePanel } from './side-panel';
import { useDraft } from './use-draft';

interface Props {
	order: Order;
	kind: 'billing' | 'shipping';
}

/** The address that pays, or that the parcel goes to. */
export function AddressPanel({ order, kind }: Props) {
	const draft = useDraft(order);
	const [address, setAddress] = useState<Address>(order[kind]);
	const title = kind === 'billing' ? t('Billing address') : t('Shipping address');
	const fault = getFault(draft.error, 'billing[email]') ?? getFault(draft.error, 'billing');
	const own = order[kind];
	const save = async (send = draft.save): Promise<void> => {
		if (await send({ [kind]: writeAddress(address, own) })) {
			showDone(t('The address is saved.'));
		}
	};
	return (
		<SidePanel
			title={title}
			actions={
				<button
					type="button"
					className="button"
					aria-label={`${t('Change')}: ${title}`}
					onClick={() => {
						setAddress(own);
						draft.begin();
					}}
				>
					{t('Change')}
				</button>
			}
		>
			<AddressLines address={own} />
			{own.email && <a href={`mailto:${own.email}`}>{own.email}</a>}
			{own.phone && <p>{own.phone}</p>}
			{draft.base && (
				<Dialog title={title} onClose={draft.cancel}>
					<form
						onSubmit={(event) => {
							event.preventDefault();
							void save();
						}}
					>
						<DraftNotes draft={draft} onKeepMine={() => void save(draft.overwrite)} />
						{kind === 'shipping' && (
							<button
								type="button"
								className="button"
								onClick={() => {
									const { email, ...rest } = order.billing;
									void email;
									setAddress({ ...address, ...rest });
								}}
							>
								{t('Take the billing address')}
							</button>
						)}
						<AddressForm
							address={address}
							withEmail={kind === 'billing'}
							faults={fault ? { email: fault } : {}}
							onChange={(changes) => setAddress({ ...address, ...changes })}
						/>
						<p className="quiet">{t('Taxes follow the address; items are computed again when it is saved.')}</p>
						<div className="form-buttons">
							<button type="submit" className="button button-primary" disabled={draft.saving || draft.isOutdated}>
								{draft.saving ? t('Saving …') : t('Save')}
							</button>
						</div>
					</form>
				</Dialog>
			)}
		</SidePanel>
	);
}
