/** A record and its translation, read and written as records. */
import { request } from '../../api/client';
import { fetchDeclaration } from '../../api/declarations';
import { sendAllowedFields } from '../../api/field-values';
import { canFor, managesTranslation } from '../../app/boot';
import { getCollectionPath, type ContentType, type Taxonomy } from '../../app/content-types';
import { formatTime, parseGmt } from '../../app/formats';
import { sprintf, t, tn } from '../../app/i18n';
import { withContentLanguage } from '../../app/router';
import { readText, type Item } from '../../list/collection';
import { findJobs } from '../languages/job';
import { findFieldWork, type ReferredPaths } from './field-texts';
import { buildContent, listSegmentUnits, pairTexts, type PairedTexts } from './paired-texts';
import { buildStart, createTerms, readTerms, type TermTexts } from './translation-start';
import type { TranslationUnit, TranslationWork } from './translation-work';

const CONTEXT = { context: 'edit' };
const PUBLIC = ['publish', 'future', 'private'];

/** Read a record and what there is of its translation. */
export async function loadRecordWork(
	type: ContentType,
	types: ContentType[],
	taxonomies: Taxonomy[],
	id: number,
	to: string,
): Promise<TranslationWork> {
	const path = getCollectionPath(type);
	const original = await request<Item>(`${path}/${String(id)}`, { query: CONTEXT });
	const from = String(original['lang']);
	const known = (original['translations'] as Record<string, { id: number }> | undefined)?.[to];
	const own = taxonomies.filter((one) => one.types.includes(type.slug));
	const [declaration, translation, terms, outdated] = await Promise.all([
		fetchDeclaration(path),
		known ? request<Item>(`${path}/${String(known.id)}`, { query: CONTEXT }) : null,
		readTerms(own, original, to),
		managesTranslation() && known ? findJobs(`post_${type.slug}`, id, to, { needs_update: 'include' }) : [],
	]);
	const texts = pairTexts(readText(original['content']), readText(translation?.['content']));
	const fields = findFieldWork(declaration, original, translation, listReferredPaths(types, taxonomies), to);
	const units = [
		...listOwnUnits(original, translation),
		...listSegmentUnits(texts),
		...fields.units,
		...terms.missing.map(describeTerm),
	];
	const isPublic = PUBLIC.includes(String(translation?.['status'] ?? ''));
	const publishes = canFor(type.slug, type.capabilities['publish_posts'] ?? '');

	const save = async (written: Record<string, string>, finish: boolean): Promise<string> => {
		const created = await createTerms(terms, written, from, to);
		const body = {
			...buildOwnMembers(written, original, translation),
			content: buildContent(texts, written),
			...(await buildStart(type, own, original, translation, terms, created, to)),
			...(finish && !isPublic ? { status: 'publish' } : translation ? {} : { status: 'draft' }),
			...(translation ? {} : { lang: to, translations: { [from]: id } }),
		};
		const target = translation ? `${path}/${String(translation.id)}` : path;
		await sendAllowedFields(await fields.buildFields(written), (meta) =>
			request(target, { method: 'POST', body: { ...body, meta }, language: to }),
		);
		return finish && !isPublic ? t('The translation is published.') : t('The translation is saved.');
	};
	return {
		title: readText(original['title']) || t('(no title)'),
		from,
		to,
		units,
		notes: [...describeChanges(original, translation, outdated.length > 0), ...describeLosses(texts)],
		translationPath: known ? withContentLanguage(`/content/${type.slug}/${String(known.id)}`, to) : null,
		saveLabel: isPublic ? null : t('Save as draft'),
		finishLabel: isPublic ? t('Save') : publishes ? t('Publish') : null,
		save,
	};
}

/** Return where the records are that fields name; files and pictures are of one collection. */
function listReferredPaths(types: ContentType[], taxonomies: Taxonomy[]): ReferredPaths {
	const files = { file: '/wp/v2/media', image: '/wp/v2/media' };
	return {
		...files,
		...Object.fromEntries([...types, ...taxonomies].map((one) => [one.slug, getCollectionPath(one)])),
	};
}

function listOwnUnits(original: Item, translation: Item | null): TranslationUnit[] {
	const parts: [string, string, TranslationUnit['format']][] = [
		['title', t('Title'), 'plain'],
		['excerpt', t('Excerpt'), 'plain'],
		['slug', t('Slug'), 'plain'],
	];
	return parts
		.map(([id, label, format]) => ({
			id,
			label,
			format,
			source: readRaw(original[id]),
			target: readRaw(translation?.[id]),
		}))
		.filter(({ source }) => source !== '');
}

/** Return what was written of a member; what the server makes of it is not to be translated. */
function readRaw(value: unknown): string {
	return value && typeof value === 'object' && !('raw' in value) ? '' : readText(value);
}

function describeLosses({ lost }: PairedTexts): string[] {
	return lost > 0
		? [
				sprintf(
					tn(
						'The translation has %d text that the original has not; saving here leaves it out.',
						'The translation has %d texts that the original has not; saving here leaves them out.',
						lost,
					),
					lost,
				),
			]
		: [];
}

function describeTerm({ id, taxonomy, name }: TermTexts): TranslationUnit {
	return {
		id: `term-${String(id)}`,
		label: taxonomy.labels['singular_name'] ?? taxonomy.name,
		source: name,
		target: '',
		format: 'plain',
	};
}

function buildOwnMembers(
	texts: Record<string, string>,
	original: Item,
	translation: Item | null,
): Record<string, unknown> {
	const body: Record<string, unknown> = {
		title: texts['title']?.trim() ? texts['title'] : readRaw(original['title']),
	};
	if (texts['excerpt'] !== undefined) {
		body['excerpt'] = texts['excerpt'];
	}
	if (texts['slug']?.trim() && texts['slug'] !== readRaw(translation?.['slug'])) {
		body['slug'] = texts['slug'];
	}
	return body;
}

function describeChanges(original: Item, translation: Item | null, flagged: boolean): string[] {
	if (!translation) {
		return [];
	}
	const changed = parseGmt(String(original['modified_gmt']));
	const later = changed > parseGmt(String(translation['modified_gmt']));
	if (!later && !flagged) {
		return [];
	}
	const when = formatTime(changed);
	return [
		later
			? sprintf(t('The original was changed on %s, after this translation.'), when)
			: t('The original has changed since it was translated.'),
	];
}
