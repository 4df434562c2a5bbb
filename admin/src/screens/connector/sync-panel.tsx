import { useState } from 'react';

import { request } from '../../api/client';
import { forget, useResource } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { Fact } from '../../app/fact';
import { formatAge, formatNumber, formatTime } from '../../app/formats';
import { sprintf, t, tx } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { readSeconds, SYNC_PATH, type ModuleProgress, type SyncStatus } from './connector-api';

/** How the codes begin that say that a queue is empty. */
const NOTHING_WAITS = 'empty_queue_';

interface SendAnswer {
	response: true | { errors?: Record<string, string[]> };
}

/** What was sent to the service, what waits, and what keeps it. */
export function SyncPanel({ isRegistered }: { isRegistered: boolean }) {
	const { value, error } = useResource<SyncStatus>(`${SYNC_PATH}/status`, { fields: 'debug_details' });
	const [failure, setFailure] = useState<string | null>(null);
	const [busy, setBusy] = useState(false);
	const act = async (action: () => Promise<void>): Promise<void> => {
		setBusy(true);
		setFailure(null);
		try {
			await action();
		} catch (problem) {
			showError(problem);
		} finally {
			setBusy(false);
			forget(SYNC_PATH);
		}
	};
	const sendNow = async (): Promise<void> => {
		const queues = value?.started && !value.finished ? ['sync', 'full_sync'] : ['sync'];
		const errors: Record<string, string[]> = {};
		for (const queue of queues) {
			const { response } = await request<SendAnswer>(`${SYNC_PATH}/now`, { method: 'POST', body: { queue } });
			Object.assign(errors, response === true ? {} : response.errors);
		}
		const reasons = Object.entries(errors).filter(([code]) => !code.startsWith(NOTHING_WAITS));
		if (reasons.length) {
			setFailure(reasons.flatMap(([, texts]) => texts).join(' '));
		} else if (Object.keys(errors).length === queues.length) {
			showDone(t('Nothing waits.'));
		} else {
			showDone(t('What waited was sent.'));
		}
	};
	const sendAll = async (): Promise<void> => {
		const { scheduled } = await request<{ scheduled: boolean }>(`${SYNC_PATH}/full-sync`, { method: 'POST', body: {} });
		if (scheduled) {
			showDone(t('The whole site will be sent.'));
		} else {
			setFailure(t('Nothing can be sent now.'));
		}
	};
	const release = async (): Promise<void> => {
		await request(`${SYNC_PATH}/locks`, { method: 'DELETE' });
		showDone(t('The pauses and locks are released.'));
	};
	const details = value?.debug_details;
	const held = details && findPauses(details.sync_locks);
	return (
		<section className="panel" aria-labelledby="sync-heading">
			<h2 id="sync-heading">{t('What is sent')}</h2>
			<ErrorNotice error={error} />
			{value && details && (
				<>
					<dl className="fact-list">
						<Fact name={t('State')} value={describeHealth(details.sync_health)} />
						<Fact
							name={t('Sent last')}
							value={
								details.last_succesful_sync
									? formatTime(readSeconds(details.last_succesful_sync))
									: tx('never', 'what is sent')
							}
						/>
						<Fact name={t('Changes that wait')} value={formatNumber(value.queue_size)} />
						{value.queue_size > 0 && (
							<Fact
								name={t('The oldest of them')}
								value={formatAge(readSeconds(Date.now() / 1000 - value.queue_lag))}
							/>
						)}
					</dl>
					{details.is_sync_enabled === false && (
						<p className="notice notice-warning">{t('Sending is switched off in the settings below.')}</p>
					)}
					{held !== undefined && held > 0 && (
						<p className="notice notice-warning">
							{sprintf(
								t('The last attempt failed, or the service asked for a pause: the next one is on %s.'),
								formatTime(readSeconds(held)),
							)}
						</p>
					)}
					{!failure &&
						details.sync_error_log.map((one) => (
							<p key={one.queue} className="notice notice-failed">
								{sprintf(t('Sending failed on %1$s: %2$s'), formatTime(readSeconds(one.time)), one.message)}
							</p>
						))}
					{failure && (
						<p className="notice notice-failed" role="alert">
							{failure}
						</p>
					)}
					<FullSync status={value} />
					{isRegistered && (
						<p className="row-buttons">
							<button type="button" className="button" disabled={busy} onClick={() => void act(sendNow)}>
								{t('Send what waits now')}
							</button>
							<button type="button" className="button" disabled={busy} onClick={() => void act(sendAll)}>
								{t('Send the whole site again')}
							</button>
							<button type="button" className="button" disabled={busy} onClick={() => void act(release)}>
								{t('Release pauses and locks')}
							</button>
						</p>
					)}
				</>
			)}
		</section>
	);
}

function FullSync({ status }: { status: SyncStatus }) {
	const modules = Object.entries(status.progress) as [string, ModuleProgress][];
	if (status.started === false) {
		return null;
	}
	const begun = formatTime(readSeconds(status.started));
	return (
		<div className="full-sync" role="status">
			<h3>{t('The whole site')}</h3>
			<p>
				{status.finished
					? sprintf(t('Sent whole on %s.'), formatTime(readSeconds(status.finished)))
					: sprintf(t('Begun on %s; the service has not everything yet.'), begun)}
			</p>
			<ul className="plain-list">
				{modules.map(([name, { total, sent, finished }]) => (
					<li key={name}>
						<code>{name}</code>
						<span className="quiet">
							{finished ? t('all of it') : sprintf(t('%1$s of %2$s'), formatNumber(sent), formatNumber(Number(total)))}
						</span>
					</li>
				))}
			</ul>
		</div>
	);
}

/** Return the latest time until which sending pauses, 0 where that is past or nothing pauses. */
function findPauses(locks: SyncStatus['debug_details']['sync_locks']): number {
	const times = ['retry_time_sync', 'retry_time_full_sync', 'next_sync_time_sync', 'next_sync_time_full_sync'];
	const latest = Math.max(0, ...times.map((name) => Number(locks[name] ?? 0)));
	return latest > Date.now() / 1000 ? latest : 0;
}

function describeHealth(health: string): string {
	switch (health) {
		case 'in_sync':
			return t('The service has what the site has');
		case 'out_of_sync':
			return t('The service lacks something');
		case 'disabled':
			return t('Switched off');
		default:
			return t('Not known yet');
	}
}
