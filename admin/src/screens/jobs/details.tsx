import { formatTime, parseGmt } from '../../app/formats';
import { t } from '../../app/i18n';
import { describeKind, describeState, type BackgroundJob } from './job';

/** All that is told of a job. */
export function JobDetails({ job }: { job: BackgroundJob }) {
	const moments: [string, string | null][] = [
		[t('Asked for'), job.created_gmt],
		[t('Due'), job.due_gmt],
		[t('Begun'), job.started_gmt],
		[t('Ended'), job.finished_gmt],
	];
	return (
		<dl className="fact-list">
			<dt>{t('What it does')}</dt>
			<dd>
				{describeKind(job.kind)} <code>{job.kind}</code>
			</dd>
			<dt>{t('State')}</dt>
			<dd>{describeState(job)}</dd>
			{moments.map(
				([label, moment]) =>
					moment && (
						<div key={label}>
							<dt>{label}</dt>
							<dd>{formatTime(parseGmt(moment))}</dd>
						</div>
					),
			)}
			{Object.keys(job.arguments).length > 0 && (
				<>
					<dt>{t('What it is about')}</dt>
					<dd>
						<code>{JSON.stringify(job.arguments)}</code>
					</dd>
				</>
			)}
			{job.error && (
				<>
					<dt>{t('Why it failed')}</dt>
					<dd>
						<pre className="job-trace">{job.error}</pre>
					</dd>
				</>
			)}
		</dl>
	);
}
