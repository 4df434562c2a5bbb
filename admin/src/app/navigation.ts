/** What the menu of the administration offers to the person, and the command palette with it. */
import { can, isMultilingual, translates } from './boot';
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

/** Return the sections of the menu; what the person has no right to is left out. */
export function useNavigation(): NavigationSection[] {
	const types = useContentTypes();
	const taxonomies = useTaxonomies();
	const writable = types ? selectWritableTypes(types) : [];
	const content = writable.map((type) => ({ to: `/content/${type.slug}`, label: type.labels['name'] ?? type.name }));
	const terms = (taxonomies ?? [])
		.filter((one) => can('manage_categories') && one.types.some((name) => writable.some((type) => type.slug === name)))
		.map((one) => ({ to: `/records/${one.slug}`, label: labelTaxonomy(one, taxonomies ?? [], writable) }));
	const sections: (NavigationSection & { shown?: boolean })[] = [
		{
			label: t('Content'),
			items: [
				...content,
				...when(can('upload_files'), '/media', t('Media')),
				...when(can('moderate_comments') || can('edit_posts'), '/records/comments', t('Comments')),
			],
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
					]
				: [],
		},
		{
			label: t('Site'),
			items: [
				...when(can('list_users'), '/records/users', t('People')),
				{ to: '/profile', label: tx('Profile', 'account') },
				...when(can('manage_options'), '/settings', t('Settings')),
			],
		},
	];
	return sections.filter((one) => one.items.length > 0);
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
