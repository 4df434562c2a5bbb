/** Lists and forms of a taxonomy's terms. */
import { getCollectionPath, type Taxonomy } from '../../app/content-types';
import { can } from '../../app/boot';
import type { Collection } from '../../list/collection';

export function buildTermCollection(taxonomy: Taxonomy): Collection {
	const path = getCollectionPath(taxonomy);
	return {
		name: taxonomy.slug,
		path,
		title: taxonomy.labels['name'] ?? taxonomy.name,
		singular: taxonomy.labels['singular_name'] ?? taxonomy.name,
		titleField: 'name',
		columns: ['slug', ...(taxonomy.hierarchical ? ['parent'] : []), 'count'],
		form: ['name', 'slug', 'parent', 'description'],
		query: { context: 'edit' },
		relations: taxonomy.hierarchical ? { parent: { path, label: 'name' } } : {},
		sort: { field: 'name', direction: 'asc' },
		multilingual: true,
		getItemPath: (item) => `/records/${taxonomy.slug}/${String(item.id)}`,
		addPath: can(taxonomy.capabilities['edit_terms'] ?? 'manage_categories') ? `/records/${taxonomy.slug}/new` : null,
		removeQuery: { force: true },
	};
}
