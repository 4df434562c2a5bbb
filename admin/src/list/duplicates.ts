/** Copies of records: a new draft with the texts, the terms and the fields of another. */
import { request } from '../api/client';
import { fetchDeclaration } from '../api/declarations';
import { listFieldNames, pickValues, sendAllowedFields, type Values } from '../api/field-values';
import { getCollectionPath, type ContentType, type Taxonomy } from '../app/content-types';
import { sprintf, t } from '../app/i18n';
import { readText, type Item } from './collection';

/** Members of a record that its copy has too; not its address, its date, and whether it stays on top. */
const COPIED_MEMBERS = [
	'content',
	'excerpt',
	'author',
	'featured_media',
	'comment_status',
	'ping_status',
	'format',
	'template',
	'password',
	'parent',
	'menu_order',
];
/** What search engines are told of a record holds for its copy, but not where that is found. */
const COPIED_SEO = ['title', 'description', 'noindex', 'nofollow', 'image', 'og_title', 'og_description'];

/** Make a copy of a record as a draft and return it. taxonomies: of the site. */
export async function duplicateRecord(
	type: ContentType,
	taxonomies: readonly Taxonomy[],
	id: number,
	language: string,
): Promise<Item> {
	const path = getCollectionPath(type);
	const record = `${path}/${String(id)}`;
	const [whole, { seo }, declaration] = await Promise.all([
		request<Item>(record, { query: { context: 'edit' }, language }),
		// Shown only to who asks for it.
		request<{ seo?: Values }>(record, { query: { context: 'edit', _fields: 'seo' }, language }),
		fetchDeclaration(path),
	]);
	const own = taxonomies.filter(({ types }) => types.includes(type.slug)).map(({ rest_base }) => rest_base);
	const meta = pickValues(whole['meta'], listFieldNames(declaration));
	const body = {
		...pickValues(whole, [...COPIED_MEMBERS, ...own]),
		...(seo ? { seo: pickValues(seo, COPIED_SEO) } : {}),
		status: 'draft',
		title: sprintf(t('%s (copy)'), readText(whole['title'])),
	};
	return sendAllowedFields(meta, (allowed) =>
		request<Item>(path, { method: 'POST', language, body: { ...body, meta: allowed } }),
	);
}
