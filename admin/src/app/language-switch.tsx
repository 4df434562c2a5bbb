import { boot } from './boot';
import { t } from './i18n';
import { setQuery, useContentLanguage } from './router';

/** Chooses the language of the content that screens show. */
export function LanguageSwitch() {
	const language = useContentLanguage();
	return (
		<label className="language-switch">
			<span className="visually-hidden">{t('Language of the content')}</span>
			<select value={language} onChange={(event) => setQuery({ lang: event.target.value })}>
				{boot.languages.map(({ code, name }) => (
					<option key={code} value={code} lang={code}>
						{name}
					</option>
				))}
			</select>
		</label>
	);
}
