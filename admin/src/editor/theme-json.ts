/**
 * Theme settings and styles as the editor wants them.
 *
 * The interface says what the theme says. The editor wants the choices that every theme offers beside that, the ones behind
 * `appearanceTools` one by one, and presets in the form that does not depend on the names of custom properties.
 */

import { tx } from '../app/i18n';

type Tree = { [name: string]: unknown };

const buildUsual = (): Tree => ({
	color: {
		background: true,
		button: true,
		caption: true,
		custom: true,
		customDuotone: true,
		customGradient: true,
		// The editor has no presets of its own here; those of the theme are all.
		defaultDuotone: false,
		defaultGradients: false,
		defaultPalette: false,
		heading: true,
		text: true,
	},
	dimensions: {
		defaultAspectRatios: true,
		aspectRatios: {
			default: [
				{ slug: 'square', name: tx('Square - 1:1', 'aspect ratio'), ratio: '1' },
				{ slug: '4-3', name: tx('Standard - 4:3', 'aspect ratio'), ratio: '4/3' },
				{ slug: '3-4', name: tx('Portrait - 3:4', 'aspect ratio'), ratio: '3/4' },
				{ slug: '3-2', name: tx('Photo - 3:2', 'aspect ratio'), ratio: '3/2' },
				{ slug: '2-3', name: tx('Upright photo - 2:3', 'aspect ratio'), ratio: '2/3' },
				{ slug: '16-9', name: tx('Wide - 16:9', 'aspect ratio'), ratio: '16/9' },
				{ slug: '9-16', name: tx('Tall - 9:16', 'aspect ratio'), ratio: '9/16' },
			],
		},
	},
	layout: { allowEditing: true, allowCustomContentAndWideSize: true },
	shadow: { defaultPresets: false, presets: { default: [] } },
	spacing: { customSpacingSize: true, defaultSpacingSizes: false },
	typography: {
		customFontSize: true,
		defaultFontSizes: false,
		dropCap: true,
		fontStyle: true,
		fontWeight: true,
		letterSpacing: true,
		textAlign: true,
		textDecoration: true,
		textTransform: true,
	},
});
const APPEARANCE_TOOLS: Tree = {
	background: { backgroundImage: true, backgroundSize: true },
	border: { color: true, radius: true, style: true, width: true },
	color: { link: true },
	dimensions: { aspectRatio: true, height: true, minHeight: true, width: true },
	position: { sticky: true },
	spacing: { blockGap: true, margin: true, padding: true },
	typography: { lineHeight: true },
};
const PRESET = /var\(--cms--preset--(aspect-ratio|color|font-family|font-size|gradient|shadow|spacing)--([\w-]+)\)/g;

/** Return a response of the routes of global styles, completed; other texts as they are. */
export function completeThemeJson(path: string, text: string): string {
	if (!path.startsWith('/wp/v2/global-styles/') || path.includes('/revisions')) {
		return text;
	}
	const portable = text.replace(PRESET, 'var:preset|$1|$2');
	if (!/\/themes\/[^/?]+(\?|$)/.test(path)) {
		return portable;
	}
	const theme = JSON.parse(portable) as Tree;
	const settings = (theme['settings'] ?? {}) as Tree;
	const offered = settings['appearanceTools'] ? mergeTrees(buildUsual(), APPEARANCE_TOOLS) : buildUsual();
	return JSON.stringify({ ...theme, settings: mergeTrees(offered, settings) });
}

function mergeTrees(base: Tree, over: Tree): Tree {
	const merged = { ...base };
	for (const [name, value] of Object.entries(over)) {
		const known = merged[name];
		merged[name] = isTree(known) && isTree(value) ? mergeTrees(known, value) : value;
	}
	return merged;
}

function isTree(value: unknown): value is Tree {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
