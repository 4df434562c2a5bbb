import { useState } from 'react';

import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { boot } from '../../app/boot';
import { Dialog } from '../../app/dialog';
import { t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';

interface Factors {
	one_time_codes: boolean;
	passkeys: number;
}

/** Removes the second factors of somebody who lost the phone; shows nothing of those who have none. */
export function PersonFactors({ id }: { id: string }) {
	const path = `/access/v1/users/${id}/second-factors`;
	const { value } = useResource<Factors>(id === String(boot.user.id) ? null : path);
	const [asking, setAsking] = useState(false);
	const remove = async (): Promise<void> => {
		setAsking(false);
		try {
			await request(path, { method: 'DELETE' });
			showDone(t('The second factors are removed.'));
		} catch (problem) {
			showError(problem);
		}
	};
	if (!value || !(value.one_time_codes || value.passkeys > 0)) {
		return null;
	}
	return (
		<section className="panel" aria-labelledby="person-factors-heading">
			<h2 id="person-factors-heading">{t('Second factors')}</h2>
			<p className="field-help">{t('Somebody who lost the phone gets in again when these are removed.')}</p>
			<button type="button" className="button button-danger" onClick={() => setAsking(true)}>
				{t('Remove the second factors')}
			</button>
			{asking && (
				<Dialog title={t('Remove the second factors?')} onClose={() => setAsking(false)}>
					<p>{t('The password alone signs in then. Be sure that it is this person who asks.')}</p>
					<div className="form-buttons">
						<button type="button" className="button" onClick={() => setAsking(false)}>
							{t('Cancel')}
						</button>
						<button type="button" className="button button-danger" onClick={() => void remove()}>
							{t('Yes, remove')}
						</button>
					</div>
				</Dialog>
			)}
		</section>
	);
}
