/** What the list of coupons shows and does. */
import { formatDate } from '../../app/formats';
import { formatMoney } from '../../app/money';
import { t, tx } from '../../app/i18n';
import type { Collection, Item } from '../../list/collection';
import { labelChoice, listStatuses } from '../catalogue/product';
import { COUPONS, listDiscountTypes, type Coupon } from './coupon';

export function buildCouponCollection(): Collection {
	return {
		name: 'coupons',
		path: COUPONS,
		title: t('Coupons'),
		singular: t('Coupon'),
		titleField: 'code',
		columns: ['discount_type', 'amount', 'usage_count', 'date_expires', 'status'],
		presets: [
			{ name: 'all', label: tx('All', 'records'), query: { status: 'any' } },
			{ name: 'published', label: tx('Published', 'records'), query: { status: 'publish' } },
			{ name: 'drafts', label: tx('Drafts', 'records'), query: { status: 'draft' } },
			{ name: 'trash', label: tx('Trash', 'records'), query: { status: 'trash' } },
		],
		fields: {
			code: { label: t('Code'), filterBy: false },
			discount_type: {
				label: t('Kind'),
				filterBy: false,
				render: ({ item }) => <>{labelChoice(listDiscountTypes(), item['discount_type'])}</>,
			},
			amount: { label: t('Amount'), type: 'text', render: Amount },
			usage_count: { label: t('Used'), type: 'text', render: Uses },
			date_expires: { label: t('Good until'), render: Expiry },
			status: {
				elements: listStatuses(),
				filterBy: false,
				render: ({ item }) => <>{labelChoice(listStatuses(), item['status'])}</>,
			},
		},
		orderNames: { code: 'title' },
		getItemPath: (item) => (item['status'] === 'trash' ? null : `/coupons/${String(item.id)}`),
		addPath: '/coupons/new',
		hasTrash: true,
	};
}

function Amount({ item }: { item: Item }) {
	const { amount, discount_type: kind } = item as Coupon;
	return <>{kind === 'percent' ? `${String(Number(amount))} %` : formatMoney(amount)}</>;
}

function Uses({ item }: { item: Item }) {
	const { usage_count: count, usage_limit: limit } = item as Coupon;
	return <>{limit ? `${String(count)} / ${String(limit)}` : String(count)}</>;
}

function Expiry({ item }: { item: Item }) {
	const { date_expires: expires } = item as Coupon;
	return expires ? <time dateTime={expires}>{formatDate(new Date(expires))}</time> : <span className="quiet">–</span>;
}
