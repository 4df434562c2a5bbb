/** The list of redirects. */
import { boot } from '../../app/boot';
import { t } from '../../app/i18n';
import type { Collection } from '../../list/collection';

export function buildRedirectCollection(): Collection {
	return {
		name: 'redirects',
		path: '/wp/v2/redirects',
		title: t('Redirects'),
		singular: t('Redirect'),
		titleField: 'source',
		columns: ['target', 'status', 'language', 'active', 'hits', 'last_hit_gmt'],
		form: ['source', 'target', 'status', 'language', 'active'],
		start: { status: 301, language: '', active: true },
		empty: t('There is none yet. Add one where an address has changed, so that old links still lead somewhere.'),
		fields: {
			source: {
				description: t('The old address, from the first slash on: /old-page. With /old/* all that was below /old.'),
			},
			target: { description: t('Where it leads now: a path of this site or a whole address; empty for what is gone.') },
			active: { label: t('In force') },
			status: {
				elements: [
					{ value: 301, label: t('301, moved for good') },
					{ value: 302, label: t('302, elsewhere for now') },
					{ value: 307, label: t('307, elsewhere for now, same method') },
					{ value: 308, label: t('308, moved for good, same method') },
					{ value: 410, label: t('410, gone') },
				],
			},
			language: {
				elements: [
					{ value: '', label: t('All languages') },
					...boot.languages.map(({ code, name }) => ({ value: code, label: name })),
				],
			},
		},
		sort: { field: 'source', direction: 'asc' },
		getItemPath: (item) => `/records/redirects/${String(item.id)}`,
		addPath: '/records/redirects/new',
	};
}
