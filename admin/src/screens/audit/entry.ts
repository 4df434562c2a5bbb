/** An entry of the audit trail as the interface tells of it, and in words. */
import { sprintf, t, tx } from '../../app/i18n';

export const AUDIT_PATH = '/access/v1/audit-entries';

type Value = string | number | boolean | null | (string | number | boolean | null)[];

export interface MemberChange {
	member: string;
	old?: Value;
	new?: Value;
}

export interface AuditEntry {
	id: number;
	date_gmt: string;
	account: number;
	login: string;
	source: string;
	credential: string;
	address: string;
	agent: string;
	action: string;
	kind: string;
	item: string;
	title: string;
	changes: MemberChange[];
}

const ACTIONS: Record<string, () => string> = {
	created: () => tx('Made', 'action'),
	changed: () => tx('Changed', 'action'),
	removed: () => tx('Removed', 'action'),
	trashed: () => tx('Moved to the trash', 'action'),
	restored: () => tx('Restored', 'action'),
	published: () => tx('Published', 'action'),
	unpublished: () => tx('Unpublished', 'action'),
	used: () => tx('Used', 'action'),
	downloaded: () => tx('Downloaded', 'action'),
	blocked: () => t('Slowed after wrong guesses'),
};

const SOURCES: Record<string, () => string> = {
	nobody: () => t('nobody'),
	session: () => t('signed in on a page'),
	app_password: () => t('application password'),
	consumer_key: () => t('consumer key'),
	token: () => t('token'),
	service: () => t('outside service'),
	command: () => t('command on the server'),
	import: () => t('import'),
	job: () => t('the site itself'),
};

const KINDS: Record<string, () => string> = {
	user: () => t('Account'),
	session: () => t('Session'),
	app_password: () => t('Application password'),
	passkey: () => t('Passkey'),
	second_factor: () => t('Second factors'),
	identity: () => t('Sign-in with another service'),
	shop_key: () => t('Consumer key'),
	option: () => t('Setting'),
	webhook: () => t('Webhook'),
	role: () => t('Role'),
	order: () => t('Order'),
	coupon: () => t('Coupon'),
	comment: () => t('Comment'),
	backup: () => t('Backup'),
	site_import: () => t('Import'),
	theme: () => t('Theme'),
	preview_link: () => t('Link to a draft'),
	personal_data_request: () => t('Request about personal data'),
	redirect: () => t('Redirect'),
	tax_rate: () => t('Tax rate'),
	shipping: () => t('Shipping zone'),
};

interface Choice {
	value: string;
	label: string;
}

export function listActions(): Choice[] {
	return listChoices(ACTIONS);
}

export function listSources(): Choice[] {
	return listChoices(SOURCES);
}

/** Return the kinds that a filter offers; what is of others is found by searching for its item. */
export function listKinds(): Choice[] {
	return listChoices(KINDS);
}

function listChoices(names: Record<string, () => string>): Choice[] {
	return Object.entries(names).map(([value, describe]) => ({ value, label: describe() }));
}

export function describeAction(action: string): string {
	return ACTIONS[action]?.() ?? action;
}

export function describeSource(source: string): string {
	return SOURCES[source]?.() ?? source;
}

/** Return what a kind is called; the program's own name where it has none for people. */
export function describeKind(kind: string): string {
	return KINDS[kind]?.() ?? kind;
}

/** Return what was done to what, by the name that it had. */
export function describeItem({ kind, item, title }: AuditEntry): string {
	return title ? sprintf(t('%1$s: %2$s'), describeKind(kind), title) : `${describeKind(kind)} ${item}`;
}

export function describeWho({ login, source }: AuditEntry): string {
	return login || describeSource(source);
}

/** Return a change on one line: the member, and its values where they are told. */
export function describeChange(change: MemberChange): string {
	return 'new' in change
		? sprintf(t('%1$s: %2$s → %3$s'), change.member, describeValue(change.old), describeValue(change.new))
		: change.member;
}

function describeValue(value: Value | undefined): string {
	if (value === null || value === undefined || value === '') {
		return '–';
	}
	return Array.isArray(value) ? value.map(String).join(', ') : String(value);
}
