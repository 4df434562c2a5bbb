/** Exact arithmetic with amounts: decimal texts as whole numbers of millionths, never floating point. */

const PLACES = 6;

/** An amount in millionths. */
export type Amount = bigint;

/** Return the amount that a text names, null where it names none; a comma stands for a point. */
export function parseAmount(text: string): Amount | null {
	const found = /^\s*([+-]?)(\d*)(?:[.,](\d*))?\s*$/.exec(text);
	if (!found || !(found[2] || found[3])) {
		return null;
	}
	const digits = (found[3] ?? '').slice(0, PLACES).padEnd(PLACES, '0');
	const amount = BigInt((found[2] ?? '') + digits);
	return found[1] === '-' ? -amount : amount;
}

/** Return the amount of a text of the interface, 0 for an empty one. */
export function readAmount(text: string | undefined): Amount {
	return parseAmount(text ?? '') ?? 0n;
}

/** Return a number divided by another, half of one goes away from zero. */
function divide(amount: bigint, by: bigint): bigint {
	const sign = amount < 0n !== by < 0n ? -1n : 1n;
	const [size, divisor] = [amount < 0n ? -amount : amount, by < 0n ? -by : by];
	return sign * ((size * 2n + divisor) / (divisor * 2n));
}

/** Return an amount rounded to some decimals. */
export function roundAmount(amount: Amount, decimals: number): Amount {
	const unit = 10n ** BigInt(PLACES - decimals);
	return divide(amount, unit) * unit;
}

/** Return the share that `part` of `whole` pieces has of an amount, rounded to some decimals. */
export function takeShare(amount: Amount, part: number, whole: number, decimals: number): Amount {
	const unit = 10n ** BigInt(PLACES - decimals);
	return whole === 0 ? 0n : divide(amount * BigInt(part), BigInt(whole) * unit) * unit;
}

/** Write an amount as the interface takes it, rounded to some decimals: `12.50`. */
export function writeAmount(amount: Amount, decimals: number): string {
	const rounded = divide(amount, 10n ** BigInt(PLACES - decimals));
	const digits = (rounded < 0n ? -rounded : rounded).toString().padStart(decimals + 1, '0');
	const whole = digits.slice(0, digits.length - decimals);
	return `${rounded < 0n ? '-' : ''}${whole}${decimals ? `.${digits.slice(-decimals)}` : ''}`;
}

/** Return the sum of amounts. */
export function sumAmounts(amounts: readonly Amount[]): Amount {
	return amounts.reduce((sum, one) => sum + one, 0n);
}
