/** The reports: one declaration each, from which the one screen is made. */
import { t, tx } from '../../app/i18n';

/** A row of a report as the interface sends it. */
export type Row = Record<string, unknown> & { extended_info?: Record<string, unknown> };

export interface Column {
	name: string;
	label: () => string;
	kind: 'text' | 'money' | 'count' | 'percent' | 'time' | 'value';
	/** The argument of `orderby`, where it is not the name; null where the interface does not order by it. */
	orderby?: string | null;
	/** What of a row it shows, where that is not the member of its name. */
	read?: (row: Row) => unknown;
}

export interface ReportDeclaration {
	/** Its name in addresses, and in those of its list and its file. */
	name: string;
	title: () => string;
	/** Figures over time. */
	stats?: {
		/** Name of the route: `reports/<path>/stats`. */
		path: string;
		/** Figures in the order of the interface; the first is drawn at first. */
		figures: string[];
		/** The segments that are always there, where the report is made of them. */
		segment?: string;
		/** Whether the filters of the list are not those of the figures. */
		unfiltered?: boolean;
	};
	/** Figures of `reports/<name>/stats` that have no intervals. */
	totals?: string[];
	/** Whether the table has a row an interval. */
	byInterval?: boolean;
	/** Whether it is of now, and no period is chosen. */
	timeless?: boolean;
	/** Whether the names of its rows have to be asked for. */
	extended?: boolean;
	columns: Column[];
	/** What the table is ordered by at first. */
	sort: Sort;
	/** Path of the screen of a row's thing. */
	getRowPath?: (row: Row) => string;
}

export interface Sort {
	column: string;
	order: 'asc' | 'desc';
}

const text = (name: string, label: () => string, more: Partial<Column> = {}): Column => ({
	name,
	label,
	kind: 'text',
	...more,
});
const of = (name: string, label: () => string, kind: Column['kind'], more: Partial<Column> = {}): Column => ({
	name,
	label,
	kind,
	...more,
});

const named = (member: string): ((row: Row) => unknown) => {
	return ({ extended_info: info }) => info?.[member] ?? tx('removed', 'what a report lists');
};
const extended = (member: string): ((row: Row) => unknown) => {
	return ({ extended_info: info }) => info?.[member];
};

const ITEMS = of('items_sold', () => t('Items sold'), 'count');
const NET = of('net_revenue', () => t('Net sales'), 'money');
const ORDERS = of('orders_count', () => t('Orders'), 'count');
const SKU = text('sku', () => t('SKU'), { read: extended('sku') });
const STOCK = of('stock_status', () => t('Stock'), 'value', { read: extended('stock_status'), orderby: null });

export const REPORTS: ReportDeclaration[] = [
	{
		name: 'revenue',
		title: () => t('Revenue'),
		stats: {
			path: 'revenue',
			figures: [
				'net_revenue',
				'total_sales',
				'gross_sales',
				'orders_count',
				'refunds',
				'coupons',
				'taxes',
				'shipping',
				'num_items_sold',
			],
		},
		byInterval: true,
		columns: [
			text('date', () => t('Date')),
			ORDERS,
			of('gross_sales', () => t('Gross sales'), 'money'),
			of('refunds', () => t('Refunds'), 'money'),
			of('coupons', () => t('Discounts'), 'money'),
			NET,
			of('taxes', () => t('Taxes'), 'money'),
			of('shipping', () => t('Shipping'), 'money'),
			of('total_sales', () => t('Total sales'), 'money'),
		],
		sort: { column: 'date', order: 'desc' },
	},
	{
		name: 'orders',
		extended: true,
		title: () => t('Orders'),
		stats: {
			path: 'orders',
			figures: [
				'orders_count',
				'net_revenue',
				'avg_order_value',
				'avg_items_per_order',
				'num_items_sold',
				'coupons',
				'total_customers',
			],
		},
		columns: [
			text('order_number', () => t('Order'), { orderby: null }),
			of('date', () => t('Date'), 'time'),
			of('status', () => t('Status'), 'value', { orderby: null }),
			text('customer', () => t('Customer'), {
				orderby: null,
				read: (row) => readName(row.extended_info?.['customer']),
			}),
			of('customer_type', () => t('Kind of customer'), 'value', { orderby: null }),
			text('products', () => t('Products'), {
				orderby: null,
				read: (row) => readLines(row.extended_info?.['products']),
			}),
			of('num_items_sold', () => t('Items sold'), 'count'),
			of('net_total', () => t('Net sales'), 'money'),
			of('total_sales', () => t('Total'), 'money', { orderby: null }),
		],
		sort: { column: 'date', order: 'desc' },
		// A refund is a row of its own, and looked at in its order.
		getRowPath: (row) => `/orders/${String(row['order_number'] as number)}`,
	},
	{
		name: 'products',
		extended: true,
		title: () => t('Products'),
		stats: { path: 'products', figures: ['items_sold', 'net_revenue', 'orders_count'] },
		columns: [
			text('name', () => t('Product'), { orderby: 'product_name', read: named('name') }),
			SKU,
			ITEMS,
			NET,
			ORDERS,
			STOCK,
		],
		sort: { column: 'items_sold', order: 'desc' },
	},
	{
		name: 'variations',
		extended: true,
		title: () => t('Variations'),
		stats: { path: 'variations', figures: ['items_sold', 'net_revenue', 'orders_count'] },
		columns: [
			text('name', () => t('Variation'), { orderby: null, read: named('name') }),
			SKU,
			ITEMS,
			NET,
			ORDERS,
			STOCK,
		],
		sort: { column: 'items_sold', order: 'desc' },
	},
	{
		name: 'categories',
		extended: true,
		title: () => t('Categories'),
		stats: { path: 'products', figures: ['items_sold', 'net_revenue', 'orders_count'], segment: 'category' },
		columns: [
			text('name', () => t('Category'), { orderby: 'category', read: named('name') }),
			ITEMS,
			NET,
			of('products_count', () => t('Products'), 'count'),
			ORDERS,
		],
		sort: { column: 'items_sold', order: 'desc' },
	},
	{
		name: 'coupons',
		extended: true,
		title: () => t('Coupons'),
		stats: { path: 'coupons', figures: ['orders_count', 'amount', 'coupons_count'] },
		columns: [
			text('code', () => t('Coupon'), { read: named('code') }),
			of('orders_count', () => t('Orders with a discount'), 'count'),
			of('amount', () => t('Discounts'), 'money'),
			of('discount_type', () => t('Kind'), 'value', { orderby: null, read: extended('discount_type') }),
			of('date_created', () => t('Made'), 'time', { orderby: null, read: extended('date_created') }),
			of('date_expires', () => t('Expires'), 'time', { orderby: null, read: extended('date_expires') }),
		],
		sort: { column: 'orders_count', order: 'desc' },
	},
	{
		name: 'taxes',
		title: () => t('Taxes'),
		stats: { path: 'taxes', figures: ['total_tax', 'order_tax', 'shipping_tax', 'orders_count', 'tax_codes'] },
		columns: [
			text('name', () => t('Tax rate'), {
				orderby: 'tax_code',
				read: (row) => [row['country'], row['state'], row['name']].filter(Boolean).join(' · '),
			}),
			of('tax_rate', () => t('Rate'), 'percent', { orderby: 'rate' }),
			of('total_tax', () => t('Taxes'), 'money'),
			of('order_tax', () => t('Taxes on goods'), 'money'),
			of('shipping_tax', () => t('Taxes on shipping'), 'money'),
			ORDERS,
		],
		sort: { column: 'total_tax', order: 'desc' },
	},
	{
		name: 'customers',
		title: () => t('Customers'),
		stats: {
			path: 'orders',
			figures: ['total_customers', 'orders_count', 'net_revenue'],
			segment: 'customer_type',
			unfiltered: true,
		},
		totals: ['customers_count', 'avg_orders_count', 'avg_total_spend', 'avg_avg_order_value'],
		columns: [
			text('name', () => t('Customer')),
			text('username', () => t('User name')),
			text('email', () => t('E-mail address')),
			text('country', () => t('Country')),
			text('city', () => t('Town')),
			of('date_registered', () => t('Since'), 'time'),
			of('date_last_active', () => t('Last seen'), 'time'),
			ORDERS,
			of('total_spend', () => t('Spent'), 'money'),
			of('avg_order_value', () => t('Average order value'), 'money'),
		],
		sort: { column: 'total_spend', order: 'desc' },
	},
	{
		name: 'stock',
		title: () => t('Stock'),
		totals: ['products', 'instock', 'lowstock', 'outofstock', 'onbackorder'],
		timeless: true,
		columns: [
			text('name', () => t('Product'), { orderby: 'title' }),
			text('sku', () => t('SKU')),
			of('stock_status', () => t('Status'), 'value'),
			text('stock_quantity', () => t('In stock'), {
				// What is not counted has no quantity, whatever number is sent.
				read: (row) => (row['manage_stock'] ? row['stock_quantity'] : '–'),
			}),
		],
		sort: { column: 'stock_status', order: 'asc' },
	},
	{
		name: 'downloads',
		title: () => t('Downloads'),
		stats: { path: 'downloads', figures: ['download_count'] },
		columns: [
			of('date', () => t('Date'), 'time'),
			text('file_name', () => t('File'), { orderby: 'product' }),
			text('order_number', () => t('Order'), { orderby: null }),
			text('username', () => t('User name'), { orderby: null }),
			text('ip_address', () => t('IP address'), { orderby: null }),
		],
		sort: { column: 'date', order: 'desc' },
	},
];

export function findReport(name: string): ReportDeclaration | undefined {
	return REPORTS.find((one) => one.name === name);
}

/** Return what a table is ordered by: the chosen column, or that of the report. */
export function readSort(report: ReportDeclaration, chosen: { orderby: string; order: 'asc' | 'desc' }): Sort {
	const known = report.columns.some(({ name }) => name === chosen.orderby);
	return known ? { column: chosen.orderby, order: chosen.order } : report.sort;
}

function readName(customer: unknown): string {
	const { first_name: first, last_name: last, username } = (customer ?? {}) as Record<string, string | undefined>;
	return [first, last].filter(Boolean).join(' ') || (username ?? '');
}

function readLines(lines: unknown): string {
	return ((lines ?? []) as { name: string; quantity: string }[])
		.map(({ name, quantity }) => `${quantity} × ${name}`)
		.join(', ');
}
