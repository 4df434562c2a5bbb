/** What the name of a font file says of it. */

export interface FontGuess {
	family: string;
	weight: string;
	style: 'normal' | 'italic';
}

const WEIGHTS: [RegExp, string][] = [
	[/thin|hairline/i, '100'],
	[/(extra|ultra)[ _-]?light/i, '200'],
	[/(semi|demi)[ _-]?bold/i, '600'],
	[/(extra|ultra)[ _-]?bold/i, '800'],
	[/light/i, '300'],
	[/medium/i, '500'],
	[/black|heavy/i, '900'],
	[/bold/i, '700'],
	[/regular|normal|book/i, '400'],
];
const MARKS =
	/(thin|hairline|(extra|ultra)[ _-]?(light|bold)|(semi|demi)[ _-]?bold|light|medium|black|heavy|bold|regular|normal|book|italic|oblique|variable(font)?|wght|latin|webfont|\b[1-9]00\b)/gi;

export const FONT_ENDINGS = '.woff2,.woff,.ttf,.otf';

/** Return family, weight and style of a file named like `Source-Serif-SemiBoldItalic.woff2`. */
export function guessFont(fileName: string): FontGuess {
	const stem = fileName.replace(/\.[^.]+$/, '').replace(/\[.*\]/, '');
	const number = /(?:^|[^0-9])([1-9]00)(?![0-9])/.exec(stem)?.[1];
	const named = WEIGHTS.find(([pattern]) => pattern.test(stem))?.[1];
	const family = stem
		.replace(MARKS, ' ')
		.replace(/[_-]+/g, ' ')
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.replace(/\s+/g, ' ')
		.trim();
	return {
		family: family || stem,
		weight: number ?? named ?? '400',
		style: /italic|oblique/i.test(stem) ? 'italic' : 'normal',
	};
}

/** Return the slug of a family. */
export function buildSlug(family: string): string {
	return family
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-+|-+$/g, '');
}
