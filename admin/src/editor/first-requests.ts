/**
 * What the editors ask for as they open, in their words; found by watching them.
 *
 * A line that is missing costs a request later, one that is too much a request for nothing: nothing breaks.
 */
import { getCollectionPath, type ContentType } from '../app/content-types';
import { prefetch } from './prefetch';

const SITE_FIELDS =
	'description,gmt_offset,home,image_max_bit_depth,image_sizes,image_size_threshold,image_strip_meta,name,site_icon,' +
	'site_icon_url,site_logo,timezone_string,url,page_for_posts,page_on_front,show_on_front';

/** Of both editors. */
const FIRST_REQUESTS: readonly string[] = [
	'/wp/v2/themes?context=edit&status=active',
	'/wp/v2/types?context=view',
	'OPTIONS /wp/v2/settings',
	`/?_fields=${encodeURIComponent(SITE_FIELDS)}`,
	'/wp/v2/settings',
	'OPTIONS /wp/v2/media',
	'OPTIONS /wp/v2/pages',
	'/wp/v2/block-patterns/categories',
];

/** Ask at once for what the site editor will ask for. */
export function prefetchSite(language: string): void {
	prefetch(FIRST_REQUESTS, language);
}

/** Ask at once for what the post editor will ask for. */
export function prefetchRecord(type: ContentType, id: number, language: string): void {
	const collection = getCollectionPath(type);
	const record = `${collection}/${String(id)}`;
	const requests = [
		`${record}?context=edit`,
		...FIRST_REQUESTS,
		`/wp/v2/types/${type.slug}?context=edit`,
		'/wp/v2/taxonomies?context=edit',
		'/wp/v2/users/me',
		'OPTIONS /wp/v2/templates',
		`OPTIONS ${collection}`,
		...('autosave' in type.supports ? [`${record}/autosaves?context=edit`] : []),
	];
	prefetch(requests, language);
}
