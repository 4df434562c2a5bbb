/** The list of shipping classes. */
import { t } from '../../app/i18n';
import type { Collection } from '../../list/collection';

export function buildShippingClassCollection(): Collection {
	return {
		name: 'shipping-classes',
		path: '/wc/v3/products/shipping_classes',
		title: t('Shipping classes'),
		singular: t('Shipping class'),
		titleField: 'name',
		columns: ['slug', 'description', 'count'],
		form: ['name', 'slug', 'description'],
		fields: { description: { filterBy: false } },
		sort: { field: 'name', direction: 'asc' },
		getItemPath: (item) => `/records/shipping-classes/${String(item.id)}`,
		addPath: '/records/shipping-classes/new',
	};
}
