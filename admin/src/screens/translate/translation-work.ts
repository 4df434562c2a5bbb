/** What is translated side by side, whether it is a record or the file of a job. */

export interface TranslationUnit {
	id: string;
	/** What it is to a person: "Title", "Paragraph". */
	label: string;
	source: string;
	/** What is there already; empty for nothing. */
	target: string;
	format: 'html' | 'plain';
}

export interface TranslationWork {
	title: string;
	from: string;
	to: string;
	units: TranslationUnit[];
	/** What the person should know before they begin. */
	notes: string[];
	/** Screen of the translation where it is there and can be opened. */
	translationPath: string | null;
	/** Labels of the two ways to save; null where one is not offered. */
	saveLabel: string | null;
	finishLabel: string | null;
	/** Save texts by the ids of their units. finish: publish, or deliver. Returns what was said to the person. */
	save: (texts: Record<string, string>, finish: boolean) => Promise<string>;
}

/** Whether a unit has a text of its own; what is the same as the original counts as not translated. */
export function isTranslated(unit: TranslationUnit, text: string): boolean {
	return text.trim() !== '' && text.trim() !== unit.source.trim();
}
