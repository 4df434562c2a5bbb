/** Finds the texts of a translation that belong to those of its original. */
import type { Segment } from './segments';

/**
 * Return for each segment the one of another content that says the same, as far as their places and forms tell.
 *
 * Of all ways to pair them in order it is the one with the most likeness, so that a paragraph more in one of them moves
 * no other text.
 */
export function alignSegments(segments: Segment[], others: Segment[]): (Segment | undefined)[] {
	const likeness = segments.map((one) => others.map((other) => compareSegments(one, other)));
	const totals = Array.from({ length: segments.length + 1 }, () => new Float64Array(others.length + 1));
	const at = (row: number, column: number): number => totals[row]?.[column] ?? 0;
	const pair = (row: number, column: number): number => likeness[row]?.[column] ?? 0;
	for (let row = segments.length - 1; row >= 0; row--) {
		for (let column = others.length - 1; column >= 0; column--) {
			const paired = pair(row, column) && at(row + 1, column + 1) + pair(row, column);
			(totals[row] as Float64Array)[column] = Math.max(paired, at(row + 1, column), at(row, column + 1));
		}
	}
	let column = 0;
	return segments.map((_, row) => {
		while (column < others.length && at(row, column) === at(row, column + 1)) {
			column++;
		}
		return column < others.length && at(row, column) !== at(row + 1, column) ? others[column++] : undefined;
	});
}

const SAME_PLACE = 2;

/** Return how much alike two texts are: 0 where they stand in different places, else by tags, figures and length. */
function compareSegments(one: Segment, other: Segment): number {
	if (one.block !== other.block || one.place !== other.place || one.format !== other.format) {
		return 0;
	}
	const marks = (text: string): string => (text.match(/<[^\s>]+|\d+/g) ?? []).join(' ');
	const [shorter, longer] = [one.text.length, other.text.length].sort((a, b) => a - b) as [number, number];
	return SAME_PLACE + (marks(one.text) === marks(other.text) ? 1 : 0) + shorter / Math.max(longer, 1);
}
