/** The content types and taxonomies of the site, as the interface declares them. */
import { useMemo } from 'react';

import { useResource } from '../api/collections';
import { boot, canFor } from './boot';
import { translateKind } from './kind-labels';

export interface ContentType {
	slug: string;
	name: string;
	description: string;
	hierarchical: boolean;
	viewable: boolean;
	icon: string | null;
	labels: Record<string, string | null>;
	capabilities: Record<string, string>;
	supports: Record<string, unknown>;
	taxonomies: string[];
	rest_base: string;
	rest_namespace: string;
	visibility: { show_ui: boolean; show_in_nav_menus: boolean };
	template_lock: string | false;
}

export interface Taxonomy {
	slug: string;
	name: string;
	hierarchical: boolean;
	labels: Record<string, string | null>;
	capabilities: Record<string, string>;
	types: string[];
	rest_base: string;
	rest_namespace: string;
	visibility: { show_ui: boolean };
}

/** Types with screens of their own, which the general list of content leaves out. */
const TYPES_ELSEWHERE = new Set([
	'attachment',
	'nav_menu_item',
	'wp_block',
	'wp_template',
	'wp_template_part',
	'wp_global_styles',
	'wp_navigation',
	'wp_font_family',
	'wp_font_face',
	'product',
]);

const NOTHING: never[] = [];

/** Whether the person may write records of any type, without which the interface tells nothing of types for editing. */
function writes(): boolean {
	const names = [...Object.keys(boot.user.capabilities), ...boot.user.grants.flatMap((one) => one.capabilities)];
	return names.some((name) => name.startsWith('edit_'));
}

/** Return the path of a type's or a taxonomy's collection. */
export function getCollectionPath(one: { rest_base: string; rest_namespace: string }): string {
	return `/${one.rest_namespace}/${one.rest_base}`;
}

export function useContentTypes(): ContentType[] | undefined {
	const { value } = useResource<Record<string, ContentType>>(writes() ? '/wp/v2/types' : null, { context: 'edit' });
	return useMemo(() => (writes() ? value && Object.values(value).map(translateKind) : NOTHING), [value]);
}

export function useContentType(slug: string): ContentType | undefined {
	return useContentTypes()?.find((one) => one.slug === slug);
}

/** Return the types that the person writes in lists and editors. */
export function selectWritableTypes(types: ContentType[]): ContentType[] {
	return types.filter(
		(one) =>
			!TYPES_ELSEWHERE.has(one.slug) &&
			one.visibility.show_ui &&
			canFor(one.slug, one.capabilities['edit_posts'] ?? ''),
	);
}

export function useTaxonomies(): Taxonomy[] | undefined {
	const { value } = useResource<Record<string, Taxonomy>>(writes() ? '/wp/v2/taxonomies' : null, { context: 'edit' });
	return useMemo(
		() =>
			writes()
				? value &&
					Object.values(value)
						.filter((one) => one.visibility.show_ui)
						.map(translateKind)
				: NOTHING,
		[value],
	);
}
