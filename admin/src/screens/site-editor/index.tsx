import { lazy, useEffect, useRef } from 'react';

import { t } from '../../app/i18n';
import { useContentLanguage } from '../../app/router';
import { prefetchSite } from '../../editor/first-requests';

const loadSiteEditor = () => import('./site-editor');
const SiteEditor = lazy(loadSiteEditor);

/** Changes how the site looks: templates and their parts, navigation, styles, patterns. */
export default function SiteEditorScreen() {
	// The site editor writes the address itself, and drops what it does not know; the language is that of its opening.
	const language = useRef(useContentLanguage());
	const asked = useRef(false);
	if (!asked.current) {
		asked.current = true;
		prefetchSite(language.current);
	}
	useEffect(() => {
		document.title = t('Site editor');
	}, []);
	return <SiteEditor language={language.current} />;
}
