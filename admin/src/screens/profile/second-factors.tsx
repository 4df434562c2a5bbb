import { useState } from 'react';

import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { sprintf, t, tn } from '../../app/i18n';
import { OneTimeCodes } from './one-time-codes';
import { Passkeys } from './passkeys';
import { ProofDialog } from './proof-dialog';
import { RecoveryCodes } from './recovery-codes';

export interface Factors {
	required: boolean;
	one_time_codes: boolean;
	recovery_codes: number;
	passkeys: number;
	passkeys_available: boolean;
}

const PATH = '/access/v1/second-factors';

/** What proves the person beside the password: one-time codes, passkeys, recovery codes. */
export function SecondFactors() {
	const { value: factors, error } = useResource<Factors>(PATH);
	const [codes, setCodes] = useState<string[]>([]);
	const [renewing, setRenewing] = useState(false);
	return (
		<section className="panel" aria-labelledby="factors-heading">
			<h2 id="factors-heading">{t('Second factors')}</h2>
			<p className="field-help">
				{factors?.required
					? t('Your role requires one of them besides the password.')
					: t('With one of them nobody signs in as you who merely knows your password.')}
			</p>
			<ErrorNotice error={error} />
			{factors && (
				<>
					<OneTimeCodes on={factors.one_time_codes} onCodes={setCodes} />
					<Passkeys available={factors.passkeys_available} onCodes={setCodes} />
					{(factors.one_time_codes || factors.passkeys > 0) && (
						<>
							<h3>{t('Recovery codes')}</h3>
							<p className="field-help">
								{sprintf(
									tn(
										'%d code is left for days without the phone.',
										'%d codes are left for days without the phone.',
										factors.recovery_codes,
									),
									factors.recovery_codes,
								)}
							</p>
							<button type="button" className="button" onClick={() => setRenewing(true)}>
								{t('Make new recovery codes')}
							</button>
						</>
					)}
				</>
			)}
			{renewing && (
				<ProofDialog
					title={t('Make new recovery codes?')}
					label={t('Make new ones')}
					onClose={() => setRenewing(false)}
					onProve={async ({ password }) => {
						const made = await request<{ recovery_codes: string[] }>(`${PATH}/recovery-codes`, {
							method: 'POST',
							body: { password },
						});
						setRenewing(false);
						setCodes(made.recovery_codes);
					}}
				>
					<p>{t('The old ones open nothing any more.')}</p>
				</ProofDialog>
			)}
			{codes.length > 0 && <RecoveryCodes codes={codes} onClose={() => setCodes([])} />}
		</section>
	);
}
