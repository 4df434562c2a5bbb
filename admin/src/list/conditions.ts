/** Conditions of writes to rows of a list, which say in which state they are, or at least when they were changed. */

/** A row as the person saw it, or a record as a write was answered. */
export type SeenRow = object;

/**
 * Return the headers by which the interface refuses a write (412) to what was changed since it was seen; none where that
 * is not known.
 *
 * rows: read by one request, so that the latest change among them is no later than that.
 */
export function buildUnchangedCondition(rows: readonly (SeenRow | undefined)[]): Record<string, string> {
	const tags = rows.map(readTag).filter((one): one is string => one !== undefined);
	if (tags.length > 0 && tags.length === rows.length) {
		return { 'If-Match': tags.join(', ') };
	}
	const times = rows.map(readChangeTime);
	const known = times.filter((one): one is number => one !== null);
	return known.length === 0 || known.length < times.length
		? {}
		: { 'If-Unmodified-Since': new Date(Math.max(...known)).toUTCString() };
}

function readTag(row: SeenRow | undefined): string | undefined {
	const { _links: links } = (row ?? {}) as { _links?: { self?: { targetHints?: { etag?: string[] } }[] } };
	return links?.self?.[0]?.targetHints?.etag?.[0];
}

function readChangeTime(row: SeenRow | undefined): number | null {
	const { modified_gmt: ofContent, date_modified_gmt: ofShop } = (row ?? {}) as Record<string, unknown>;
	const text = ofContent ?? ofShop;
	return typeof text === 'string' && text !== '' ? Date.parse(`${text}Z`) : null;
}
