/** Amounts of the shop as the person reads them. */
import { boot } from './boot';

const locale = boot.locale.replace('_', '-');
const formats = new Map<string, Intl.NumberFormat>();

/** Currency of the shop; empty where the site has none. */
export const shopCurrency: string = boot.moduleData.shop?.currency ?? '';

/** Decimals of the amounts that the shop shows. */
export const shopDecimals: number = boot.moduleData.shop?.decimals ?? 2;

/**
 * Write an amount with its currency.
 *
 * amount: as the interface sends it, a decimal text or a number; the text is not calculated with.
 */
export function formatMoney(amount: string | number, currency: string = shopCurrency): string {
	let format = formats.get(currency);
	if (!format) {
		format = new Intl.NumberFormat(locale, {
			style: 'currency',
			currency,
			minimumFractionDigits: shopDecimals,
			maximumFractionDigits: shopDecimals,
		});
		formats.set(currency, format);
	}
	// A decimal text is written as it is, to its last digit; the library's types know only numbers.
	return format.format(amount as number);
}
