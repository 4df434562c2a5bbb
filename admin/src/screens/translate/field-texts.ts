/** The texts of the site's own fields: those of an original beside those of its translation, and the values made of them. */
import { requestPage } from '../../api/client';
import { getType, type RouteDeclaration, type Schema } from '../../api/declarations';
import { toWritten, type Values } from '../../api/field-values';
import { getLabel, isMarkup, listWritable } from '../../editor/schema-fields/schema';
import type { Item } from '../../list/collection';
import { buildContent, listSegmentUnits, pairTexts, type PairedTexts } from './paired-texts';
import type { TranslationUnit } from './translation-work';

type Path = (string | number)[];

/** One text of a field, where it stands in the values. */
interface FieldText {
	path: Path;
	label: string;
	source: string;
	target: string;
	/** Of a text with markup: the texts in it. */
	paired?: PairedTexts;
}

/** What a translation has of the fields of its original. */
export interface FieldWork {
	units: TranslationUnit[];
	/** Return the fields to write. */
	buildFields: (written: Record<string, string>) => Promise<Values>;
}

/** Where the records are that fields name, by what the schema calls them (`x-refers-to`). */
export type ReferredPaths = Readonly<Record<string, string>>;

const LETTER = /\p{L}/u;
const MAX_IDS = 100;

/** Find the texts of a record's fields that are translated; what all translations share is none of them. */
export function findFieldWork(
	declaration: RouteDeclaration,
	original: Item,
	translation: Item | null,
	referred: ReferredPaths,
	to: string,
): FieldWork {
	const before = (original['meta'] ?? {}) as Values;
	const there = translation && ((translation['meta'] ?? {}) as Values);
	const fields = listWritable(declaration.schema?.properties['meta']).filter(
		([name, schema]) => name in before && !schema['x-shared'] && !isUnwritten(schema, toWritten(before[name])),
	);
	const texts = fields.flatMap(([name, schema]) =>
		findTexts(schema, before[name], there?.[name], [name], getLabel(name, schema)),
	);
	const buildFields = async (written: Record<string, string>): Promise<Values> => {
		// A translation that is there keeps what is no text, and what nobody has written a text for.
		const typed = texts.filter((one) => listUnits(one).some(({ id }) => written[id]?.trim()));
		const values = there
			? takeFields(typed, before, there)
			: await translateReferences(fields, before, referred, String(original['lang']), to);
		for (const text of there ? typed : texts) {
			setAt(values, text.path, buildText(text, written));
		}
		return values;
	};
	return { units: texts.flatMap(listUnits), buildFields };
}

function findTexts(schema: Schema, value: unknown, other: unknown, path: Path, label: string): FieldText[] {
	if (isMarkup(schema)) {
		const [source, target] = [toWritten(value), toWritten(other)].map((one) => (typeof one === 'string' ? one : ''));
		return source ? [{ path, label, source, target: target ?? '', paired: pairTexts(source, target ?? '') }] : [];
	}
	switch (getType(schema)) {
		case 'object':
			return Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
				findTexts(
					one,
					getMember(value, name),
					getMember(other, name),
					[...path, name],
					`${label}: ${getLabel(name, one)}`,
				),
			);
		case 'array':
			return (Array.isArray(value) ? value : []).flatMap((item, index) =>
				findTexts(schema.items ?? {}, item, getMember(other, index), [...path, index], `${label} ${String(index + 1)}`),
			);
		default:
			return isText(schema) && typeof value === 'string' && LETTER.test(value)
				? [{ path, label, source: value, target: typeof other === 'string' ? other : '' }]
				: [];
	}
}

/** Return whether a value is what is shown where nobody wrote one. */
function isUnwritten(schema: Schema, value: unknown): boolean {
	if (isMarkup(schema)) {
		return value === '';
	}
	switch (getType(schema)) {
		case 'object':
			return Object.entries(schema.properties ?? {}).every(([name, one]) => isUnwritten(one, getMember(value, name)));
		case 'array':
			return Array.isArray(value) && value.length === 0;
		default:
			return value === (schema.default ?? null);
	}
}

/** Return whether a value is a text in a language: no choice, no address, no date. */
function isText(schema: Schema): boolean {
	return getType(schema) === 'string' && !schema.format && !schema.enum;
}

function getMember(value: unknown, name: string | number): unknown {
	return (value as Record<string | number, unknown> | null | undefined)?.[name];
}

function getId(path: Path): string {
	return `field-${path.join('.')}`;
}

function listUnits({ path, label, source, target, paired }: FieldText): TranslationUnit[] {
	return paired
		? listSegmentUnits(paired, `${getId(path)}-`, label)
		: [{ id: getId(path), label, source, target, format: 'plain' }];
}

function buildText({ path, source, paired }: FieldText, written: Record<string, string>): string {
	if (paired) {
		return buildContent(paired, written, `${getId(path)}-`);
	}
	const text = written[getId(path)];
	return text?.trim() ? text : source;
}

/** Return the fields that texts stand in: as the translation has them, or as the original where that is built otherwise. */
function takeFields(texts: FieldText[], before: Values, there: Values): Values {
	const names = [...new Set(texts.map(({ path }) => String(path[0])))];
	return Object.fromEntries(
		names.map((name) => {
			const [source, own] = [toWritten(before[name]), toWritten(there[name])];
			const isAlike = !Array.isArray(source) || (Array.isArray(own) && own.length === source.length);
			return [name, structuredClone(isAlike && own !== null ? own : source)];
		}),
	);
}

function setAt(values: Values, path: Path, text: string): void {
	const last = path[path.length - 1] as string;
	let place = values as Record<string | number, unknown>;
	for (const name of path.slice(0, -1)) {
		place = place[name] as Record<string | number, unknown>;
	}
	place[last] = text;
}

/** Return the values that a new translation begins with; what they name is of its language where that is there. */
async function translateReferences(
	fields: [string, Schema][],
	before: Values,
	referred: ReferredPaths,
	from: string,
	to: string,
): Promise<Values> {
	const values = await Promise.all(
		fields.map(async ([name, schema]): Promise<[string, unknown]> => {
			const value = structuredClone(toWritten(before[name]));
			const path = referred[schema['x-refers-to'] ?? schema.items?.['x-refers-to'] ?? ''];
			const ids = [value ?? []].flat().filter((one): one is number => typeof one === 'number');
			if (!path || ids.length === 0) {
				return [name, value];
			}
			const known = await findTranslations(path, ids, from, to);
			return [name, Array.isArray(value) ? ids.map((id) => known.get(id) ?? id) : (known.get(ids[0] ?? 0) ?? value)];
		}),
	);
	return Object.fromEntries(values);
}

async function findTranslations(path: string, ids: number[], from: string, to: string): Promise<Map<number, number>> {
	const { items } = await requestPage<Item>(path, {
		query: { include: ids, per_page: MAX_IDS, _fields: 'id,translations' },
		language: from,
	});
	const found = new Map<number, number>();
	for (const { id, translations } of items) {
		const there = (translations as Record<string, { id: number }> | undefined)?.[to];
		if (there) {
			found.set(Number(id), there.id);
		}
	}
	return found;
}
