import { store as coreStore } from '@wordpress/core-data';
import { resolveSelect } from '@wordpress/data';
import { initializeEditor } from '@wordpress/edit-site';
import { useEffect } from 'react';

import { boot } from '../../app/boot';
import { showError } from '../../app/toasts';
import { DesignConflicts } from '../../editor/design-conflicts';
import { EditorCommands } from '../../editor/editor-commands';
import { clearStoreEdits, openStore } from '../../editor/editor-store';
import { buildSettings, type Theme } from '../../editor/settings';
import { registerBlocksFor, setPreferenceDefaults, startEditor } from '../../editor/start';
import { DesignDrafts } from './design-drafts';
import { SiteConnection } from './site-connection';
import { TemplateLock } from './template-lock';

startEditor();

const ELEMENT = 'site-editor';

interface Props {
	language: string;
}

/** The site editor of `edit-site`; it makes a root of its own, which is taken down as the person leaves. */
export default function SiteEditor({ language }: Props) {
	useEffect(() => {
		openStore(language);
		let unmount: (() => void) | undefined;
		let left = false;
		// Before the theme is known the site editor shows the page of a theme without blocks.
		resolveSelect(coreStore)
			.getCurrentTheme()
			.then((theme) => {
				if (left) {
					return;
				}
				registerBlocksFor('site', () => {
					const root = initializeEditor(ELEMENT, {
						...buildSettings(theme as Theme | undefined),
						__experimentalDashboardLink: `${boot.admin}/`,
					});
					unmount = () => root.unmount();
				});
				setPreferenceDefaults();
			}, showError);
		return () => {
			left = true;
			// Not while React renders the shell, of which this root knows nothing.
			window.setTimeout(() => {
				unmount?.();
				clearStoreEdits();
			});
		};
	}, [language]);
	return (
		<>
			<div id={ELEMENT} className="site-editor edit-site" />
			<EditorCommands />
			<DesignConflicts language={language} />
			<DesignDrafts language={language} />
			<TemplateLock />
			<SiteConnection />
		</>
	);
}
