/** What the list of products shows and does. */
import type { Option } from '@wordpress/dataviews';
import { decodeEntities } from '@wordpress/html-entities';

import { request } from '../../api/client';
import { formatMoney } from '../../app/money';
import { sprintf, t, tn, tx } from '../../app/i18n';
import { navigate } from '../../app/router';
import { showDone, showError } from '../../app/toasts';
import { sendBatch, type BatchPart } from '../../list/batches';
import type { Collection, Item } from '../../list/collection';
import { readAll } from '../catalogue/all-items';
import { labelChoice, listStatuses, listStockStatuses, listTypes, PRODUCTS, type Product } from '../catalogue/product';
import { sortAsTree, type Term } from '../catalogue/terms';
import { QuickEdit } from './quick-edit';

const MEMBERS = [
	'id',
	'name',
	'status',
	'type',
	'sku',
	'price',
	'regular_price',
	'sale_price',
	'stock_status',
	'stock_quantity',
	'manage_stock',
	'categories',
	'images',
	'date_created',
	'date_created_gmt',
	'date_modified_gmt',
	'permalink',
];

export function buildProductCollection(): Collection {
	return {
		name: 'products',
		path: PRODUCTS,
		title: t('Products'),
		singular: t('Product'),
		titleField: 'name',
		mediaField: 'images',
		columns: ['sku', 'stock_status', 'price', 'categories', 'type', 'date_created'],
		query: { context: 'edit', _fields: MEMBERS.join(',') },
		presets: [
			{ name: 'all', label: tx('All', 'records'), query: { status: 'any' } },
			{ name: 'published', label: tx('Published', 'records'), query: { status: 'publish' } },
			{ name: 'drafts', label: tx('Drafts', 'records'), query: { include_status: ['draft', 'pending'] } },
			{ name: 'trash', label: tx('Trash', 'records'), query: { status: 'trash' } },
		],
		fields: {
			name: { label: t('Product'), enableHiding: false, render: Name },
			images: { label: t('Picture'), type: 'media', filterBy: false, render: Picture },
			sku: { label: t('SKU'), filterBy: false },
			price: { label: t('Price'), type: 'text', render: Price },
			stock_status: { label: t('Stock'), elements: listStockStatuses(), render: Stock },
			type: {
				label: t('Kind'),
				elements: listTypes(),
				render: ({ item }) => <>{labelChoice(listTypes(), item['type'])}</>,
			},
			status: {
				elements: listStatuses(),
				filterBy: false,
				render: ({ item }) => <>{labelChoice(listStatuses(), item['status'])}</>,
			},
			categories: {
				label: t('Categories'),
				type: 'array',
				filterBy: { operators: ['isAny'] },
				getElements: loadCategories,
				render: ({ item }) => (
					<>{(item as Product).categories.map((one) => decodeEntities(one.name ?? '')).join(', ')}</>
				),
			},
			date_created: { label: t('Date'), filterBy: false },
		},
		filterQueries: {
			categories: (value) => ({ category: (value as number[]).join(',') }),
		},
		orderNames: { name: 'title', date_created: 'date' },
		sort: { field: 'date_created', direction: 'desc' },
		grid: true,
		getItemPath: (item) => (item['status'] === 'trash' ? null : `/products/${String(item.id)}`),
		addPath: '/products/new',
		hasTrash: true,
		send: sendProductWrites,
		actions: [
			{
				id: 'quick-edit',
				label: t('Quick edit'),
				isPrimary: true,
				isEligible: (item) => item['status'] !== 'trash',
				supportsBulk: true,
				RenderModal: ({ items, closeModal }) => (
					<QuickEdit products={items as Product[]} onClose={() => closeModal?.()} />
				),
			},
			{
				id: 'duplicate',
				label: t('Duplicate'),
				isEligible: (item) => item['status'] !== 'trash',
				callback: ([item]) => {
					if (item) {
						request<Item>(`${PRODUCTS}/${String(item.id)}/duplicate`, { method: 'POST' }).then((copy) => {
							showDone(t('The copy is a draft.'));
							navigate(`/products/${String(copy.id)}`);
						}, showError);
					}
				},
			},
			{
				id: 'publish',
				label: t('Publish'),
				supportsBulk: true,
				isEligible: (item) => item['status'] === 'draft' || item['status'] === 'pending',
				callback: (items) => {
					const write = (statusOf: (item: Item) => unknown): Promise<unknown> =>
						sendProductWrites(
							items.map((item) => ({
								method: 'POST',
								path: `${PRODUCTS}/${String(item.id)}`,
								body: { status: statusOf(item) },
							})),
						);
					write(() => 'publish').then(
						() =>
							showDone(
								sprintf(tn('%d product is published.', '%d products are published.', items.length), items.length),
								() => write((item) => item['status']),
							),
						showError,
					);
				},
			},
			{
				id: 'look',
				label: t('View on the site'),
				isEligible: (item) => item['status'] === 'publish',
				callback: ([item]) => {
					window.open(String(item?.['permalink'] as string), '_blank', 'noopener');
				},
			},
		],
	};
}

/** Products go into the trash by their status, so that many take one request. */
function sendProductWrites(parts: BatchPart[]): Promise<unknown[]> {
	return sendBatch(
		parts.map((one) =>
			one.method === 'DELETE' && one.query?.['force'] !== true
				? { ...one, method: 'POST', body: { status: 'trash' } }
				: one,
		),
	);
}

async function loadCategories(): Promise<Option[]> {
	const terms = await readAll<Term>(`${PRODUCTS}/categories`, {
		_fields: 'id,name,parent',
		orderby: 'name',
		order: 'asc',
	});
	return sortAsTree(terms).map(({ term, depth }) => ({ value: term.id, label: '– '.repeat(depth) + term.name }));
}

function Name({ item }: { item: Item }) {
	const { name, status } = item as Product;
	return (
		<span className="title-cell">
			{decodeEntities(name) || t('(no title)')}
			{status !== 'publish' && status !== 'trash' && (
				<span className="quiet"> — {labelChoice(listStatuses(), status)}</span>
			)}
		</span>
	);
}

function Picture({ item }: { item: Item }) {
	const [first] = (item as Product).images;
	return first ? (
		<img className="product-picture" src={first.src} alt="" loading="lazy" />
	) : (
		<span className="no-picture" />
	);
}

function Price({ item }: { item: Item }) {
	const { price, regular_price: regular, sale_price: sale, type } = item as Product;
	if (price === '') {
		return <span className="quiet">{t('No price')}</span>;
	}
	if (type === 'variable' || type === 'grouped') {
		return <>{sprintf(tx('from %s', 'price'), formatMoney(price))}</>;
	}
	return sale !== '' && price === sale ? (
		<>
			<del className="quiet">{formatMoney(regular)}</del> <ins className="sale-price">{formatMoney(sale)}</ins>
		</>
	) : (
		<>{formatMoney(price)}</>
	);
}

function Stock({ item }: { item: Item }) {
	const { stock_status: status, stock_quantity: quantity, manage_stock: managed } = item as Product;
	return (
		<span className={`stock stock-${status}`}>
			{labelChoice(listStockStatuses(), status)}
			{managed && quantity !== null && ` (${String(quantity)})`}
		</span>
	);
}
