/**
 * The administration's own texts: English in the code, other languages in `admin/languages/*.po`.
 *
 * Only string literals are passed to `t`, `tn` and `tx`: `tests/admin` looks for them in the catalogues.
 */
import { __, _n, _x, setLocaleData, sprintf as format } from '@wordpress/i18n';

import { takeFirstAnswer } from '../api/first-answers';
import { boot } from './boot';

const DOMAIN = 'vetrina';

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

/** Load the catalogue of the person's language; English needs none. */
export async function loadTexts(): Promise<void> {
	const language = boot.locale.replace('_', '-').split('-')[0] ?? 'en';
	const file = CATALOGS[language];
	document.documentElement.lang = boot.locale.replace('_', '-');
	if (file) {
		const url = boot.assets + file;
		const response = await (takeFirstAnswer('GET', url) ?? fetch(url));
		if (response.ok) {
			setLocaleData((await response.json()) as Record<string, string[]>, DOMAIN);
		}
	}
}

/** Return whether the language of the texts is written from right to left. */
export { isRTL as isRtl } from '@wordpress/i18n';

/** Put values into a text: `%s`, `%d`, or `%1$s` where a language has them in another order. */
export const sprintf = format as (text: string, ...values: (string | number)[]) => string;
