/** A text of the site that is no record, as the interface tells of it. */

export const STRINGS_PATH = '/wpml/st/v1/strings';
/** What a person chooses, and the states of the interface that it means; of partly translated strings something is missing. */
export const STATES: Record<string, number[]> = { open: [0, 2], outdated: [3], waiting: [1], done: [10] };

type Forms = string | string[] | null;

export interface SiteString {
	id: number;
	language: string;
	/** Its domain. */
	context: string;
	name: string;
	value: string;
	plural: string;
	status: number;
	translations: Record<string, { status: number; value: Forms; mo_string: Forms }>;
}

/** Return the forms of a translation; one where the text has no plural. */
export function readForms(text: SiteString, language: string): string[] {
	const known = text.translations[language];
	const value = known?.value ?? known?.mo_string ?? null;
	const forms = Array.isArray(value) ? value : value === null ? [] : [value];
	return forms.length ? forms : Array.from({ length: text.plural ? 2 : 1 }, () => '');
}
