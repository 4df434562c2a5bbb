/** An import and a comparison as the interface tells of them, and in words. */
import { formatDuration, formatNumber, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import type { Progress } from '../jobs/job';

export const IMPORT_PATH = '/wp/v2/site-import';
export const COMPARISON_PATH = '/wp/v2/site-comparison';
/** Milliseconds between two looks while a job runs. */
export const PAUSE = 1000;

export interface TransferState {
	job: number;
	running: boolean;
	started_gmt: string | null;
	finished_gmt: string | null;
	progress: Progress | null;
	outcome: '' | 'done' | 'stopped' | 'failed';
	reason: string;
}

export interface Credentials {
	login: string;
	password: string;
	shop_key: string;
	shop_secret: string;
}

export const NO_CREDENTIALS: Credentials = { login: '', password: '', shop_key: '', shop_secret: '' };

export type Ids = 'auto' | 'keep' | 'map';

export interface ImportPlan {
	address: string;
	file: string;
	login: string;
	dry_run: boolean;
	files: boolean;
	ids: Ids;
	author: string;
}

export interface ImportCounts {
	resource: string;
	created: number;
	updated: number;
	unchanged: number;
	found: number;
	skipped: number;
}

export interface ImportResult {
	title: string;
	keep_ids: boolean;
	seconds: number;
	resources: ImportCounts[];
	skipped: { resource: string; id: string; reason: string }[];
	left_out: { resource: string; reason: string }[];
	notes: { text: string; records: number }[];
	accounts_without_password: string[];
}

export interface ImportState extends TransferState {
	plan: ImportPlan | null;
	result: ImportResult | null;
	file: { name: string; size: number; date_gmt: string } | null;
	most_bytes: number;
}

export interface RecordDifference {
	resource: string;
	here: string;
	there: string;
	label: string;
	only: '' | 'here' | 'there';
	members: { member: string; here: string; there: string }[];
}

export interface ComparedCollection {
	resource: string;
	same: number;
	differing: number;
	only_here: number;
	only_there: number;
	not_compared: string;
}

export interface ComparisonState extends TransferState {
	address: string;
	login: string;
	result: {
		agrees: boolean;
		collections: ComparedCollection[];
		differences: RecordDifference[];
		unreadable: number;
	} | null;
}

const NAMES: Record<string, () => string> = {
	users: () => t('People'),
	posts: () => t('Posts'),
	pages: () => t('Pages'),
	categories: () => t('Categories'),
	tags: () => t('Tags'),
	blocks: () => t('Patterns'),
	strings: () => t('Strings'),
	media: () => t('Media'),
	comments: () => t('Comments'),
	menus: () => t('Menus'),
	settings: () => t('Settings'),
	redirects: () => t('Redirects'),
	products: () => t('Products'),
	orders: () => t('Orders'),
	customers: () => t('Customers'),
	coupons: () => t('Coupons'),
	taxes: () => t('Taxes'),
	variations: () => t('Variations'),
	webhooks: () => t('Webhooks'),
	reports: () => t('Reports'),
};

/** Return what a collection is called; from the last part of its path where it has no name for people. */
export function nameCollection(resource: string): string {
	const last = resource.split('/').at(-1) ?? resource;
	const words = last.replaceAll(/[-_]/g, ' ');
	return NAMES[last]?.() ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Return how far a job is: what is done, what is left, and about how long that takes. */
export function describeRest({ progress, started_gmt }: TransferState, now: Date): string {
	if (!progress) {
		return t('It begins.');
	}
	const name = nameCollection(progress.step);
	if (progress.of === 0) {
		return name ? sprintf(t('%1$s read (%2$s)'), formatNumber(progress.done), name) : t('It begins.');
	}
	const left = Math.max(0, progress.of - progress.done);
	const counts = [formatNumber(progress.done), formatNumber(progress.of), formatNumber(left)] as const;
	const passed = started_gmt ? (now.getTime() - parseGmt(started_gmt).getTime()) / 1000 : 0;
	if (progress.done < progress.of / 100 || passed < 3 || left === 0) {
		return sprintf(t('%1$s of %2$s done, %3$s left (%4$s)'), ...counts, name);
	}
	const rest = formatDuration((passed * left) / progress.done);
	return sprintf(t('%1$s of %2$s done, %3$s left, about %4$s (%5$s)'), ...counts, rest, name);
}
