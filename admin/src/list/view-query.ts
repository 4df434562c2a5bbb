/** Turns what a person chose in a list into the arguments of a request. */
import type { View } from '@wordpress/dataviews';

import type { Query } from '../api/client';
import type { Schema } from '../api/declarations';
import type { Collection, PresetView } from './collection';

/** Return the arguments of the page that a view shows. */
export function buildQuery(
	collection: Collection,
	view: View,
	preset: PresetView | undefined,
	args: Record<string, Schema>,
): Query {
	const query: Record<string, Query[string]> = { ...collection.query, ...preset?.query };
	query['page'] = view.page ?? 1;
	query['per_page'] = view.perPage ?? 20;
	query['search'] = view.search ?? '';
	const order = view.sort && (collection.orderNames?.[view.sort.field] ?? view.sort.field);
	if (view.sort && order !== undefined && args['orderby']?.enum?.includes(order)) {
		query['orderby'] = order;
		query['order'] = view.sort.direction;
	}
	for (const { field, operator, value } of view.filters ?? []) {
		if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)) {
			continue;
		}
		const own = collection.filterQueries?.[field];
		if (own) {
			Object.assign(query, own(value, operator));
		} else if (operator === 'after' || operator === 'before') {
			query[field === 'date' ? operator : `${field}_${operator}`] = String(value);
		} else {
			query[field] = value as Query[string];
		}
	}
	return query;
}
