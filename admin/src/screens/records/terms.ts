/** Lists and forms of a taxonomy's terms. */
import { getCollectionPath, type Taxonomy } from '../../app/content-types';
import { can } from '../../app/boot';
import { t } from '../../app/i18n';
import type { Collection } from '../../list/collection';

export function buildTermCollection(taxonomy: Taxonomy): Collection {
	const path = getCollectionPath(taxonomy);
	// Some taxonomies name rights that accounts have by the one over all terms.
	const edits = can('manage_categories') || can(taxonomy.capabilities['edit_terms'] ?? '');
	return {
		name: taxonomy.slug,
		path,
		title: taxonomy.labels['name'] ?? taxonomy.name,
		singular: taxonomy.labels['singular_name'] ?? taxonomy.name,
		titleField: 'name',
		columns: ['slug', ...(taxonomy.hierarchical ? ['parent'] : []), 'count'],
		form: ['name', 'slug', 'parent', 'description'],
		query: { context: 'edit', _embed: 'up' },
		relations: taxonomy.hierarchical ? { parent: { path, label: 'name', embedded: 'up' } } : {},
		sort: { field: 'name', direction: 'asc' },
		fields: {
			slug: { description: t('What stands for the name in addresses; made of the name where it is left empty.') },
			parent: { description: t('What it belongs to; empty for the top.') },
		},
		empty: t('There is none yet. Add the first, and sort records by it in their editor.'),
		multilingual: true,
		getItemPath: (item) => `/records/${taxonomy.slug}/${String(item.id)}`,
		addPath: edits ? `/records/${taxonomy.slug}/new` : null,
		removeQuery: { force: true },
	};
}
