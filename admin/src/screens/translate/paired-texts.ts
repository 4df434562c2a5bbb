/** The texts of a content beside those of its translation. */
import { alignSegments } from './segment-alignment';
import { findSegments, replaceSegments, type Segment } from './segments';
import type { TranslationUnit } from './translation-work';
import { labelSegment } from './unit-labels';

/** The texts of an original, those of its translation beside them, and the content that is written into. */
export interface PairedTexts {
	segments: Segment[];
	others: (Segment | undefined)[];
	/** Texts of the translation that belong to none of the original. */
	lost: number;
	/** That of the translation where it is built like the original, which keeps its own links, else the original's. */
	content: string;
	/** Where the texts stand in it. */
	places: Segment[];
}

/** Find the texts of a content and those of its translation that belong to them. */
export function pairTexts(content: string, translated: string): PairedTexts {
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

/** Return the content with the texts that were written. prefix: of the ids of its units. */
export function buildContent(
	{ segments, content, places }: PairedTexts,
	written: Record<string, string>,
	prefix = '',
): string {
	return replaceSegments(
		content,
		places,
		places.map((place, index) => {
			const typed = written[`${prefix}text-${String(index)}`];
			const text = typed?.trim() ? typed : segments[index]?.text;
			return text === place.text ? undefined : text;
		}),
	);
}

/** Return the texts as units. prefix: of their ids. name: what the content is called, where it is not the record's own. */
export function listSegmentUnits({ segments, others }: PairedTexts, prefix = '', name = ''): TranslationUnit[] {
	return segments.map(({ block, place, format, text }, index) => {
		const other = others[index]?.text ?? '';
		return {
			id: `${prefix}text-${String(index)}`,
			label: name ? `${name}: ${labelSegment(block, place)}` : labelSegment(block, place),
			source: text,
			target: other === text ? '' : other,
			format: format === 'html' ? 'html' : 'plain',
		};
	});
}
