/**
 * The administration's own texts: English in the code, other languages in `admin/languages/*.po`.
 * Those of the editor's packages: `admin/languages/editor/*.po`.
 *
 * Only string literals are passed to `t`, `tn` and `tx`: `tests/admin` looks for them in the catalogues.
 */
import { __, _n, _x, setLocaleData, sprintf as format } from '@wordpress/i18n';

import { takeFirstAnswer } from '../api/first-answers';
import { boot } from './boot';

const DOMAIN = 'vetrina';
const EDITOR_DOMAIN = 'default';

/** Return a text in the person's language. */
export function t(text: string): string {
	return __(text, DOMAIN);
}

/** Return the form of a text that fits a number. */
export function tn(one: string, other: string, count: number): string {
	return _n(one, other, count, DOMAIN);
}

/** Return a text in the person's language; the context tells words apart that are the same in English. */
export function tx(text: string, context: string): string {
	return _x(text, context, DOMAIN);
}

/** Load the catalogues of the person's language, its own and that of the editor's packages; English needs none. */
export async function loadTexts(): Promise<void> {
	const language = boot.locale.replace('_', '-').split('-')[0] ?? 'en';
	document.documentElement.lang = boot.locale.replace('_', '-');
	// The packages read their texts as they are loaded, so these have to be here before.
	await Promise.all([loadCatalog(CATALOGS[language], DOMAIN), loadCatalog(EDITOR_CATALOGS[language], EDITOR_DOMAIN)]);
}

async function loadCatalog(file: string | undefined, domain: string): Promise<void> {
	if (file) {
		const url = boot.assets + file;
		const response = await (takeFirstAnswer('GET', url) ?? fetch(url));
		if (response.ok) {
			setLocaleData((await response.json()) as Record<string, string[]>, domain);
		}
	}
}

/** Return whether the language of the texts is written from right to left. */
export { isRTL as isRtl } from '@wordpress/i18n';

/** Put values into a text: `%s`, `%d`, or `%1$s` where a language has them in another order. */
export const sprintf = format as (text: string, ...values: (string | number)[]) => string;
