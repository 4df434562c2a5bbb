/** Formats of dates and times as the site stores them: a letter stands for a part. */
import { boot } from '../../app/boot';

export const DATE_FORMATS = ['F j, Y', 'j F Y', 'Y-m-d', 'm/d/Y', 'd/m/Y', 'd.m.Y'];
export const TIME_FORMATS = ['g:i a', 'g:i A', 'H:i'];

/** Return a moment in a format, as an example; letters that stand for nothing stay, a backslash keeps the next one. */
export function formatExample(format: string, when: Date): string {
	const locale = boot.locale.replace('_', '-');
	const part = (options: Intl.DateTimeFormatOptions): string => new Intl.DateTimeFormat(locale, options).format(when);
	const two = (value: number): string => String(value).padStart(2, '0');
	const hours = when.getHours();
	const letters: Record<string, () => string> = {
		d: () => two(when.getDate()),
		j: () => String(when.getDate()),
		D: () => part({ weekday: 'short' }),
		l: () => part({ weekday: 'long' }),
		F: () => part({ month: 'long' }),
		M: () => part({ month: 'short' }),
		m: () => two(when.getMonth() + 1),
		n: () => String(when.getMonth() + 1),
		Y: () => String(when.getFullYear()),
		y: () => two(when.getFullYear() % 100),
		g: () => String(hours % 12 || 12),
		h: () => two(hours % 12 || 12),
		G: () => String(hours),
		H: () => two(hours),
		i: () => two(when.getMinutes()),
		s: () => two(when.getSeconds()),
		a: () => (hours < 12 ? 'am' : 'pm'),
		A: () => (hours < 12 ? 'AM' : 'PM'),
	};
	return format.replace(/\\(.)|[A-Za-z]/g, (letter, kept?: string) => kept ?? letters[letter]?.() ?? letter);
}
