import { useEffect, useState } from 'react';

import { request } from '../../api/client';
import { forget, useResource } from '../../api/collections';
import { usePolling } from '../../api/polling';
import { ErrorNotice } from '../../app/error-notice';
import { formatNumber, formatTime, parseGmt } from '../../app/formats';
import { sprintf, t, tn } from '../../app/i18n';
import { showError } from '../../app/toasts';
import { JOBS_PATH, type BackgroundJob } from '../jobs/job';
import { ProgressBar } from '../jobs/progress';

const PATH = '/wp/v2/site-check';
const PAUSE = 1500; // milliseconds between two looks while it runs

interface Rule {
	name: string;
	says: string;
	way: string;
	repairable: boolean;
	count: number;
	faults: string[];
	repaired: number;
}

interface SiteCheck {
	job: number;
	running: boolean;
	finished_gmt: string | null;
	faults: number;
	rules: Rule[];
}

/** The check of the stored data: what the last one found, and a new one. */
export function StoredData() {
	const { value, error } = useResource<SiteCheck>(PATH);
	const [sending, setSending] = useState(false);
	usePolling([PATH], PAUSE, value?.running ?? false);
	const start = async (repair: boolean): Promise<void> => {
		setSending(true);
		try {
			await request(PATH, { method: 'POST', body: { repair } });
		} catch (problem) {
			showError(problem);
		} finally {
			setSending(false);
		}
	};
	const broken = value?.rules.filter((rule) => rule.count > 0) ?? [];
	const mended = value?.rules.reduce((sum, rule) => sum + rule.repaired, 0) ?? 0;
	return (
		<section className="panel" aria-labelledby="stored-heading">
			<h2 id="stored-heading">{t('Stored data')}</h2>
			<ErrorNotice error={error} />
			{value?.running ? <Running id={value.job} /> : <p role="status">{value && describeOutcome(value)}</p>}
			{mended > 0 && !value?.running && (
				<p>{sprintf(tn('%d fault was mended.', '%d faults were mended.', mended), mended)}</p>
			)}
			<ul className="finding-list">
				{broken.map((rule) => (
					<li key={rule.name} className="finding finding-critical">
						<span className="finding-status">{formatNumber(rule.count)}</span>
						<div>
							<strong>{rule.says}</strong>
							<ul className="fault-list">
								{rule.faults.map((fault, at) => (
									<li key={at}>{fault}</li>
								))}
								{rule.count > rule.faults.length && (
									<li>{sprintf(t('and %s more'), formatNumber(rule.count - rule.faults.length))}</li>
								)}
							</ul>
							<p className="finding-actions">{rule.way}</p>
						</div>
					</li>
				))}
			</ul>
			{value && !value.running && (
				<p className="row-buttons">
					<button type="button" className="button" disabled={sending} onClick={() => void start(false)}>
						{t('Check the stored data')}
					</button>
					{broken.some((rule) => rule.repairable) && (
						<button type="button" className="button" disabled={sending} onClick={() => void start(true)}>
							{t('Mend what can be mended')}
						</button>
					)}
				</p>
			)}
		</section>
	);
}

function Running({ id }: { id: number }) {
	const { value } = useResource<BackgroundJob>(`${JOBS_PATH}/${String(id)}`);
	usePolling([JOBS_PATH], PAUSE);
	useEffect(() => () => forget(PATH), []);
	return (
		<div role="status">
			<p>{t('The stored data is being checked. You may leave this page meanwhile.')}</p>
			<ProgressBar progress={value?.progress ?? null} label={t('Check the stored data')} />
			{value?.error && <p className="notice notice-failed">{value.error}</p>}
		</div>
	);
}

function describeOutcome(check: SiteCheck): string {
	if (!check.finished_gmt) {
		return t('It was never checked yet.');
	}
	const when = formatTime(parseGmt(check.finished_gmt));
	return check.faults === 0
		? sprintf(t('Everything fitted together on %s.'), when)
		: sprintf(tn('%1$d fault was found on %2$s.', '%1$d faults were found on %2$s.', check.faults), check.faults, when);
}
