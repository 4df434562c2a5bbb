/** Conditions of writes to rows of a list, which say when they were changed, but not in which state they are. */

/** A row as the person saw it, or a record as a write was answered. */
export type SeenRow = object;

/**
 * Return the headers by which the interface refuses a write (412) to what was changed since it was seen; none where that
 * is not known.
 *
 * rows: read by one request, so that the latest change among them is no later than that.
 */
export function buildUnchangedCondition(rows: readonly (SeenRow | undefined)[]): Record<string, string> {
	const times = rows.map(readChangeTime);
	const known = times.filter((one): one is number => one !== null);
	return known.length === 0 || known.length < times.length
		? {}
		: { 'If-Unmodified-Since': new Date(Math.max(...known)).toUTCString() };
}

function readChangeTime(row: SeenRow | undefined): number | null {
	const { modified_gmt: ofContent, date_modified_gmt: ofShop } = (row ?? {}) as Record<string, unknown>;
	const text = ofContent ?? ofShop;
	return typeof text === 'string' && text !== '' ? Date.parse(`${text}Z`) : null;
}
