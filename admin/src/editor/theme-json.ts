/**
 * Theme settings and styles as the editor wants them.
 *
 * The interface says what the theme says. The editor wants the choices that every theme offers beside that, the ones behind
 * `appearanceTools` one by one, and presets in the form that does not depend on the names of custom properties.
 */

type Tree = { [name: string]: unknown };

const ALWAYS: Tree = {
	color: {
		background: true,
		button: true,
		caption: true,
		custom: true,
		customDuotone: true,
		customGradient: true,
		heading: true,
		text: true,
	},
	dimensions: { defaultAspectRatios: true },
	layout: { allowEditing: true, allowCustomContentAndWideSize: true },
	shadow: { defaultPresets: true },
	spacing: { customSpacingSize: true },
	typography: {
		customFontSize: true,
		dropCap: true,
		fontStyle: true,
		fontWeight: true,
		letterSpacing: true,
		textAlign: true,
		textDecoration: true,
		textTransform: true,
	},
};
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
	const offered = settings['appearanceTools'] ? mergeTrees(ALWAYS, APPEARANCE_TOOLS) : ALWAYS;
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
