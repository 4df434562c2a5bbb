/** A record and its translation, read and written as records. */
import { request } from '../../api/client';
import { can, managesTranslation } from '../../app/boot';
import { getCollectionPath, type ContentType, type Taxonomy } from '../../app/content-types';
import { formatTime, parseGmt } from '../../app/formats';
import { sprintf, t, tn } from '../../app/i18n';
import { withContentLanguage } from '../../app/router';
import { readText, type Item } from '../../list/collection';
import { findJobs } from '../languages/job';
import { alignSegments } from './segment-alignment';
import { findSegments, replaceSegments, type Segment } from './segments';
import { buildStart, createTerms, readTerms, type TermTexts } from './translation-start';
import type { TranslationUnit, TranslationWork } from './translation-work';
import { labelSegment } from './unit-labels';

const CONTEXT = { context: 'edit' };
const PUBLIC = ['publish', 'future', 'private'];

/** Read a record and what there is of its translation. */
export async function loadRecordWork(
	type: ContentType,
	taxonomies: Taxonomy[],
	id: number,
	to: string,
): Promise<TranslationWork> {
	const path = getCollectionPath(type);
	const original = await request<Item>(`${path}/${String(id)}`, { query: CONTEXT });
	const from = String(original['lang']);
	const known = (original['translations'] as Record<string, { id: number }> | undefined)?.[to];
	const own = taxonomies.filter((one) => one.types.includes(type.slug));
	const [translation, terms, outdated] = await Promise.all([
		known ? request<Item>(`${path}/${String(known.id)}`, { query: CONTEXT }) : null,
		readTerms(own, original, to),
		managesTranslation() && known ? findJobs(`post_${type.slug}`, id, to, { needs_update: 'include' }) : [],
	]);
	const texts = pairTexts(readText(original['content']), readText(translation?.['content']));
	const units = [
		...listOwnUnits(original, translation),
		...listSegmentUnits(texts),
		...terms.missing.map(describeTerm),
	];
	const isPublic = PUBLIC.includes(String(translation?.['status'] ?? ''));
	const publishes = can(type.capabilities['publish_posts'] ?? '');

	const save = async (written: Record<string, string>, finish: boolean): Promise<string> => {
		const created = await createTerms(terms, written, from, to);
		const body = {
			...buildOwnMembers(written, original, translation),
			content: buildContent(texts, written),
			...(await buildStart(type, own, original, translation, terms, created, to)),
			...(finish && !isPublic ? { status: 'publish' } : translation ? {} : { status: 'draft' }),
			...(translation ? {} : { lang: to, translations: { [from]: id } }),
		};
		await request(translation ? `${path}/${String(translation.id)}` : path, { method: 'POST', body, language: to });
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

/** The texts of an original, those of its translation beside them, and the content that is written into. */
interface PairedTexts {
	segments: Segment[];
	others: (Segment | undefined)[];
	/** Texts of the translation that belong to none of the original. */
	lost: number;
	/** That of the translation where it is built like the original, which keeps its own links, else the original's. */
	content: string;
	/** Where the texts stand in it. */
	places: Segment[];
}

function pairTexts(content: string, translated: string): PairedTexts {
	const segments = findSegments(content);
	const known = translated ? findSegments(translated) : [];
	const others = alignSegments(segments, known);
	const paired = others.filter((one) => one !== undefined);
	const alike = paired.length === segments.length && known.length === segments.length && translated !== '';
	return {
		segments,
		others,
		lost: known.length - paired.length,
		content: alike ? translated : content,
		places: alike ? paired : segments,
	};
}

function buildContent({ segments, content, places }: PairedTexts, written: Record<string, string>): string {
	return replaceSegments(
		content,
		places,
		places.map((place, index) => {
			const text = written[`text-${String(index)}`]?.trim() ? written[`text-${String(index)}`] : segments[index]?.text;
			return text === place.text ? undefined : text;
		}),
	);
}

function listSegmentUnits({ segments, others }: PairedTexts): TranslationUnit[] {
	return segments.map(({ block, place, format, text }, index) => {
		const other = others[index]?.text ?? '';
		return {
			id: `text-${String(index)}`,
			label: labelSegment(block, place),
			source: text,
			target: other === text ? '' : other,
			format: format === 'html' ? 'html' : 'plain',
		};
	});
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
