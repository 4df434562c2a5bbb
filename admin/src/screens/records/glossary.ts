/** The list of the glossary, for those who manage translations. */
import { boot } from '../../app/boot';
import { t } from '../../app/i18n';
import type { Collection } from '../../list/collection';

export const GLOSSARY_PATH = '/wpml/v1/glossary';

export function buildGlossaryCollection(): Collection {
	const elements = boot.languages.map(({ code, name }) => ({ value: code, label: name }));
	return {
		name: 'glossary',
		path: GLOSSARY_PATH,
		title: t('Glossary'),
		singular: t('Term'),
		titleField: 'term',
		columns: ['source_language', 'language', 'translation', 'note'],
		form: ['term', 'source_language', 'language', 'translation', 'note', 'case_sensitive'],
		fields: {
			term: { label: t('Term') },
			source_language: { label: t('Its language'), elements },
			language: { label: t('Translated into'), elements },
			translation: { label: t('Translation') },
			note: { label: t('Note'), Edit: { control: 'textarea', rows: 3 } },
			case_sensitive: { label: t('Another word in another case') },
		},
		faultMembers: { mlang_glossary_entry_exists: 'term' },
		sort: { field: 'term', direction: 'asc' },
		getItemPath: (item) => `/records/glossary/${String(item.id)}`,
		addPath: '/records/glossary/new',
	};
}
