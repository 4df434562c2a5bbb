/** A record and its translation, read and written as records. */
import { request } from '../../api/client';
import { can, managesTranslation } from '../../app/boot';
import { getCollectionPath, type ContentType, type Taxonomy } from '../../app/content-types';
import { formatTime, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { withContentLanguage } from '../../app/router';
import { readText, type Item } from '../../list/collection';
import { findJobs } from '../languages/job';
import { alignSegments, findSegments, replaceSegments, type Segment } from './segments';
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
	const content = readText(original['content']);
	const segments = findSegments(content);
	const units = [
		...listOwnUnits(original, translation),
		...listSegmentUnits(segments, readText(translation?.['content'])),
		...terms.missing.map(describeTerm),
	];
	const isPublic = PUBLIC.includes(String(translation?.['status'] ?? ''));
	const publishes = can(type.capabilities['publish_posts'] ?? '');

	const save = async (texts: Record<string, string>, finish: boolean): Promise<string> => {
		const created = await createTerms(terms.missing, texts, from, to);
		const body = {
			...buildBody(texts, original, translation, content, segments),
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
		notes: describeChanges(original, translation, outdated.length > 0),
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

function listSegmentUnits(segments: Segment[], translated: string): TranslationUnit[] {
	const others = alignSegments(segments, translated ? findSegments(translated) : []);
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

function describeTerm({ id, taxonomy, name }: TermTexts): TranslationUnit {
	return {
		id: `term-${String(id)}`,
		label: taxonomy.labels['singular_name'] ?? taxonomy.name,
		source: name,
		target: '',
		format: 'plain',
	};
}

function buildBody(
	texts: Record<string, string>,
	original: Item,
	translation: Item | null,
	content: string,
	segments: Segment[],
): Record<string, unknown> {
	const body: Record<string, unknown> = {
		content: replaceSegments(
			content,
			segments,
			segments.map((segment, index) => {
				const text = texts[`text-${String(index)}`];
				return text?.trim() && text !== segment.text ? text : undefined;
			}),
		),
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
