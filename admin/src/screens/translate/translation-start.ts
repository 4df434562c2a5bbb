/** What a new translation begins with besides its texts: image, place in the tree, terms in its own language. */
import { request, requestPage } from '../../api/client';
import { can } from '../../app/boot';
import { getCollectionPath, type ContentType, type Taxonomy } from '../../app/content-types';
import { readText, type Item } from '../../list/collection';

/** A term that has no translation yet. */
export interface TermTexts {
	id: number;
	name: string;
	taxonomy: Taxonomy;
}

export interface OriginalTerms {
	missing: TermTexts[];
	/** By the name of the member: the terms of the original in the other language. */
	translated: Record<string, number[]>;
	/** Numbers of the terms that were made here, by those of the original; a second attempt makes none again. */
	made: Map<number, number>;
}

type Translations = Record<string, { id: number }> | undefined;

const MAX_TERMS = 100;
/** Members that are the same in every language. */
const COPIED = ['template', 'menu_order', 'format', 'comment_status', 'ping_status', 'author'];

/** Read the terms of a record, and which of them are there in another language. */
export async function readTerms(taxonomies: Taxonomy[], original: Item, to: string): Promise<OriginalTerms> {
	const out: OriginalTerms = { missing: [], translated: {}, made: new Map() };
	await Promise.all(
		taxonomies.map(async (taxonomy) => {
			const ids = (original[taxonomy.rest_base] as number[] | undefined) ?? [];
			if (!ids.length) {
				return;
			}
			const { items } = await requestPage<Item>(getCollectionPath(taxonomy), {
				query: { include: ids, per_page: MAX_TERMS, _fields: 'id,name,lang,translations' },
				language: String(original['lang']),
			});
			const mayAdd = can('manage_categories');
			for (const term of items) {
				const there = term['lang'] ? (term['translations'] as Translations)?.[to]?.id : Number(term.id);
				if (there !== undefined) {
					(out.translated[taxonomy.rest_base] ??= []).push(there);
				} else if (mayAdd) {
					out.missing.push({ id: Number(term.id), name: readText(term['name']), taxonomy });
				}
			}
		}),
	);
	return out;
}

/** Make the terms that were translated; returns their numbers by the name of the member. */
export async function createTerms(
	{ missing, made }: OriginalTerms,
	texts: Record<string, string>,
	from: string,
	to: string,
): Promise<Record<string, number[]>> {
	const out: Record<string, number[]> = {};
	for (const { id, taxonomy } of missing) {
		const name = texts[`term-${String(id)}`]?.trim();
		if (!name) {
			continue;
		}
		let number = made.get(id);
		if (number === undefined) {
			const term = await request<Item>(getCollectionPath(taxonomy), {
				method: 'POST',
				body: { name, lang: to, translations: { [from]: id } },
				language: to,
			});
			number = Number(term.id);
			made.set(id, number);
		}
		(out[taxonomy.rest_base] ??= []).push(number);
	}
	return out;
}

/** Return the members that a translation has besides its texts. */
export async function buildStart(
	type: ContentType,
	taxonomies: Taxonomy[],
	original: Item,
	translation: Item | null,
	{ translated }: OriginalTerms,
	created: Record<string, number[]>,
	to: string,
): Promise<Record<string, unknown>> {
	const body: Record<string, unknown> = {};
	for (const { rest_base: name } of taxonomies) {
		const before = translation ? ((translation[name] as number[] | undefined) ?? []) : (translated[name] ?? []);
		if (!translation || created[name]) {
			body[name] = [...new Set([...before, ...(created[name] ?? [])])];
		}
	}
	if (translation) {
		return body;
	}
	for (const name of COPIED) {
		if (original[name] !== undefined) {
			body[name] = original[name];
		}
	}
	const image = Number(original['featured_media'] ?? 0);
	if (image) {
		body['featured_media'] = (await findTranslation('/wp/v2/media', image, to)) ?? image;
	}
	const parent = Number(original['parent'] ?? 0);
	const there = parent ? await findTranslation(getCollectionPath(type), parent, to) : undefined;
	if (there) {
		body['parent'] = there;
	}
	return body;
}

async function findTranslation(path: string, id: number, to: string): Promise<number | undefined> {
	const { translations } = await request<{ translations?: Translations }>(`${path}/${String(id)}`, {
		query: { _fields: 'translations' },
	});
	return translations?.[to]?.id;
}
