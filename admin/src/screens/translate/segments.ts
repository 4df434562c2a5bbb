/**
 * The texts of a content, where they stand in it, and the content with others in their places.
 *
 * Nothing else of the content changes, not a byte: blocks, markup and attributes stay what they were. A text is a run of
 * characters and inline tags between tags that make structure; alternative texts and labels of blocks are texts too.
 */

export interface Segment {
	/** Place in the content: where the text begins and ends. */
	start: number;
	end: number;
	/** The block that it is in, without `core/`; empty outside of blocks. */
	block: string;
	/** What encloses it: the name of a tag, or the attribute that holds it. */
	place: string;
	format: 'html' | 'attribute' | 'json';
	/** The text: HTML where the format is html, else plain. */
	text: string;
}

const TOKEN = /<!--[\s\S]*?-->|<\/?([a-zA-Z][^\s/>]*)(?:"[^"]*"|'[^']*'|[^'">])*>/g;
const DELIMITER = /^<!--\s+(\/)?wp:([a-z][\w/-]*)\s+(\{[\s\S]*\}\s+)?(\/)?-->$/;
const INLINE = new Set(
	'a abbr b bdi bdo br cite code data del dfn em i ins kbd mark q s samp small span strong sub sup time u var wbr'.split(
		' ',
	),
);
const VOID = new Set(['br', 'wbr']);
/** Blocks whose content is no language. */
const UNTRANSLATED = new Set(['code', 'shortcode']);
const LABELS = [
	'label',
	'title',
	'description',
	'placeholder',
	'buttonText',
	'customText',
	'byline',
	'moreText',
	'prefix',
	'suffix',
];
const ALT = /\salt=("([^"]*)"|'([^']*)')/;
const LETTER = /\p{L}/u;

interface Token {
	start: number;
	end: number;
	/** Name of the tag, empty for text. */
	name: string;
	closes: boolean;
}

/** Return the texts of a content in their order. */
export function findSegments(content: string): Segment[] {
	const found: Segment[] = [];
	const blocks: string[] = [];
	let run: Token[] = [];
	let place = '';
	let skipped = '';
	let position = 0;
	const block = (): string => blocks[blocks.length - 1] ?? '';
	const addText = (end: number): void => {
		if (end > position) {
			run.push({ start: position, end, name: '', closes: false });
		}
	};
	const finish = (): void => {
		const range = skipped || UNTRANSLATED.has(block()) ? null : trimRun(run, content);
		if (range) {
			found.push({ ...range, block: block(), place, format: 'html', text: content.slice(range.start, range.end) });
		}
		run = [];
	};
	for (const match of content.matchAll(TOKEN)) {
		const [text] = match;
		const start = match.index;
		const name = (match[1] ?? '').toLowerCase();
		addText(start);
		position = start + text.length;
		if (INLINE.has(name)) {
			run.push({ start, end: position, name, closes: text.startsWith('</') });
			continue;
		}
		finish();
		const delimiter = DELIMITER.exec(text);
		if (delimiter) {
			enterBlock(delimiter, start, blocks, found);
			place = '';
		} else if (name) {
			place = text.startsWith('</') ? '' : name;
			skipped = ['script', 'style'].includes(name) && place ? name : skipped === name ? '' : skipped;
			addAlternative(text, start, block(), found);
		}
	}
	addText(content.length);
	finish();
	return found;
}

function enterBlock(
	[text, closes, name, attributes, single]: RegExpExecArray,
	start: number,
	blocks: string[],
	found: Segment[],
): void {
	if (closes) {
		blocks.pop();
		return;
	}
	const block = (name ?? '').replace(/^core\//, '');
	if (attributes) {
		addLabels(text, attributes, start, block, found);
	}
	if (!single) {
		blocks.push(block);
	}
}

/** Add the texts that a block keeps in its own attributes. */
function addLabels(text: string, attributes: string, start: number, block: string, found: Segment[]): void {
	let parsed: Record<string, unknown>;
	try {
		parsed = JSON.parse(attributes) as Record<string, unknown>;
	} catch {
		// Not a block's delimiter after all: the editor shows the same as text.
		return;
	}
	const offset = text.indexOf(attributes);
	for (const key of LABELS) {
		const literal = new RegExp(`"${key}":("(?:[^"\\\\]|\\\\.)*")`).exec(attributes);
		const value = parsed[key];
		if (literal?.[1] && typeof value === 'string' && JSON.parse(literal[1]) === value && LETTER.test(value)) {
			const from = start + offset + literal.index + literal[0].length - literal[1].length;
			found.push({ start: from, end: from + literal[1].length, block, place: key, format: 'json', text: value });
		}
	}
}

function addAlternative(tag: string, start: number, block: string, found: Segment[]): void {
	const match = ALT.exec(tag);
	const value = match?.[2] ?? match?.[3] ?? '';
	if (match && LETTER.test(value)) {
		const from = start + match.index + ' alt="'.length;
		found.push({
			start: from,
			end: from + value.length,
			block,
			place: 'alt',
			format: 'attribute',
			text: decode(value),
		});
	}
}

/** Return where the text of a run is, without white space and without tags that enclose all of it; null for none. */
function trimRun(run: Token[], content: string): { start: number; end: number } | null {
	const textOf = (token: Token): string => content.slice(token.start, token.end);
	let tokens = run.filter(
		(token, index) => token.name || textOf(token).trim() || (index > 0 && index < run.length - 1),
	);
	for (;;) {
		const [first] = tokens;
		const last = tokens[tokens.length - 1];
		if (!first || !last || !tokens.some((token) => !token.name && LETTER.test(decode(textOf(token))))) {
			return null;
		}
		const partner = first.name ? findPartner(tokens, 0) : -1;
		if (first.name && (first.closes || VOID.has(first.name) || partner === -1)) {
			tokens = tokens.slice(1);
		} else if (first.name && partner === tokens.length - 1) {
			tokens = tokens.slice(1, -1);
		} else if (last.name && (VOID.has(last.name) || !last.closes || !hasOpener(tokens))) {
			tokens = tokens.slice(0, -1);
		} else {
			const head = first.name ? '' : (/^\s*/.exec(textOf(first))?.[0] ?? '');
			const tail = last.name ? '' : (/\s*$/.exec(textOf(last))?.[0] ?? '');
			return { start: first.start + head.length, end: last.end - tail.length };
		}
	}
}

function findPartner(tokens: Token[], from: number): number {
	const name = tokens[from]?.name;
	let depth = 0;
	for (const [index, token] of tokens.entries()) {
		if (index >= from && token.name === name) {
			depth += token.closes ? -1 : 1;
			if (depth === 0) {
				return index;
			}
		}
	}
	return -1;
}

function hasOpener(tokens: Token[]): boolean {
	return tokens.some((token, index) => !token.closes && token.name && findPartner(tokens, index) === tokens.length - 1);
}

/** Return a content with other texts. texts: one for each of its segments; undefined leaves the text as it is. */
export function replaceSegments(content: string, segments: Segment[], texts: (string | undefined)[]): string {
	let position = 0;
	let out = '';
	const ordered = segments.map((segment, index) => ({ segment, text: texts[index] }));
	for (const { segment, text } of ordered.sort((one, other) => one.segment.start - other.segment.start)) {
		if (text !== undefined) {
			out += content.slice(position, segment.start) + encode(text, segment.format);
			position = segment.end;
		}
	}
	return out + content.slice(position);
}

function encode(text: string, format: Segment['format']): string {
	if (format === 'json') {
		// As the block grammar writes it: nothing in it may end the comment.
		return JSON.stringify(text)
			.replace(/--/g, '\\u002d\\u002d')
			.replace(/</g, '\\u003c')
			.replace(/>/g, '\\u003e')
			.replace(/&/g, '\\u0026');
	}
	return format === 'attribute'
		? text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/'/g, '&#039;').replace(/</g, '&lt;')
		: text;
}

function decode(text: string): string {
	return text.includes('&') ? (new DOMParser().parseFromString(text, 'text/html').body.textContent ?? '') : text;
}
