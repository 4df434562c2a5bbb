/** The list of redirects. */
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
		sort: { field: 'source', direction: 'asc' },
		getItemPath: (item) => `/records/redirects/${String(item.id)}`,
		addPath: '/records/redirects/new',
	};
}
