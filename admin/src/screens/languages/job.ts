/** Translation jobs as the interface tells of them, and what can be done with one. */
import { request, type Query } from '../../api/client';
import { boot, managesTranslation } from '../../app/boot';
import { t, tx } from '../../app/i18n';
import { forgetTranslators } from './translators';

export const JOBS_PATH = '/wpml/tm/v1/jobs';

export interface TranslationJob {
	/** Of its row; a second round has the same. */
	id: number;
	original_element_id: string;
	type: string;
	status: number;
	needs_update: boolean;
	review_status: string | null;
	language_codes: { source: string; target: string };
	languages: { source: string; target: string };
	translation_service: string;
	sent_date: string;
	deadline: string;
	element: { name: string; url: string; status: string; type?: { value: string; label: string } };
	translator_name: string;
	translator_id: number | '';
	is_ate_job: boolean;
	automatic: boolean;
	progress: string;
	batch: { id: number; name: string };
	extra_data: { icl_translate_job_id?: number };
	view_url: string;
}

export interface JobList {
	jobs: TranslationJob[];
	total: number;
}

const WAITING = 1;
const IN_PROGRESS = 2;
const READY = 4;
const DUPLICATE = 9;
const COMPLETE = 10;
const RETRY = 40;
const AT_AGENCY = 102;
const REVIEWS = ['NEEDS_REVIEW', 'EDITING'];

/** Return the number of a job itself, which a new round changes. */
export function getJobNumber(job: TranslationJob): number {
	return job.extra_data.icl_translate_job_id ?? job.id;
}

/** Return the state of a job as a person reads it. */
export function describeJobState(job: TranslationJob): string {
	const notes = [
		job.needs_update && t('the original has changed'),
		isInReview(job) && t('to be reviewed'),
		job.progress && job.progress.replace(/\D+$/, ' %'),
	].filter(Boolean);
	const state = STATES[job.status]?.() ?? String(job.status);
	return notes.length ? `${state} (${notes.join(', ')})` : state;
}

const STATES: Record<number, () => string> = {
	[WAITING]: () => tx('Waiting', 'translation job'),
	[IN_PROGRESS]: () => tx('In work', 'translation job'),
	[READY]: () => tx('Ready to be fetched', 'translation job'),
	[DUPLICATE]: () => tx('Copy of the original', 'translation job'),
	[COMPLETE]: () => tx('Done', 'translation job'),
	[RETRY]: () => tx('Failed', 'translation job'),
	[AT_AGENCY]: () => tx('At the agency', 'translation job'),
};

export function isInReview(job: TranslationJob): boolean {
	return REVIEWS.includes(job.review_status ?? '');
}

export function isMine(job: TranslationJob): boolean {
	return job.translator_id === boot.user.id;
}

export function isFree(job: TranslationJob): boolean {
	return job.status === WAITING && job.translator_id === '' && !job.automatic && !job.is_ate_job;
}

export function isFailed(job: TranslationJob): boolean {
	return job.status === RETRY;
}

/** Whether the person may write the translation of a job. */
export function isTranslatable(job: TranslationJob): boolean {
	return (
		[WAITING, IN_PROGRESS, RETRY, COMPLETE].includes(job.status) && (managesTranslation() || isMine(job) || isFree(job))
	);
}

/** Whether the person may give a job back. */
export function isResignable(job: TranslationJob): boolean {
	return [WAITING, IN_PROGRESS].includes(job.status) && isMine(job);
}

/** Whether a job can be called off. */
export function isCancellable(job: TranslationJob): boolean {
	return managesTranslation() && [WAITING, IN_PROGRESS, READY, RETRY, AT_AGENCY].includes(job.status);
}

/** Whether a job can be given to somebody. */
export function isAssignable(job: TranslationJob): boolean {
	return managesTranslation() && [WAITING, IN_PROGRESS, RETRY].includes(job.status) && job.type !== 'string';
}

export function takeJob(job: TranslationJob): Promise<TranslationJob> {
	return request(`${JOBS_PATH}/take`, { method: 'POST', body: { jobId: getJobNumber(job) } });
}

export function resignJob(job: TranslationJob): Promise<TranslationJob> {
	return request(`${JOBS_PATH}/resign`, { method: 'POST', body: { jobId: getJobNumber(job) } });
}

/** Give a job to an account. */
export async function assignJob(job: TranslationJob, translator: number): Promise<unknown> {
	const answer = await request(`${JOBS_PATH}/assign`, {
		method: 'POST',
		body: { jobId: getJobNumber(job), type: job.type, translatorId: translator },
	});
	forgetTranslators();
	return answer;
}

/** Accept a machine's translation as it is. */
export function acceptJob(job: TranslationJob): Promise<unknown> {
	return request(`${JOBS_PATH}/review`, {
		method: 'POST',
		body: { jobId: getJobNumber(job), review_status: 'ACCEPTED' },
	});
}

export function cancelJobs(jobs: TranslationJob[]): Promise<unknown> {
	return request(`${JOBS_PATH}/cancel`, { method: 'POST', body: jobs.map(({ id, type }) => ({ id, type })) });
}

/** Send again what could not be sent, of all jobs at once. */
export function retryJobs(): Promise<unknown> {
	return request('/wpml/tm/v1/ate/jobs/retry', { method: 'POST', body: {} });
}

export interface JobRequest {
	items: { type: string; id: number }[];
	target_languages: string[];
	sent_to?: string;
	deadline?: string;
	batch_name?: string;
	note?: string;
}

/** Make jobs, one for each thing and language. language: of the things. */
export async function createJobs(body: JobRequest, language: string): Promise<JobList> {
	const made = await request<JobList>(JOBS_PATH, { method: 'POST', body, language });
	forgetTranslators();
	return made;
}

/** Return the jobs of one thing into a language. */
export async function findJobs(
	element: string,
	id: number,
	target: string,
	query: Query = {},
): Promise<TranslationJob[]> {
	const { jobs } = await request<JobList>(JOBS_PATH, {
		query: { element_type: element, target_language: target, limit: 100, 'sorting[id]': 'desc', ...query },
	});
	return jobs.filter((job) => job.original_element_id === String(id));
}
