/** Filters of a report: made from the arguments that its routes declare. */
import type { Query } from '../../api/client';
import { getType, type Schema } from '../../api/declarations';
import { t } from '../../app/i18n';

/** Where the things are that a filter names by their numbers. */
export interface Lookup {
	path: string;
	/** Member of a thing that is its name. */
	label: string;
}

export interface Filter {
	/** The argument of the interface. */
	name: string;
	label: string;
	control: 'choice' | 'tokens' | 'date' | 'number' | 'text';
	/** What can be chosen, where that is declared. */
	options?: string[];
	lookup?: Lookup;
	/** Whether what is typed are numbers. */
	numeric?: boolean;
}

/** Arguments that are no filters: pages, orders, spans, what an answer has. Pairs have no control of their own. */
const OTHERS =
	/^(context|page|per_page|offset|after|before|order|orderby|force_cache_refresh|match|interval|fields|segmentby|extended_info|customer|searchby|attribute_is|attribute_is_not|\w+_between)$/;

/** Customers can be named in five ways; one is enough. */
const CUSTOMER_DOUBLES = /^(include|customers|users|(username|email|location)_(includes|excludes))$/;

const PRODUCTS: Lookup = { path: '/wc/v3/products', label: 'name' };
const CATEGORIES: Lookup = { path: '/wc/v3/products/categories', label: 'name' };
const VARIATIONS: Lookup = { path: '/wc-analytics/variations', label: 'name' };
const COUPONS: Lookup = { path: '/wc/v3/coupons', label: 'code' };
const TAXES: Lookup = { path: '/wc/v3/taxes', label: 'name' };
const CUSTOMERS: Lookup = { path: '/wc-analytics/customers', label: 'name' };

interface Subject {
	label: () => string;
	/** The label where the filter leaves out. */
	excluded?: () => string;
	lookup?: Lookup;
}

/** By the argument, without the ending that says whether it takes in or leaves out. */
const SUBJECTS: Record<string, Subject> = {
	product: { label: () => t('Product'), excluded: () => t('Not the product'), lookup: PRODUCTS },
	products: { label: () => t('Product'), lookup: PRODUCTS },
	include: { label: () => t('Product'), excluded: () => t('Not the product'), lookup: PRODUCTS },
	parent: { label: () => t('Variations of'), excluded: () => t('No variations of'), lookup: PRODUCTS },
	category: { label: () => t('Category'), excluded: () => t('Not the category'), lookup: CATEGORIES },
	categories: { label: () => t('Category'), lookup: CATEGORIES },
	variation: { label: () => t('Variation'), excluded: () => t('Not the variation'), lookup: VARIATIONS },
	variations: { label: () => t('Variation'), lookup: VARIATIONS },
	coupon: { label: () => t('Coupon'), excluded: () => t('Not the coupon'), lookup: COUPONS },
	coupons: { label: () => t('Coupon'), lookup: COUPONS },
	tax_rate: { label: () => t('Tax rate'), excluded: () => t('Not the tax rate'), lookup: TAXES },
	taxes: { label: () => t('Tax rate'), lookup: TAXES },
	customer: { label: () => t('Customer'), excluded: () => t('Not the customer'), lookup: CUSTOMERS },
	name: { label: () => t('Customer'), excluded: () => t('Not the customer'), lookup: CUSTOMERS },
	order: { label: () => t('Order number'), excluded: () => t('Not the order number') },
	status_is: { label: () => t('Status') },
	status_is_not: { label: () => t('Not the status') },
	customer_type: { label: () => t('Kind of customer') },
	refunds: { label: () => t('Refunds') },
	date_type: { label: () => t('Orders go by') },
	type: { label: () => t('Stock') },
	user_type: { label: () => t('Account') },
	ip_address: { label: () => t('IP address'), excluded: () => t('Not the IP address') },
	country: { label: () => t('Countries, by code'), excluded: () => t('Not the countries') },
	search: { label: () => t('Name') },
	registered_after: { label: () => t('Registered since') },
	registered_before: { label: () => t('Registered until') },
	last_active_after: { label: () => t('Seen since') },
	last_active_before: { label: () => t('Seen until') },
	last_order_after: { label: () => t('Last order since') },
	last_order_before: { label: () => t('Last order until') },
	orders_count_min: { label: () => t('Orders, at least') },
	orders_count_max: { label: () => t('Orders, at most') },
	total_spend_min: { label: () => t('Spent, at least') },
	total_spend_max: { label: () => t('Spent, at most') },
	avg_order_value_min: { label: () => t('Average order value, at least') },
	avg_order_value_max: { label: () => t('Average order value, at most') },
	filter_empty: { label: () => t('Known of the customer') },
};

/** Return the filters that all routes of a report have. */
export function listFilters(routes: Record<string, Schema>[]): Filter[] {
	const [first = {}, ...others] = routes;
	return Object.entries(first)
		.filter(([name]) => !OTHERS.test(name) && !isDouble(name, first) && others.every((one) => name in one))
		.map(([name, schema]) => describeFilter(name, schema));
}

function describeFilter(name: string, schema: Schema): Filter {
	const [subject, excludes] = readSubject(name);
	const known = SUBJECTS[subject];
	return {
		name,
		label: (excludes ? known?.excluded : known?.label)?.() ?? humanize(name),
		...chooseControl(schema),
		...(known?.lookup ? { control: 'tokens', lookup: known.lookup } : {}),
	};
}

/** Return whether an argument says only again what another one does, as `products` beside `product_includes`. */
function isDouble(name: string, all: Record<string, Schema>): boolean {
	const one = name === 'categories' ? 'category' : name.replace(/s$/, '');
	return (one !== name && `${one}_includes` in all) || ('name_includes' in all && CUSTOMER_DOUBLES.test(name));
}

function readSubject(name: string): [subject: string, excludes: boolean] {
	if (name === 'exclude' || name === 'parent_exclude') {
		return [name === 'exclude' ? 'include' : 'parent', true];
	}
	const ending = /_(includes|excludes)$/.exec(name);
	return ending ? [name.slice(0, ending.index), ending[1] === 'excludes'] : [name, false];
}

function chooseControl(schema: Schema): Pick<Filter, 'control' | 'options' | 'numeric'> {
	const type = getType(schema);
	const values = (schema.enum ?? schema.items?.enum)?.map(String).filter(Boolean);
	if (type === 'array') {
		const numeric = schema.items !== undefined && getType(schema.items) === 'integer';
		return { control: 'tokens', numeric, ...(values ? { options: values } : {}) };
	}
	if (values) {
		return { control: 'choice', options: values };
	}
	if (schema.format === 'date-time') {
		return { control: 'date' };
	}
	return { control: type === 'integer' || type === 'number' ? 'number' : 'text' };
}

/** Return the arguments of a request: what of the chosen filters is offered. */
export function buildFilterQuery(filters: Filter[], chosen: Record<string, string>): Query {
	const query: Record<string, Query[string]> = {};
	for (const { name, control } of filters) {
		const value = chosen[name];
		if (!value) {
			continue;
		}
		if (control === 'date') {
			query[name] = name.endsWith('_before') ? `${value}T23:59:59` : `${value}T00:00:00`;
		} else {
			// The interface takes texts with commas for lists of numbers, but where it declares a text no list.
			query[name] = control === 'tokens' && !name.startsWith('name_') ? value.split(',') : value;
		}
	}
	return query;
}

function humanize(name: string): string {
	const words = name.replaceAll('_', ' ');
	return words.charAt(0).toUpperCase() + words.slice(1);
}
