/** Values of enumerations in reports, as a person reads them. */
import { t, tx } from '../../app/i18n';

const VALUES: Record<string, () => string> = {
	any: () => t('Any'),
	trash: () => tx('In the trash', 'status'),
	pending: () => tx('Waits for payment', 'order status'),
	processing: () => tx('In progress', 'order status'),
	'on-hold': () => tx('On hold', 'order status'),
	completed: () => tx('Completed', 'order status'),
	cancelled: () => tx('Cancelled', 'order status'),
	refunded: () => tx('Refunded', 'order status'),
	failed: () => tx('Failed', 'order status'),
	'checkout-draft': () => tx('Draft', 'order status'),
	new: () => t('New customers'),
	returning: () => t('Returning customers'),
	instock: () => t('In stock'),
	lowstock: () => t('Low in stock'),
	outofstock: () => t('Out of stock'),
	onbackorder: () => t('On backorder'),
	all: () => t('All'),
	partial: () => tx('In part', 'refund'),
	full: () => tx('In full', 'refund'),
	none: () => tx('Not refunded', 'refund'),
	percent: () => t('Percentage'),
	fixed_cart: () => t('Fixed amount of the cart'),
	fixed_product: () => t('Fixed amount of a product'),
	date_paid: () => t('Date of payment'),
	date_created: () => t('Date of the order'),
	date_completed: () => t('Date of completion'),
	registered: () => t('With an account'),
	guest: () => t('Guests'),
	product: () => t('By product'),
	category: () => t('By category'),
	variation: () => t('By variation'),
	coupon: () => t('By coupon'),
	customer_type: () => t('New and returning customers'),
	tax_rate_id: () => t('By tax rate'),
	username: () => t('User name'),
	email: () => t('E-mail address'),
	name: () => t('Name'),
	country: () => t('Country'),
	city: () => t('Town'),
	state: () => t('Province'),
	postcode: () => t('Postcode'),
};

export function labelReportValue(value: unknown): string {
	const name = typeof value === 'string' ? value : '';
	return VALUES[name]?.() ?? name;
}
