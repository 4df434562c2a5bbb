import { useEffect, useState } from 'react';

import { buildUrl, getNonce, request } from '../../api/client';
import { forget, useCollection } from '../../api/collections';
import { usePolling } from '../../api/polling';
import { Dialog } from '../../app/dialog';
import { ErrorNotice } from '../../app/error-notice';
import { formatBytes, formatTime, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { Screen } from '../../app/screen';
import { showDone, showError } from '../../app/toasts';
import { Field } from '../../form/field';
import { ConfirmRemoval } from '../../list/confirm-removal';
import { JOBS_PATH, type BackgroundJob } from '../jobs/job';
import { ProgressBar } from '../jobs/progress';

const PATH = '/wp/v2/backups';
const PAUSE = 1500; // milliseconds between two looks while one is made

interface Backup {
	name: string;
	date_gmt: string;
	size: number;
	version: string;
	media: boolean;
	secrets: boolean;
}

/** The backups that there are; one more, a download, a removal. */
export default function Backups() {
	const { value, error, loading } = useCollection<Backup>(PATH);
	const [downloading, setDownloading] = useState<Backup | null>(null);
	const [removing, setRemoving] = useState<Backup | null>(null);
	const remove = async (backup: Backup): Promise<void> => {
		setRemoving(null);
		try {
			await request(`${PATH}/${backup.name}`, { method: 'DELETE', query: { force: true } });
			showDone(t('The backup is deleted.'));
		} catch (problem) {
			showError(problem);
		}
	};
	return (
		<Screen title={t('Backups')}>
			<ErrorNotice error={error} />
			{!error && (
				<>
					<MakeBackup />
					<section className="panel" aria-labelledby="backups-heading">
						<h2 id="backups-heading">{t('Backups that there are')}</h2>
						{value?.items.length === 0 && !loading && <p>{t('There is none yet.')}</p>}
						<ul className="plain-list">
							{value?.items.map((backup) => (
								<li key={backup.name}>
									<span className="backup-name">
										<strong>{formatTime(parseGmt(backup.date_gmt))}</strong>{' '}
										<span className="quiet">{describeBackup(backup)}</span>
										<span className="quiet backup-file">{backup.name}</span>
									</span>
									<span className="row-buttons">
										<button type="button" className="button" onClick={() => setDownloading(backup)}>
											{t('Download')}
										</button>
										<button type="button" className="button" onClick={() => setRemoving(backup)}>
											{t('Delete')}
										</button>
									</span>
								</li>
							))}
						</ul>
						<p className="field-help">
							{t(
								'The oldest are deleted when new ones are made. Keep copies elsewhere: a backup on the same disk is lost with it. The command vetrina restore restores one.',
							)}
						</p>
					</section>
				</>
			)}
			{downloading && <DownloadDialog backup={downloading} onClose={() => setDownloading(null)} />}
			{removing && (
				<Dialog title={t('Delete the backup')} onClose={() => setRemoving(null)}>
					<ConfirmRemoval
						names={[removing.name]}
						onCancel={() => setRemoving(null)}
						onConfirm={() => void remove(removing)}
					/>
				</Dialog>
			)}
		</Screen>
	);
}

function describeBackup(backup: Backup): string {
	const parts = [formatBytes(backup.size)];
	if (backup.version) {
		parts.push(backup.media ? t('with media') : t('without media'));
		parts.push(backup.secrets ? t('with keys and passwords') : t('without keys and passwords'));
		parts.push(sprintf(t('version %s'), backup.version));
	} else {
		parts.push(t('no backup of this program'));
	}
	return parts.join(' · ');
}

/** What goes into a new backup, and how far the one is that is made. */
function MakeBackup() {
	const [media, setMedia] = useState(true);
	const [secrets, setSecrets] = useState(false);
	const [sending, setSending] = useState(false);
	const { value } = useCollection<BackgroundJob>(JOBS_PATH, { kind: ['site.backup'] });
	const job = value?.items[0];
	const isUnderWay = job?.state === 'waiting' || job?.state === 'running';
	usePolling([JOBS_PATH], PAUSE, isUnderWay);
	useEffect(() => {
		if (!isUnderWay) {
			forget(PATH);
		}
	}, [isUnderWay]);
	const make = async (): Promise<void> => {
		setSending(true);
		try {
			await request(PATH, { method: 'POST', body: { media, secrets } });
			forget(JOBS_PATH);
		} catch (problem) {
			showError(problem);
		} finally {
			setSending(false);
		}
	};
	const cancel = async (id: number): Promise<void> => {
		try {
			await request(`${JOBS_PATH}/${String(id)}`, { method: 'DELETE', query: { force: true } });
			showDone(t('The backup is called off.'));
		} catch (problem) {
			showError(problem);
		}
	};
	return (
		<section className="panel" aria-labelledby="make-backup">
			<h2 id="make-backup">{t('Make a backup')}</h2>
			{job?.error && job.state !== 'done' && <p className="notice notice-failed">{job.error}</p>}
			{isUnderWay ? (
				<div role="status">
					<p>{t('A backup is being made. You may leave this page meanwhile.')}</p>
					<ProgressBar progress={job.progress} label={t('Make a backup')} />
					<button type="button" className="button" onClick={() => void cancel(job.id)}>
						{t('Call it off')}
					</button>
				</div>
			) : (
				<form
					onSubmit={(event) => {
						event.preventDefault();
						void make();
					}}
				>
					<label className="check">
						<input type="checkbox" checked={media} onChange={(event) => setMedia(event.target.checked)} />
						{t('With the uploaded files')}
					</label>
					<label className="check">
						<input type="checkbox" checked={secrets} onChange={(event) => setSecrets(event.target.checked)} />
						{t('With the keys and passwords of the settings, so that application passwords work after a restore')}
					</label>
					<button type="submit" className="button button-primary" disabled={sending}>
						{t('Make a backup now')}
					</button>
				</form>
			)}
		</section>
	);
}

/** Asks for the password, since a backup has everything about everybody in it. */
function DownloadDialog({ backup, onClose }: { backup: Backup; onClose: () => void }) {
	const [password, setPassword] = useState('');
	const [error, setError] = useState<unknown>(null);
	const [sending, setSending] = useState(false);
	const download = async (): Promise<void> => {
		setSending(true);
		try {
			const { token } = await request<{ token: string }>(`${PATH}/${backup.name}/link`, {
				method: 'POST',
				body: { password },
			});
			const link = document.createElement('a');
			link.href = buildUrl(`${PATH}/${backup.name}/file`, { token, _wpnonce: getNonce() });
			link.download = backup.name;
			link.click();
			onClose();
		} catch (problem) {
			setError(problem);
			setSending(false);
		}
	};
	return (
		<Dialog title={t('Download the backup')} onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void download();
				}}
			>
				<p>{t('A backup has everything about everybody in it. Keep it where nobody else reads it.')}</p>
				<ErrorNotice error={error} />
				<Field label={t('Your password')} help={t('The one that you sign in with.')}>
					{(control) => (
						<input
							{...control}
							type="password"
							autoComplete="current-password"
							required
							value={password}
							onChange={(event) => setPassword(event.target.value)}
						/>
					)}
				</Field>
				<button type="submit" className="button button-primary" disabled={sending}>
					{t('Download')}
				</button>
			</form>
		</Dialog>
	);
}
