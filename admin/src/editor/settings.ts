/** What the editors are told of the site: templates, sizes of pictures, kinds of files, the style sheet of the canvas. */
import { can, canSomewhere } from '../app/boot';
import { isRtl, t, tx } from '../app/i18n';
import { getStylesheetUrl } from '../app/styles';

export type EditorSettings = Record<string, unknown>;

export interface Theme {
	stylesheet: string;
	theme_supports?: Record<string, unknown>;
	default_template_types?: unknown[];
	default_template_part_areas?: unknown[];
}

const AUTOSAVE_SECONDS = 30;

/** Return the settings that both editors share. */
export function buildSettings(theme: Theme | undefined): EditorSettings {
	return {
		alignWide: true,
		allowedBlockTypes: true,
		autosaveInterval: AUTOSAVE_SECONDS,
		blockInspectorTabs: { default: true },
		bodyPlaceholder: t('Write, or type / to choose a block'),
		canEditCSS: can('edit_theme_options'),
		canLockBlocks: true,
		canUpdateBlockBindings: canSomewhere('edit_posts'),
		codeEditingEnabled: true,
		defaultTemplatePartAreas: theme?.default_template_part_areas ?? [],
		defaultTemplateTypes: theme?.default_template_types ?? [],
		enableCustomLineHeight: true,
		enableCustomSpacing: true,
		enableCustomUnits: ['%', 'px', 'em', 'rem', 'vh', 'vw'],
		// Pictures of a foreign host are not offered.
		enableOpenverseMediaCategory: false,
		__experimentalBlockDirectory: false,
		fontLibraryEnabled: true,
		generateAnchors: true,
		imageDefaultSize: 'large',
		imageEditing: true,
		imageSizes: [
			{ slug: 'thumbnail', name: tx('Thumbnail', 'picture size') },
			{ slug: 'medium', name: tx('Medium', 'picture size') },
			{ slug: 'large', name: tx('Large', 'picture size') },
			{ slug: 'full', name: tx('Full size', 'picture size') },
		],
		isRTL: isRtl(),
		richEditingEnabled: true,
		styles: [],
		supportsLayout: true,
		supportsTemplateMode: true,
		titlePlaceholder: t('Title'),
		__unstableIsBlockBasedTheme: true,
		__unstableResolvedAssets: {
			styles: `<link rel="stylesheet" id="vetrina-canvas" href="${getStylesheetUrl('canvas')}">`,
			scripts: '',
		},
	};
}
