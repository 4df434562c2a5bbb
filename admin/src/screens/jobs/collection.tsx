/** The list of background jobs. */
import { formatAge, formatTime, parseGmt } from '../../app/formats';
import { sprintf, t, tn } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { sendBatch } from '../../list/batches';
import type { Collection, Item } from '../../list/collection';
import { describeKind, describeState, JOBS_PATH, type BackgroundJob } from './job';
import { JobDetails } from './details';
import { ProgressBar } from './progress';

export function buildJobCollection(kinds: readonly string[]): Collection {
	return {
		name: 'jobs',
		path: JOBS_PATH,
		title: t('Background jobs'),
		singular: t('Background job'),
		titleField: 'kind',
		columns: ['state', 'error', 'due_gmt'],
		presets: [
			{ name: 'all', label: t('All'), query: {} },
			{ name: 'failed', label: t('Given up'), query: { state: ['failed'] } },
			{ name: 'open', label: t('Waiting and running'), query: { state: ['waiting', 'running'] } },
		],
		fields: {
			kind: {
				label: t('What it does'),
				elements: kinds.map((kind) => ({ value: kind, label: describeKind(kind) })),
				filterBy: { operators: ['isAny'], isPrimary: true },
				render: ({ item }) => <>{describeKind(asJob(item).kind)}</>,
			},
			state: {
				label: t('State'),
				enableSorting: false,
				filterBy: false,
				render: ({ item }) => <StateCell job={asJob(item)} />,
			},
			attempts: {
				label: t('Attempts'),
				render: ({ item }) => <>{`${String(asJob(item).attempts)} / ${String(asJob(item).max_attempts)}`}</>,
			},
			error: { label: t('Why it failed'), render: ({ item }) => <ErrorCell text={asJob(item).error} /> },
			due_gmt: { label: t('Due'), ...describeMoment('due_gmt') },
			created_gmt: { label: t('Asked for'), ...describeMoment('created_gmt') },
			started_gmt: { label: t('Begun'), ...describeMoment('started_gmt') },
			finished_gmt: { label: t('Ended'), ...describeMoment('finished_gmt') },
		},
		hiddenFields: ['max_attempts', 'can_retry', 'can_cancel', 'progress', 'arguments'],
		actions: [
			{
				id: 'retry',
				label: t('Try again'),
				isPrimary: true,
				supportsBulk: true,
				isEligible: (item) => asJob(item).can_retry,
				callback: (items) => {
					sendBatch(items.map((item) => ({ method: 'POST', path: `${JOBS_PATH}/${String(item.id)}/retry` }))).then(
						() =>
							showDone(sprintf(tn('%d job is tried again.', '%d jobs are tried again.', items.length), items.length)),
						showError,
					);
				},
			},
			{
				id: 'show',
				label: t('Show everything'),
				modalHeader: t('Background job'),
				RenderModal: ({ items }) => (items[0] ? <JobDetails job={asJob(items[0])} /> : <></>),
			},
		],
		canRemove: (item) => asJob(item).can_cancel,
		getItemPath: () => null,
		addPath: null,
	};
}

function asJob(item: Item): BackgroundJob {
	return item as unknown as BackgroundJob;
}

function StateCell({ job }: { job: BackgroundJob }) {
	return (
		<div>
			<span className={`job-state job-${job.state}`}>{describeState(job)}</span>
			{job.state === 'running' && job.progress && (
				<ProgressBar progress={job.progress} label={describeKind(job.kind)} />
			)}
		</div>
	);
}

function ErrorCell({ text }: { text: string }) {
	return text ? (
		<span className="job-error" title={text}>
			{text}
		</span>
	) : (
		<></>
	);
}

function describeMoment(name: 'due_gmt' | 'created_gmt' | 'started_gmt' | 'finished_gmt') {
	return {
		enableSorting: false,
		render: ({ item }: { item: Item }) => {
			const text = asJob(item)[name];
			return text ? (
				<time dateTime={`${text}Z`} title={formatTime(parseGmt(text))}>
					{formatAge(parseGmt(text))}
				</time>
			) : (
				<></>
			);
		},
	};
}
