import { useResource } from '../../api/collections';
import { boot, canSomewhere, managesTranslation } from '../../app/boot';
import { sprintf, t, tn } from '../../app/i18n';
import { Link } from '../../app/link';
import type { Query } from '../../api/client';
import { JOBS_PATH, type JobList } from '../languages/job';
import { Entry, Panel } from './panel';

const SHOWN = 5;
const WAITING = '1,2';
const FAILED = '40';
const TO_REVIEW = '30';

/** Translation jobs that wait for this person, and those that failed. */
export function TranslationJobs() {
	return (
		<Panel title={t('Translation jobs')} to="/languages" more={t('All translation jobs')}>
			{canSomewhere('translate') && (
				<JobEntries
					query={{ scope: 'local', translated_by: boot.user.id, status: WAITING }}
					describe={(deadline) => (deadline ? sprintf(t('for you, until %s'), deadline) : t('for you'))}
				/>
			)}
			{managesTranslation() && (
				<>
					<JobEntries query={{ status: FAILED }} describe={() => t('failed; it can be sent again')} />
					<JobEntries query={{ status: TO_REVIEW }} describe={() => t('wants to be looked at')} />
					<OutdatedEntry />
				</>
			)}
		</Panel>
	);
}

function JobEntries({ query, describe }: { query: Query; describe: (deadline: string) => string }) {
	const { value } = useResource<JobList>(JOBS_PATH, { ...query, limit: SHOWN });
	return (
		<>
			{value?.jobs.map((job) => (
				<Entry key={job.id} note={`${job.languages.source} → ${job.languages.target} · ${describe(job.deadline)}`}>
					<Link
						lang={job.language_codes.source}
						to={`/translate/job/${String(job.extra_data.icl_translate_job_id ?? job.id)}`}
					>
						{job.element.name}
					</Link>
				</Entry>
			))}
		</>
	);
}

function OutdatedEntry() {
	const { value } = useResource<JobList>(JOBS_PATH, { needs_update: 'include', limit: 1 });
	const total = value?.total ?? 0;
	return total > 0 ? (
		<Entry>
			<Link to="/languages?show=outdated">
				{sprintf(
					tn('%d translation is older than its original.', '%d translations are older than their originals.', total),
					total,
				)}
			</Link>
		</Entry>
	) : null;
}
