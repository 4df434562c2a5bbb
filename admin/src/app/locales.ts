/** Names of locales in the person's own language. */
import { boot } from './boot';

const names = new Intl.DisplayNames(boot.locale.replace('_', '-'), { type: 'language', fallback: 'code' });

/** Return the name of a locale (`it_IT`). */
export function labelLocale(locale: string): string {
	const name = names.of(locale.replace('_', '-')) ?? locale;
	return name.charAt(0).toUpperCase() + name.slice(1);
}
