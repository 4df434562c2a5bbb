/** Checks of amounts and quantities that a person typed: a batch of the shop takes what it cannot read as not sent. */
import { t } from '../../app/i18n';

/** Return a decimal text with a point, null for what is no amount from nothing up. A comma may stand for the point. */
export function readAmount(text: string): string | null {
	const trimmed = text.trim().replace(',', '.');
	return trimmed === '' || /^\d+(\.\d+)?$/.test(trimmed) ? trimmed : null;
}

/** Return a whole number, null for what is none. */
export function readWhole(text: string): number | null {
	return /^-?\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : null;
}

/** Return what is wrong with an amount, undefined where nothing is. */
export function checkAmount(text: string): string | undefined {
	return readAmount(text) === null ? t('This is no amount. Write digits, such as 12.50.') : undefined;
}

/** Return what is wrong with a whole number that may be missing, undefined where nothing is. */
export function checkWhole(text: string): string | undefined {
	return text.trim() !== '' && readWhole(text) === null ? t('This is no whole number.') : undefined;
}
