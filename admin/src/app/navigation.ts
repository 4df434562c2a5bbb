/** What the menu of the administration offers to the person, and the command palette with it. */
import { boot, can, canSomewhere, isMultilingual, managesTranslation, translates } from './boot';
import { selectWritableTypes, useContentTypes, useTaxonomies, type ContentType, type Taxonomy } from './content-types';
import { t, tx } from './i18n';

export interface NavigationItem {
	to: string;
	label: string;
	items?: NavigationItem[];
}

export interface NavigationSection {
	label: string;
	items: NavigationItem[];
}

/** The content type of what is sold. */
const PRODUCT = 'product';

/** Return the sections of the menu; what the person has no right to is left out. */
export function useNavigation(): NavigationSection[] {
	const types = useContentTypes();
	const taxonomies = useTaxonomies();
	const writable = types ? selectWritableTypes(types) : [];
	const content = writable.map((type) => ({ to: `/content/${type.slug}`, label: type.labels['name'] ?? type.name }));
	const productTerms = (taxonomies ?? []).filter((one) => one.types.includes(PRODUCT) && can('manage_shop'));
	const terms = (taxonomies ?? [])
		.filter((one) => can('manage_categories') && one.types.some((name) => writable.some((type) => type.slug === name)))
		.map((one) => ({ to: `/records/${one.slug}`, label: labelTaxonomy(one, taxonomies ?? [], writable) }));
	const sections: (NavigationSection & { shown?: boolean })[] = [
		{
			label: t('Content'),
			items: [
				...content,
				...when(canSomewhere('upload_files'), '/media', t('Media')),
				...when(can('moderate_comments') || canSomewhere('edit_posts'), '/records/comments', t('Comments')),
			],
		},
		{
			label: t('Shop'),
			items: boot.modules.includes('shop')
				? [
						...when(can('manage_shop'), '/orders', t('Orders')),
						...when(can('manage_shop') && can('list_users'), '/customers', t('Customers')),
						...when(can('manage_shop'), '/products', t('Products')),
						...productTerms.map((one) => ({
							to: `/records/${one.slug}`,
							label: labelTaxonomy(one, taxonomies ?? [], types ?? []),
						})),
						...when(can('manage_shop'), '/attributes', t('Attributes')),
						...when(can('manage_shop'), '/coupons', t('Coupons')),
						...when(can('manage_shop'), '/taxes', t('Taxes')),
						...when(can('manage_shop'), '/shipping', t('Shipping')),
						...when(can('manage_shop'), '/shop-settings/general', t('Settings of the shop')),
					]
				: [],
		},
		{
			label: t('Structure'),
			items: [
				...terms,
				...when(can('edit_theme_options'), '/menus', t('Menus')),
				...when(can('manage_options'), '/records/redirects', t('Redirects')),
			],
		},
		{
			label: t('Design'),
			items: [
				...when(can('edit_theme_options'), '/site', t('Site editor')),
				...when(
					can('edit_posts') && Boolean(types?.some((one) => one.slug === 'wp_block')),
					'/records/patterns',
					t('Patterns'),
				),
				...when(can('edit_theme_options'), '/fonts', t('Fonts')),
			],
		},
		{
			label: t('Languages'),
			items: isMultilingual
				? [
						...when(translates(), '/languages', t('Translations')),
						...when(can('manage_options'), '/languages/strings', t('Strings')),
						...when(managesTranslation(), '/records/glossary', t('Glossary')),
					]
				: [],
		},
		{
			label: t('Reports'),
			items: can('view_shop_reports') ? listReports() : [],
		},
		{
			label: t('Site'),
			items: [
				// Whoever lists customers alone, as a shop manager does, has them under the shop.
				...when(can('list_users') && can('promote_users'), '/records/users', t('People')),
				...when(can('promote_users') && can('manage_options'), '/records/roles', t('Roles')),
				{ to: '/profile', label: tx('Profile', 'account') },
				...when(can('manage_options'), '/settings', t('Settings')),
			],
		},
		{
			label: t('Server'),
			items: can('manage_options')
				? [
						{ to: '/health', label: t('Health') },
						{ to: '/site-profile', label: t('Profile of the site') },
						{ to: '/jobs', label: t('Background jobs') },
						...when(can('list_users'), '/audit', t('Audit trail')),
						{ to: '/backups', label: t('Backups') },
						{ to: '/moving', label: t('Import and comparison') },
						{ to: '/records/webhooks', label: t('Webhooks') },
						...when(boot.modules.includes('shop'), '/records/shop-webhooks', t('Webhooks of the shop')),
						...when(boot.modules.includes('connector'), '/connector', t('Connector')),
					]
				: [],
		},
	];
	return sections.filter((one) => one.items.length > 0);
}

/** The reports of the shop; what each is: screens/reports/reports.ts. */
function listReports(): NavigationItem[] {
	return [
		{ to: '/reports', label: t('Overview') },
		{ to: '/reports/revenue', label: t('Revenue') },
		{ to: '/reports/orders', label: t('Orders') },
		{ to: '/reports/products', label: t('Products') },
		{ to: '/reports/variations', label: t('Variations') },
		{ to: '/reports/categories', label: t('Categories') },
		{ to: '/reports/coupons', label: t('Coupons') },
		{ to: '/reports/taxes', label: t('Taxes') },
		{ to: '/reports/customers', label: t('Customers') },
		{ to: '/reports/stock', label: t('Stock') },
		{ to: '/reports/downloads', label: t('Downloads') },
	];
}

function when(allowed: boolean, to: string, label: string): NavigationItem[] {
	return allowed ? [{ to, label }] : [];
}

/** Return a taxonomy's name; where another has the same, with the type that it sorts. */
function labelTaxonomy(taxonomy: Taxonomy, all: Taxonomy[], types: ContentType[]): string {
	const name = taxonomy.labels['name'] ?? taxonomy.name;
	const isShared = all.some((one) => one !== taxonomy && (one.labels['name'] ?? one.name) === name);
	const type = types.find((one) => taxonomy.types.includes(one.slug));
	return isShared && type ? `${name} (${type.labels['name'] ?? type.name})` : name;
}
