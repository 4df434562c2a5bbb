/** The list of a site's own patterns. */
import { can } from '../../app/boot';
import { t, tx } from '../../app/i18n';
import type { Collection } from '../../list/collection';
import { labelValue } from '../../list/labels';

export function buildPatternCollection(): Collection {
	return {
		name: 'patterns',
		path: '/wp/v2/blocks',
		title: t('Patterns'),
		singular: t('Pattern'),
		titleField: 'title',
		columns: ['wp_pattern_sync_status', 'wp_pattern_category', 'modified'],
		query: { context: 'edit', status: 'any', _embed: 'wp:term' },
		relations: { wp_pattern_category: { path: '/wp/v2/wp_pattern_category', label: 'name', embedded: 'wp:term' } },
		fields: { wp_pattern_sync_status: { getValue: ({ item }) => labelKind(item['wp_pattern_sync_status']) } },
		sort: { field: 'modified', direction: 'desc' },
		multilingual: true,
		getItemPath: (item) => `/content/wp_block/${String(item.id)}`,
		addPath: can('edit_posts') ? '/content/wp_block/new' : null,
		hasTrash: true,
	};
}

function labelKind(kind: unknown): string {
	return kind ? labelValue(kind) : tx('Synced', 'pattern');
}
