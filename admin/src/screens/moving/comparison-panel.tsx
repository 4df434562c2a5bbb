import { useState } from 'react';

import { request } from '../../api/client';
import { forget, useResource } from '../../api/collections';
import { usePolling } from '../../api/polling';
import { boot } from '../../app/boot';
import { ErrorNotice } from '../../app/error-notice';
import { formatTime, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { Field } from '../../form/field';
import { JOBS_PATH } from '../jobs/job';
import { ComparisonReport } from './comparison-report';
import { CredentialFields } from './credential-fields';
import { RunningJob } from './running-job';
import { COMPARISON_PATH, NO_CREDENTIALS, PAUSE, type ComparisonState, type Credentials } from './transfer';

/** This site is compared with another one: the proof of a move. */
export function ComparisonPanel() {
	const { value: state, error } = useResource<ComparisonState>(COMPARISON_PATH);
	usePolling([COMPARISON_PATH], PAUSE, state?.running ?? false);
	const cancel = async (): Promise<void> => {
		try {
			await request(`${JOBS_PATH}/${String(state?.job)}`, { method: 'DELETE', query: { force: true } });
			showDone(t('The comparison is called off.'));
			forget(COMPARISON_PATH);
		} catch (problem) {
			showError(problem);
		}
	};
	return (
		<section className="panel" aria-labelledby="comparison-heading">
			<h2 id="comparison-heading">{t('Compare this site with another')}</h2>
			<ErrorNotice error={error} />
			{state?.running ? (
				<RunningJob
					label={sprintf(t('This site is being compared with %s.'), state.address)}
					state={state}
					stopLabel={t('Call it off')}
					onStop={cancel}
				/>
			) : (
				state && (
					<>
						<Outcome state={state} />
						{state.result && <ComparisonReport result={state.result} />}
						<ComparisonForm key={state.job} state={state} />
					</>
				)
			)}
		</section>
	);
}

function Outcome({ state }: { state: ComparisonState }) {
	if (!state.outcome || !state.finished_gmt) {
		return (
			<p>{t('Whether everything came can be proved: both sites are read whole and compared record by record.')}</p>
		);
	}
	const when = formatTime(parseGmt(state.finished_gmt));
	if (state.outcome === 'failed') {
		return (
			<p className="notice notice-failed" role="alert">
				{sprintf(t('%1$s could not be compared (%2$s): %3$s'), state.address, when, state.reason)}
			</p>
		);
	}
	return (
		<p className={state.result?.agrees ? 'notice' : 'notice notice-warning'} role="status">
			{state.result?.agrees
				? sprintf(t('This site and %1$s agreed on %2$s.'), state.address, when)
				: sprintf(t('This site and %1$s differed on %2$s.'), state.address, when)}
		</p>
	);
}

function ComparisonForm({ state }: { state: ComparisonState }) {
	const [address, setAddress] = useState(state.address);
	const [credentials, setCredentials] = useState<Credentials>({ ...NO_CREDENTIALS, login: state.login });
	const [error, setError] = useState<unknown>(null);
	const [sending, setSending] = useState(false);
	const start = async (): Promise<void> => {
		setSending(true);
		setError(null);
		try {
			await request(COMPARISON_PATH, { method: 'POST', body: { address: address.trim(), ...credentials } });
		} catch (problem) {
			setError(problem);
			setSending(false);
		}
	};
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				void start();
			}}
		>
			<Field label={t('Address of the other site')}>
				{(control) => (
					<input
						{...control}
						type="text"
						inputMode="url"
						autoComplete="off"
						required
						value={address}
						onChange={(event) => setAddress(event.target.value)}
					/>
				)}
			</Field>
			<CredentialFields value={credentials} onChange={setCredentials} withShop={boot.modules.includes('shop')} />
			<ErrorNotice error={error} />
			<button type="submit" className="button button-primary" disabled={sending}>
				{t('Compare')}
			</button>
		</form>
	);
}
