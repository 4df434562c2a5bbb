/** Names of members and values as a person reads them. */
import { t, tx } from '../app/i18n';
import { labelLocale } from '../app/locales';
import type { Schema } from '../api/declarations';

const NAMES: Record<string, () => string> = {
	title: () => t('Title'),
	name: () => t('Name'),
	slug: () => t('Slug'),
	status: () => t('Status'),
	author: () => t('Author'),
	date: () => t('Date'),
	modified: () => t('Changed'),
	parent: () => t('Parent'),
	description: () => t('Description'),
	excerpt: () => t('Excerpt'),
	content: () => t('Text'),
	categories: () => t('Categories'),
	tags: () => t('Tags'),
	format: () => t('Format'),
	featured_media: () => t('Featured image'),
	sticky: () => t('Stays on top'),
	template: () => t('Template'),
	password: () => t('Password'),
	lang: () => t('Language'),
	translations: () => t('Translations'),
	email: () => t('E-mail address'),
	username: () => t('User name'),
	first_name: () => t('First name'),
	last_name: () => t('Last name'),
	nickname: () => t('Nickname'),
	roles: () => t('Roles'),
	locale: () => t('Language of the administration'),
	registered_date: () => t('Since'),
	url: () => t('Website'),
	count: () => t('Uses'),
	author_name: () => t('Name of the author'),
	author_email: () => t('E-mail of the author'),
	author_url: () => t('Website of the author'),
	post: () => t('On'),
	source: () => t('From'),
	target: () => t('To'),
	language: () => t('Language'),
	active: () => t('Active'),
	origin: () => t('Made by'),
	hits: () => t('Hits'),
	last_hit_gmt: () => t('Last hit'),
	menu_order: () => t('Order'),
	comment_status: () => t('Comments'),
	ping_status: () => t('Pings'),
	wp_pattern_category: () => t('Categories'),
	wp_pattern_sync_status: () => t('Kind of pattern'),
	alt_text: () => t('Alternative text'),
	caption: () => t('Caption'),
	mime_type: () => t('Kind of file'),
	media_type: () => t('Kind'),
};

const VALUES: Record<string, () => string> = {
	publish: () => tx('Published', 'status'),
	future: () => tx('Scheduled', 'status'),
	draft: () => tx('Draft', 'status'),
	pending: () => tx('Pending review', 'status'),
	private: () => tx('Private', 'status'),
	trash: () => tx('In the trash', 'status'),
	inherit: () => tx('In use', 'status'),
	approved: () => tx('Approved', 'comment status'),
	hold: () => tx('Waiting', 'comment status'),
	spam: () => tx('Spam', 'comment status'),
	unsynced: () => tx('Copied where it is used', 'pattern'),
	partial: () => tx('Synced, with texts of its own', 'pattern'),
	open: () => tx('Open', 'comments'),
	closed: () => tx('Closed', 'comments'),
	manual: () => tx('A person', 'origin of a redirect'),
	slug: () => tx('A changed slug', 'origin of a redirect'),
	administrator: () => tx('Administrator', 'role'),
	editor: () => tx('Editor', 'role'),
	author: () => tx('Author', 'role'),
	contributor: () => tx('Contributor', 'role'),
	subscriber: () => tx('Subscriber', 'role'),
	translator: () => tx('Translator', 'role'),
	shop_manager: () => tx('Shop manager', 'role'),
	customer: () => tx('Customer', 'role'),
};

/** Return the label of a member of a record. */
export function labelMember(name: string, schema?: Schema): string {
	return schema?.title ?? NAMES[name]?.() ?? humanize(name);
}

/**
 * Return the sentence beneath a control, undefined for none.
 *
 * What the interface says of a member that has a name here is written for programs, and in English.
 */
export function describeMember(name: string, schema: Schema): string | undefined {
	return name in NAMES ? undefined : schema.description;
}

/** Return the label of a value of a member that has few. */
export function labelChoice(member: string, value: unknown): string {
	if (member === 'locale') {
		return value ? labelLocale(String(value as string)) : t('As the site');
	}
	return labelValue(value);
}

/** Return the label of a value of an enumeration. */
export function labelValue(value: unknown): string {
	if (value === '' || value === null) {
		return t('None');
	}
	const text = String(value as string | number);
	return VALUES[text]?.() ?? humanize(text);
}

function humanize(name: string): string {
	const words = name.replace(/[_-]+/g, ' ').trim();
	return words.charAt(0).toUpperCase() + words.slice(1);
}
