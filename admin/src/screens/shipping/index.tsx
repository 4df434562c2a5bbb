import { useState } from 'react';

import { IN_OWN_LANGUAGE, request } from '../../api/client';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import { Screen } from '../../app/screen';
import { showDone, showError } from '../../app/toasts';
import { useSmallCollection } from '../catalogue/all-items';
import { Trial } from '../catalogue/trial';
import { ZonePanel } from './zone-panel';
import { ZONES, type Zone } from './zone';

/** Zones with their places and ways of shipping, and what an address would pay. */
export default function Shipping() {
	const { value: zones, error } = useSmallCollection<Zone>(ZONES, IN_OWN_LANGUAGE);
	const [name, setName] = useState('');
	const add = async (): Promise<void> => {
		try {
			await request(ZONES, { method: 'POST', body: { name: name.trim() } });
			setName((now) => (now === name ? '' : now));
			showDone(t('The zone is made.'));
		} catch (problem) {
			showError(problem);
		}
	};
	return (
		<Screen
			title={t('Shipping')}
			actions={
				<>
					<Link className="button" to="/records/shipping-classes">
						{t('Shipping classes')}
					</Link>
					<Link className="button" to="/shop-settings/shipping">
						{t('Settings of shipping')}
					</Link>
				</>
			}
		>
			<ErrorNotice error={error} />
			<p className="quiet">{t('An address belongs to the first zone that has it.')}</p>
			<div className="zones">
				{(zones ?? []).map((one) => (
					<ZonePanel key={one.id} zone={one} />
				))}
			</div>
			<form
				className="panel add-line"
				onSubmit={(event) => {
					event.preventDefault();
					void add();
				}}
			>
				<label className="field">
					<span>{t('Name of a new zone')}</span>
					<input className="input" value={name} onChange={(event) => setName(event.target.value)} />
				</label>
				<button type="submit" className="button" disabled={name.trim() === ''}>
					{t('Add a zone')}
				</button>
			</form>
			<Trial
				title={t('What would this address pay?')}
				help={t('Computed as for a buyer, with the ways of shipping as they are saved. Nothing is ordered.')}
			/>
		</Screen>
	);
}
