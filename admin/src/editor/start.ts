/** What the editors need once: blocks, preferences, the way to the interface, the media picker. */
import { registerCoreBlocks } from '@wordpress/block-library';
import {
	getBlockBindingsSources,
	getBlockTypes,
	unregisterBlockBindingsSource,
	unregisterBlockType,
} from '@wordpress/blocks';
import { dispatch } from '@wordpress/data';
import '@wordpress/format-library';
import { addFilter } from '@wordpress/hooks';
import { setLocaleData } from '@wordpress/i18n';
import { store as preferencesStore } from '@wordpress/preferences';
import { unregisterFormatType } from '@wordpress/rich-text';

import './api-fetch';
import { prepareDates } from './dates';
import { followFormerLinks } from './former-links';
import { MediaUpload } from './media-picker/media-upload';
import { loadPreferences } from './preferences';
import { registerCoreBlockBindingsSources } from './private-apis';
import { replaceRegistrations } from './registrations';

const DEFAULTS = {
	core: {
		allowRightClickOverrides: true,
		editorMode: 'visual',
		enableChoosePatternModal: true,
		fixedToolbar: false,
		hiddenBlockTypes: [],
		inactivePanels: [],
		isPublishSidebarEnabled: true,
		openPanels: ['post-status'],
		showBlockBreadcrumbs: true,
		showIconLabels: false,
		showListViewByDefault: false,
	},
	'core/edit-post': { themeStyles: true, welcomeGuide: false, welcomeGuideTemplate: false },
	'core/edit-site': {
		welcomeGuide: false,
		welcomeGuideStyles: false,
		welcomeGuidePage: false,
		welcomeGuideTemplate: false,
	},
};

let started = false;

/** Prepare the editors; calling it again does nothing. */
export function startEditor(): void {
	if (started) {
		return;
	}
	started = true;
	prepareDates();
	nameWindows();
	setPreferenceDefaults();
	loadPreferences();
	addFilter('editor.MediaUpload', 'vetrina/media-picker', () => MediaUpload);
	followFormerLinks();
	// A file that is dropped beside the places for it would take the page away.
	window.addEventListener('dragover', (event) => event.preventDefault());
	window.addEventListener('drop', (event) => event.preventDefault());
}

/** The site editor writes the title of the window, with the name of another product in it. */
function nameWindows(): void {
	setLocaleData({ '%1$s ‹ %2$s ‹ Editor — WordPress': ['%1$s – %2$s'] });
}

/** Choose what holds until the person chooses. */
export function setPreferenceDefaults(): void {
	for (const [scope, defaults] of Object.entries(DEFAULTS)) {
		dispatch(preferencesStore).setDefaults(scope, defaults);
	}
}

let registeredFor = '';

/** Register the blocks for the post editor. */
export function registerBlocks(): void {
	registerBlocksFor('post', () => {
		registerCoreBlocks();
		registerCoreBlockBindingsSources();
	});
}

/** Let a function register the blocks of an editor. The two register theirs differently, and none may be there twice. */
export function registerBlocksFor(editor: 'post' | 'site', register: () => void): void {
	// The site editor registers them each time that it opens.
	if (registeredFor !== editor || editor === 'site') {
		getBlockTypes().forEach(({ name }) => unregisterBlockType(name));
		Object.keys(getBlockBindingsSources()).forEach(unregisterBlockBindingsSource);
		if (registeredFor !== '') {
			// Comes with one of the blocks.
			unregisterFormatType('core/footnote');
		}
		replaceRegistrations(register);
		registeredFor = editor;
	}
}
