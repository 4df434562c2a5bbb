/** A background job as the interface tells of it, and in words. */
import { formatNumber } from '../../app/formats';
import { sprintf, t, tx } from '../../app/i18n';

export const JOBS_PATH = '/wp/v2/jobs';

export interface Progress {
	step: string;
	done: number;
	of: number;
}

export interface BackgroundJob {
	id: number;
	kind: string;
	state: 'waiting' | 'running' | 'done' | 'failed';
	attempts: number;
	max_attempts: number;
	error: string;
	arguments: Record<string, unknown>;
	progress: Progress | null;
	can_retry: boolean;
	can_cancel: boolean;
	due_gmt: string;
	created_gmt: string;
	started_gmt: string | null;
	finished_gmt: string | null;
}

const KINDS: Record<string, () => string> = {
	publish: () => t('Publish a scheduled record'),
	'texts.render': () => t('Render texts again'),
	'fields.index': () => t('Index own fields'),
	'content.feed': () => t('Fetch a feed'),
	'content.comment_mail': () => t('Tell by mail of a comment'),
	'access.account_mail': () => t('Send a mail about an account'),
	'access.account_notice': () => t('Warn an account by mail'),
	'access.lost_password': () => t('Send a link for a new password'),
	'access.registration': () => t('Answer a registration'),
	'access.export_personal_data': () => t('Collect personal data'),
	'access.erase_personal_data': () => t('Erase personal data'),
	'site.backup': () => t('Make a backup'),
	'site.check': () => t('Check the stored data'),
	'site.import': () => t('Bring a site in'),
	'site.comparison': () => t('Compare this site with another'),
	'site.deliver': () => t('Tell a webhook'),
	'mlang.send': () => t('Send a translation job out'),
	'mlang.call_off': () => t('Call a translation job off'),
	'mlang.fill': () => t('Begin a translation by machine'),
	'mlang.mail': () => t('Tell translators by mail'),
	'shop.mail': () => t('Send a mail of the shop'),
	'shop.deliver': () => t('Tell a webhook of the shop'),
	'shop.cancel_unpaid': () => t('Cancel unpaid orders'),
	'shop.catalogue_file': () => t('Write a file of the catalogue'),
	'shop.modules': () => t('Switch parts of the shop on'),
	'shop.payment': () => t('Settle a payment'),
	'shop.delete_payment_reports': () => t('Delete old reports of payments'),
	'shop.thumbnails': () => t('Make pictures of products'),
	'product.sale': () => t('Begin or end a sale'),
	'analytics.check_categories': () => t('Check the sums by category'),
	'analytics.export': () => t('Write a report into a file'),
	'analytics.rebuild': () => t('Build the reports again'),
	'analytics.sum_products': () => t('Sum up products'),
	'connector.heartbeat': () => t('Tell the connected service that the site is there'),
	'connector.send': () => t('Send to the connected service'),
};

/** Return what a kind of job does; the program's own name where it has none for people. */
export function describeKind(kind: string): string {
	return KINDS[kind]?.() ?? kind;
}

export function describeState(job: Pick<BackgroundJob, 'state' | 'attempts'>): string {
	switch (job.state) {
		case 'waiting':
			return job.attempts > 0 ? t('Waits for another try') : tx('Waiting', 'state of a job');
		case 'running':
			return tx('Running', 'state of a job');
		case 'done':
			return tx('Done', 'state of a job');
		case 'failed':
			return tx('Given up', 'state of a job');
	}
}

/** Return how far a job is, in words. */
export function describeProgress({ step, done, of }: Progress): string {
	const name = step === 'database' ? t('Database') : step === 'files' ? t('Files') : step;
	return of > 0
		? sprintf(t('%1$s: %2$s of %3$s'), name, formatNumber(done), formatNumber(of))
		: sprintf(t('%1$s: %2$s'), name, formatNumber(done));
}
