/**
 * Labels of types and taxonomies in the person's language.
 *
 * The interface makes them in English from two names, which a profile chooses; those that every site has are translated
 * here, and so are the sentences around the names. A label of the profile's own stays as it is.
 */
import { sprintf, t, tx } from './i18n';

type Labels = Record<string, string | null>;

interface Kind {
	name?: string;
	labels?: Labels;
}

const NAMES: Record<string, () => string> = {
	Posts: () => tx('Posts', 'type'),
	Post: () => tx('Post', 'type'),
	Pages: () => tx('Pages', 'type'),
	Page: () => tx('Page', 'type'),
	Media: () => tx('Media', 'type'),
	Categories: () => tx('Categories', 'type'),
	Category: () => tx('Category', 'type'),
	Tags: () => tx('Tags', 'type'),
	Tag: () => tx('Tag', 'type'),
	Patterns: () => tx('Patterns', 'type'),
	Pattern: () => tx('Pattern', 'type'),
	Templates: () => tx('Templates', 'type'),
	Template: () => tx('Template', 'type'),
	'Template Parts': () => tx('Template Parts', 'type'),
	'Template Part': () => tx('Template Part', 'type'),
	'Navigation Menus': () => tx('Navigation Menus', 'type'),
	'Navigation Menu': () => tx('Navigation Menu', 'type'),
	'Pattern Categories': () => tx('Pattern Categories', 'type'),
	'Pattern Category': () => tx('Pattern Category', 'type'),
	Products: () => tx('Products', 'type'),
	Product: () => tx('Product', 'type'),
	Variations: () => tx('Variations', 'type'),
	Variation: () => tx('Variation', 'type'),
	'Product categories': () => tx('Product categories', 'type'),
	'Product tags': () => tx('Product tags', 'type'),
	Brands: () => tx('Brands', 'type'),
	Brand: () => tx('Brand', 'type'),
	'Shipping classes': () => tx('Shipping classes', 'type'),
	'Shipping class': () => tx('Shipping class', 'type'),
};

/** By the member of the labels: the sentence in English, the name that is in it, and the sentence to show. */
const SENTENCES: Record<string, readonly ['name' | 'singular_name', string, () => string]> = {
	add_new: ['name', 'Add', () => t('Add')],
	add_new_item: ['singular_name', 'Add %s', () => t('Add %s')],
	edit_item: ['singular_name', 'Edit %s', () => t('Edit %s')],
	new_item: ['singular_name', 'New %s', () => t('New %s')],
	view_item: ['singular_name', 'View %s', () => t('View %s')],
	view_items: ['name', 'View %s', () => t('View %s')],
	search_items: ['name', 'Search %s', () => t('Search %s')],
	not_found: ['name', 'No %s found.', () => t('No %s found.')],
	parent_item: ['singular_name', 'Parent %s', () => t('Parent %s')],
	parent_item_colon: ['singular_name', 'Parent %s:', () => t('Parent %s:')],
	all_items: ['name', 'All %s', () => t('All %s')],
	featured_image: ['name', 'Featured image', () => t('Featured image')],
	set_featured_image: ['name', 'Set featured image', () => t('Set featured image')],
	remove_featured_image: ['name', 'Remove featured image', () => t('Remove featured image')],
	use_featured_image: ['name', 'Use as featured image', () => t('Use as featured image')],
	item_published: ['singular_name', '%s published.', () => t('%s published.')],
	item_published_privately: ['singular_name', '%s published privately.', () => t('%s published privately.')],
	item_reverted_to_draft: ['singular_name', '%s reverted to draft.', () => t('%s reverted to draft.')],
	item_trashed: ['singular_name', '%s trashed.', () => t('%s trashed.')],
	item_scheduled: ['singular_name', '%s scheduled.', () => t('%s scheduled.')],
	item_updated: ['singular_name', '%s updated.', () => t('%s updated.')],
	update_item: ['singular_name', 'Update %s', () => t('Update %s')],
	new_item_name: ['singular_name', 'New %s Name', () => t('New %s Name')],
	separate_items_with_commas: ['name', 'Separate %s with commas', () => t('Separate %s with commas')],
	add_or_remove_items: ['name', 'Add or remove %s', () => t('Add or remove %s')],
	choose_from_most_used: ['name', 'Choose from the most used %s', () => t('Choose from the most used %s')],
	no_terms: ['name', 'No %s', () => t('No %s')],
	most_used: ['name', 'Most Used', () => t('Most used')],
};

/** Return the name of a type or a taxonomy in the person's language. */
export function translateName(name: string): string {
	return NAMES[name]?.() ?? name;
}

/** Return a type or a taxonomy with its labels in the person's language. */
export function translateKind<Any extends Kind>(kind: Any): Any {
	const labels = kind.labels;
	return {
		...kind,
		...(kind.name ? { name: translateName(kind.name) } : {}),
		...(labels
			? {
					labels: Object.fromEntries(
						Object.entries(labels).map(([key, label]) => [key, translate(key, label, labels)]),
					),
				}
			: {}),
	};
}

function translate(key: string, label: string | null, labels: Labels): string | null {
	const sentence = SENTENCES[key];
	if (label === null || !sentence) {
		return label && translateName(label);
	}
	const [member, english, show] = sentence;
	const name = labels[member] ?? '';
	const isMade = [name, name.toLowerCase()].some((one) => english.replace('%s', one) === label);
	return isMade ? sprintf(show(), translateName(name)) : label;
}

/** Return what the interface told of types or taxonomies, by their names or one alone, with labels to show. */
export function translateKinds(body: unknown): unknown {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) {
		return body;
	}
	return 'slug' in body
		? translateKind(body as Kind)
		: Object.fromEntries(Object.entries(body).map(([name, kind]) => [name, translateKind(kind as Kind)]));
}
