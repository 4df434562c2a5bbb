/** Copies of records: a new draft with the texts, the terms and the fields of another. */
import { request, send } from '../api/client';
import { ApiError } from '../api/errors';
import { getCollectionPath, type ContentType, type Taxonomy } from '../app/content-types';
import { sprintf, t } from '../app/i18n';
import type { Schema } from '../editor/schema-fields/schema';
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

type Members = Record<string, unknown>;

/** Make a copy of a record as a draft and return it. taxonomies: of the site. */
export async function duplicateRecord(
	type: ContentType,
	taxonomies: readonly Taxonomy[],
	id: number,
	language: string,
): Promise<Item> {
	const path = getCollectionPath(type);
	const record = `${path}/${String(id)}`;
	const [whole, { seo }, declared] = await Promise.all([
		request<Item>(record, { query: { context: 'edit' }, language }),
		// Shown only to who asks for it.
		request<{ seo?: Members }>(record, { query: { context: 'edit', _fields: 'seo' }, language }),
		send(path, { method: 'OPTIONS' }).then((answer) => answer.json() as Promise<{ schema: Schema }>),
	]);
	const own = taxonomies.filter(({ types }) => types.includes(type.slug)).map(({ rest_base }) => rest_base);
	const meta = pick(whole['meta'], listMeta(declared.schema));
	const body = {
		...pick(whole, [...COPIED_MEMBERS, ...own]),
		...(seo ? { seo: pick(seo, COPIED_SEO) } : {}),
		status: 'draft',
		title: sprintf(t('%s (copy)'), readText(whole['title'])),
	};
	try {
		return await request<Item>(path, { method: 'POST', language, body: { ...body, meta } });
	} catch (error) {
		// Fields that are others' to write stay out of the copy.
		const refused = error instanceof ApiError && error.status === 403 ? Object.keys(error.params) : [];
		const allowed = Object.keys(meta).filter((name) => !refused.includes(`meta.${name}`));
		if (allowed.length === Object.keys(meta).length) {
			throw error;
		}
		return request<Item>(path, { method: 'POST', language, body: { ...body, meta: pick(meta, allowed) } });
	}
}

/** Return the names of a type's fields that can be written, without those of the server itself. */
function listMeta(schema: Schema): string[] {
	const fields = Object.entries(schema.properties?.['meta']?.properties ?? {});
	return fields.filter(([name, one]) => !one.readonly && !name.startsWith('_')).map(([name]) => name);
}

/** Return members of a value by their names, as they are written; those without a value are left out. */
function pick(value: unknown, names: readonly string[]): Members {
	const members = (value ?? {}) as Members;
	return Object.fromEntries(
		names
			.filter((name) => members[name] !== undefined && members[name] !== null)
			.map((name) => [name, write(members[name])]),
	);
}

/** Return a value as it is written: of a text with markup its source, within groups and lists as well. */
function write(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(write);
	}
	if (typeof value !== 'object' || value === null) {
		return value;
	}
	return 'raw' in value
		? value.raw
		: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, write(one)]));
}
