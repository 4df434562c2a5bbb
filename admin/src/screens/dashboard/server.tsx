import { useCollection } from '../../api/collections';
import { formatAge, parseGmt } from '../../app/formats';
import { sprintf, t, tn } from '../../app/i18n';
import { Link } from '../../app/link';
import { describeKind, JOBS_PATH, type BackgroundJob } from '../jobs/job';
import { Entry, Panel } from './panel';

const SHOWN = 3;
/** Age at which the last backup is too old, in milliseconds. */
const OLD = 7 * 86_400_000;

/** Jobs that were given up, webhooks that are told no longer, and a backup that is too old. */
export function ServerPanel() {
	return (
		<Panel title={t('The server')} to="/health" more={t('Health')}>
			<FailedJobs />
			<DisabledWebhooks />
			<LastBackup />
		</Panel>
	);
}

function FailedJobs() {
	const { value } = useCollection<BackgroundJob>(JOBS_PATH, { state: ['failed'], per_page: SHOWN });
	const more = (value?.total ?? 0) - (value?.items.length ?? 0);
	return (
		<>
			{value?.items.map((job) => (
				<Entry key={job.id} note={job.error}>
					<Link to="/jobs?view=failed">{sprintf(t('Given up: %s'), describeKind(job.kind))}</Link>
				</Entry>
			))}
			{more > 0 && (
				<Entry>
					<Link to="/jobs?view=failed">
						{sprintf(tn('%d more job was given up.', '%d more jobs were given up.', more), more)}
					</Link>
				</Entry>
			)}
		</>
	);
}

interface DisabledWebhook {
	id: number;
	name: string;
	delivery_url: string;
	reason: string;
}

function DisabledWebhooks() {
	const { value } = useCollection<DisabledWebhook>('/wp/v2/webhooks', { status: 'disabled', per_page: SHOWN });
	return (
		<>
			{value?.items.map((hook) => (
				<Entry key={hook.id} note={hook.reason}>
					<Link to={`/records/webhooks/${String(hook.id)}`}>
						{sprintf(t('Told no longer: %s'), hook.name || hook.delivery_url)}
					</Link>
				</Entry>
			))}
		</>
	);
}

function LastBackup() {
	const { value } = useCollection<{ date_gmt: string }>('/wp/v2/backups');
	if (!value) {
		return null;
	}
	const last = value.items[0]?.date_gmt;
	const when = last ? parseGmt(last) : null;
	if (when && Date.now() - when.getTime() < OLD) {
		return null;
	}
	return (
		<Entry note={when ? sprintf(t('the last one: %s'), formatAge(when)) : t('none was made here yet')}>
			<Link to="/backups">{t('No backup of the last week')}</Link>
		</Entry>
	);
}
