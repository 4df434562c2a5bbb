/** What was typed and not saved yet, kept in the browser so that a reload loses nothing. */

interface KeptText {
	source: string;
	text: string;
}

const PREFIX = 'vetrina-translation ';

/** Return the texts that were kept, of units whose original is still the same. */
export function readDraft(key: string, units: { id: string; source: string }[]): Record<string, string> {
	const stored = localStorage.getItem(PREFIX + key);
	const kept = (stored ? JSON.parse(stored) : {}) as Record<string, KeptText>;
	const out: Record<string, string> = {};
	for (const { id, source } of units) {
		const one = kept[id];
		if (one?.source === source) {
			out[id] = one.text;
		}
	}
	return out;
}

export function keepDraft(key: string, units: { id: string; source: string }[], texts: Record<string, string>): void {
	const kept: Record<string, KeptText> = {};
	for (const { id, source } of units) {
		const text = texts[id];
		if (text !== undefined) {
			kept[id] = { source, text };
		}
	}
	localStorage.setItem(PREFIX + key, JSON.stringify(kept));
}

export function dropDraft(key: string): void {
	localStorage.removeItem(PREFIX + key);
}
