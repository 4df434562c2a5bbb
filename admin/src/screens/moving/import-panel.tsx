import { useState } from 'react';

import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { usePolling } from '../../api/polling';
import { ErrorNotice } from '../../app/error-notice';
import { formatTime, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { showError } from '../../app/toasts';
import { ImportForm } from './import-form';
import { ImportReport } from './import-report';
import { RunningJob } from './running-job';
import { IMPORT_PATH, NO_CREDENTIALS, PAUSE, type Credentials, type ImportState } from './transfer';

/** Another site, or a file of one, comes in: looked at first, then brought, with its progress and its report. */
export function ImportPanel() {
	const { value: state, error } = useResource<ImportState>(IMPORT_PATH);
	// Kept while the page is open, so that bringing in does not ask again for what looking was told.
	const [credentials, setCredentials] = useState<Credentials>(NO_CREDENTIALS);
	usePolling([IMPORT_PATH], PAUSE, state?.running ?? false);
	const stop = async (): Promise<void> => {
		try {
			await request(`${IMPORT_PATH}/stop`, { method: 'POST', body: {} });
		} catch (problem) {
			showError(problem);
		}
	};
	return (
		<section className="panel" aria-labelledby="import-heading">
			<h2 id="import-heading">{t('Bring a site in')}</h2>
			<ErrorNotice error={error} />
			{state?.running ? (
				<RunningJob label={describeRun(state)} state={state} stopLabel={t('Stop')} onStop={stop} />
			) : (
				state && (
					<>
						<Outcome state={state} />
						{state.result && <ImportReport result={state.result} isLook={state.plan?.dry_run ?? true} />}
						<ImportForm key={state.job} state={state} credentials={credentials} onCredentials={setCredentials} />
					</>
				)
			)}
		</section>
	);
}

function describeRun({ plan }: ImportState): string {
	const source = plan?.address || plan?.file || '';
	return plan?.dry_run
		? sprintf(t('What would come of %s is being looked at; nothing is written.'), source)
		: sprintf(t('%s is being brought in.'), source);
}

/** How the last one ended. */
function Outcome({ state }: { state: ImportState }) {
	if (!state.outcome || !state.finished_gmt) {
		return null;
	}
	const when = formatTime(parseGmt(state.finished_gmt));
	const source = state.plan?.address || state.plan?.file || '';
	switch (state.outcome) {
		case 'done':
			return (
				<p className="notice" role="status">
					{state.plan?.dry_run
						? sprintf(t('%1$s was looked at on %2$s. Nothing was written: this is what would come.'), source, when)
						: sprintf(t('%1$s was brought in on %2$s.'), source, when)}
				</p>
			);
		case 'stopped':
			return (
				<p className="notice notice-warning" role="status">
					{sprintf(t('%1$s was stopped on %2$s. Start it again, and it goes on where it was.'), source, when)}
				</p>
			);
		case 'failed':
			return (
				<p className="notice notice-failed" role="alert">
					{sprintf(t('%1$s could not be brought in (%2$s): %3$s'), source, when, state.reason)}
				</p>
			);
	}
}
