/** The rights that a role can give, as a person reads them: in groups, each with a sentence. */
import { t, tx } from '../../app/i18n';

/** A right as the interface lists it. */
export interface Capability {
	name: string;
	description: string;
	types: string[];
	/** Whether a role can limit it to some content. */
	limitable: boolean;
	/** Whether the person has it, and so may give it. */
	yours: boolean;
}

interface NamedCapability extends Capability {
	label: string;
}

export interface CapabilityGroup {
	label: string;
	/** What is about some content types. */
	types: string[];
	items: NamedCapability[];
}

/** Rights on records, by the name that those on posts have. */
const ON_RECORDS: Record<string, () => string> = {
	edit_posts: () => t('Write, and change the own ones until they are published'),
	edit_published_posts: () => t('Change the own ones that are published'),
	edit_others_posts: () => t('Change those of others'),
	publish_posts: () => t('Publish and schedule'),
	edit_private_posts: () => t('Change private ones of others'),
	read_private_posts: () => t('Read private ones of others'),
	delete_posts: () => t('Remove the own ones until they are published'),
	delete_published_posts: () => t('Remove the own ones that are published'),
	delete_others_posts: () => t('Remove those of others'),
	delete_private_posts: () => t('Remove private ones of others'),
};

const GROUPS: { label: () => string; items: Record<string, () => string> }[] = [
	{
		label: () => t('Around the content'),
		items: {
			read: () => t('Sign in, and read what the public reads'),
			upload_files: () => t('Upload pictures and files, and change the own ones'),
			manage_categories: () => t('Add, change and remove categories and tags'),
			moderate_comments: () => t('Approve, change and remove comments'),
			translate: () => t('Take translations and return them'),
			manage_translations: () => t('Send out translations, and say who translates what'),
			unfiltered_html: () => t('Write any markup, scripts included: only for those whom you trust with the whole site'),
		},
	},
	{
		label: () => t('Shop'),
		items: {
			manage_shop: () => t('Run the shop: orders, products, coupons, payments and its settings'),
			view_shop_reports: () => t('Read the reports of the shop'),
			create_customers: () => t('Add customers'),
		},
	},
	{
		label: () => t('People'),
		items: {
			list_users: () => t('See all accounts'),
			create_users: () => t('Add accounts'),
			edit_users: () => t('Change accounts, their passwords included'),
			promote_users: () => t('Say which roles an account has'),
			delete_users: () => t('Remove accounts, and answer requests about personal data'),
		},
	},
	{
		label: () => t('Site'),
		items: {
			manage_options: () => t('Change the settings of the site, and run the server'),
			edit_theme_options: () => t('Design the site: menus, templates, widgets'),
			switch_themes: () => t('Choose the theme'),
			import: () => t('Bring content in from a file'),
			export: () => t('Take the content of the site along in a file'),
			activate_plugins: () => t('Switch parts of the server on and off'),
			edit_dashboard: () => t('Arrange the first page of the administration'),
		},
	},
];

/** Return the groups of the rights that there are; what has no sentence here is in the last one. */
export function groupCapabilities(all: readonly Capability[]): CapabilityGroup[] {
	const byName = new Map(all.map((one) => [one.name, one]));
	const seen = new Set<string>();
	const take = (names: [string, () => string][]): NamedCapability[] =>
		names.flatMap(([name, label]) => {
			const one = byName.get(name);
			seen.add(name);
			return one ? [{ ...one, label: label() }] : [];
		});
	const onRecords = ['posts', 'pages'].map((noun) => ({
		label: noun === 'pages' ? t('Pages') : t('Posts and what is written like them'),
		types: byName.get(`edit_${noun}`)?.types ?? [],
		items: take(Object.entries(ON_RECORDS).map(([name, label]) => [name.replace('posts', noun), label])),
	}));
	const named = GROUPS.map(({ label, items }) => ({ label: label(), types: [], items: take(Object.entries(items)) }));
	const others = all.filter((one) => !seen.has(one.name)).map((one) => ({ ...one, label: one.name }));
	return [...onRecords, ...named, { label: tx('Others', 'rights'), types: [], items: others }].filter(
		(one) => one.items.length > 0,
	);
}
