/** Reading and writing of CSV (RFC 4180), with what spreadsheets do besides: a mark at the beginning, semicolons, tabs. */

export interface CsvRecord {
	/** Line of the file on which it begins, from 1. */
	line: number;
	cells: string[];
}

/** A quoted cell that does not end. */
export class UnclosedQuote extends Error {
	constructor(readonly line: number) {
		super(`line ${String(line)}`);
	}
}

const SEPARATORS = [',', ';', '\t'] as const;
/** What a spreadsheet takes for a formula when a cell begins with it. */
const FORMULA = /^[=+\-@\t\r]/;
const PLAIN_NUMBER = /^-?\d+([.,]\d+)?$/;

/** Return the records of a text; lines with nothing on them are left out. Raises UnclosedQuote. */
export function parseCsv(source: string): CsvRecord[] {
	const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
	const separator = findSeparator(text);
	const records: CsvRecord[] = [];
	let cells: string[] = [];
	let cell = '';
	let line = 1;
	let begun = 1;
	let at = 0;
	const endRecord = (): void => {
		cells.push(cell);
		if (cells.length > 1 || cell !== '') {
			records.push({ line: begun, cells });
		}
		cells = [];
		cell = '';
	};
	while (at < text.length) {
		const character = text[at];
		if (character === '"' && cell === '') {
			const quoted = readQuoted(text, at, line);
			cell = quoted.value;
			line += quoted.lines;
			at = quoted.end;
		} else if (character === separator) {
			cells.push(cell);
			cell = '';
			at += 1;
		} else if (character === '\n' || character === '\r') {
			at += character === '\r' && text[at + 1] === '\n' ? 2 : 1;
			endRecord();
			line += 1;
			begun = line;
		} else {
			cell += character;
			at += 1;
		}
	}
	endRecord();
	return records;
}

/** Return the value of a quoted cell, how many lines it goes over, and where it ends. */
function readQuoted(text: string, start: number, line: number): { value: string; lines: number; end: number } {
	let value = '';
	let from = start + 1;
	for (;;) {
		const quote = text.indexOf('"', from);
		if (quote < 0) {
			throw new UnclosedQuote(line);
		}
		value += text.slice(from, quote);
		if (text[quote + 1] !== '"') {
			return { value, lines: value.split(/\r\n|\r|\n/).length - 1, end: quote + 1 };
		}
		value += '"';
		from = quote + 2;
	}
}

/** Return what the first line puts most often between its cells. */
function findSeparator(text: string): string {
	const counts = new Map<string, number>();
	let isQuoted = false;
	for (const character of text) {
		if (character === '"') {
			isQuoted = !isQuoted;
		} else if (!isQuoted && (character === '\n' || character === '\r')) {
			break;
		} else if (!isQuoted) {
			counts.set(character, (counts.get(character) ?? 0) + 1);
		}
	}
	return SEPARATORS.reduce((best, one) => ((counts.get(one) ?? 0) > (counts.get(best) ?? 0) ? one : best));
}

/** Return records as a text; what a spreadsheet would calculate is marked as text by an apostrophe. */
export function formatCsv(records: readonly (readonly string[])[]): string {
	return records.map((cells) => `${cells.map(formatCell).join(',')}\r\n`).join('');
}

function formatCell(value: string): string {
	const safe = FORMULA.test(value) && !PLAIN_NUMBER.test(value) ? `'${value}` : value;
	return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Return a cell without the apostrophe that `formatCsv` puts in front of what looks like a formula. */
export function unguardCell(value: string): string {
	return value.startsWith("'") && FORMULA.test(value.slice(1)) ? value.slice(1) : value;
}

/** Return the values of a cell; a comma within one is written with a backslash before it. */
export function splitList(cell: string): string[] {
	return unguardCell(cell)
		.split(/(?<!\\),|\|/)
		.map((one) => one.replaceAll('\\,', ',').trim())
		.filter(Boolean);
}

/** Return values as a cell. */
export function joinList(values: readonly string[]): string {
	return values.map((one) => one.replaceAll(',', '\\,')).join(', ');
}

/** Give a file to the person. parts: its text, in pieces. */
export function saveCsv(name: string, parts: string[]): void {
	// The mark tells spreadsheets that the text is UTF-8.
	const address = URL.createObjectURL(new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' }));
	const link = document.createElement('a');
	link.href = address;
	link.download = name;
	link.click();
	URL.revokeObjectURL(address);
}
