/** What the menu of the administration offers to the person, and the command palette with it. */
import { can, isMultilingual, translates } from './boot';
import { selectWritableTypes, useContentTypes, useTaxonomies } from './content-types';
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
		.filter(
			(one) =>
				can(one.capabilities['manage_terms'] ?? 'manage_categories') &&
				one.types.some((name) => writable.some((type) => type.slug === name)),
		)
		.map((one) => ({ to: `/records/${one.slug}`, label: one.labels['name'] ?? one.name }));
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
				...when(can('edit_theme_options'), '/records/fonts', t('Fonts')),
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
