/** The figures of reports: what they are called, and how they are written. */
import { boot } from '../../app/boot';
import { formatNumber } from '../../app/formats';
import { t } from '../../app/i18n';
import { formatMoney, shopCurrency } from '../../app/money';

export type FigureKind = 'money' | 'count' | 'average';

interface Figure {
	label: () => string;
	kind: FigureKind;
}

const money = (label: () => string): Figure => ({ label, kind: 'money' });
const count = (label: () => string): Figure => ({ label, kind: 'count' });

/** By the names of the interface. */
const FIGURES: Record<string, Figure> = {
	total_sales: money(() => t('Total sales')),
	net_revenue: money(() => t('Net sales')),
	gross_sales: money(() => t('Gross sales')),
	orders_count: count(() => t('Orders')),
	avg_order_value: money(() => t('Average order value')),
	avg_items_per_order: { label: () => t('Items per order'), kind: 'average' },
	items_sold: count(() => t('Items sold')),
	num_items_sold: count(() => t('Items sold')),
	refunds: money(() => t('Refunds')),
	coupons: money(() => t('Discounts')),
	coupons_count: count(() => t('Coupons used')),
	amount: money(() => t('Discounts')),
	taxes: money(() => t('Taxes')),
	total_tax: money(() => t('Taxes')),
	order_tax: money(() => t('Taxes on goods')),
	shipping_tax: money(() => t('Taxes on shipping')),
	tax_codes: count(() => t('Tax rates used')),
	shipping: money(() => t('Shipping')),
	total_customers: count(() => t('Customers who bought')),
	download_count: count(() => t('Downloads')),
	customers_count: count(() => t('Customers listed')),
	avg_orders_count: { label: () => t('Orders per customer'), kind: 'average' },
	avg_total_spend: money(() => t('Spent per customer')),
	avg_avg_order_value: money(() => t('Average order value')),
	products: count(() => t('Products')),
	instock: count(() => t('In stock')),
	lowstock: count(() => t('Low in stock')),
	outofstock: count(() => t('Out of stock')),
	onbackorder: count(() => t('On backorder')),
};

const locale = boot.locale.replace('_', '-');
const percent = new Intl.NumberFormat(locale, {
	style: 'percent',
	maximumFractionDigits: 1,
	signDisplay: 'exceptZero',
});

export function labelFigure(name: string): string {
	return FIGURES[name]?.label() ?? name;
}

export function getFigureKind(name: string): FigureKind {
	return FIGURES[name]?.kind ?? 'count';
}

/** Write a value in full, as it stands in tables. */
export function formatFigure(kind: FigureKind, value: number): string {
	return kind === 'money' ? formatMoney(value) : formatNumber(value);
}

/** Write a value beside an axis, where there is little room. */
export function formatShortly(kind: FigureKind, value: number): string {
	return new Intl.NumberFormat(locale, {
		notation: 'compact',
		maximumFractionDigits: 1,
		...(kind === 'money' ? { style: 'currency', currency: shopCurrency, minimumFractionDigits: 0 } : {}),
	}).format(value);
}

/** Write by how much a value differs from an earlier one; null where that was nothing. */
export function formatChange(now: number, before: number): string | null {
	return before === 0 ? null : percent.format((now - before) / Math.abs(before));
}
