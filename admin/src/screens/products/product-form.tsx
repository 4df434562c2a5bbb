import { decodeEntities } from '@wordpress/html-entities';
import { useState } from 'react';
import { flushSync } from 'react-dom';

import { useChanges } from '../../api/changes';
import { request } from '../../api/client';
import { ApiError } from '../../api/errors';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { navigate } from '../../app/router';
import { Screen } from '../../app/screen';
import { showDone } from '../../app/toasts';
import { ConflictNotice } from '../../form/conflict-notice';
import { FormButtons } from '../../form/form-buttons';
import { useGuardedRecord } from '../../form/guarded-record';
import { useLeaveWarning } from '../../form/record-form';
import { dropSaved } from '../../form/schema-form';
import { checkAmount } from '../catalogue/amounts';
import { listProductFaults, PRODUCTS, type Product, type ProductEdits } from '../catalogue/product';
import { AttributesPanel } from './attributes-panel';
import { DeliveryPanel } from './delivery-panel';
import { DownloadsPanel } from './downloads-panel';
import { GroupsPanel } from './groups-panel';
import { LinkedPanel } from './linked-panel';
import { MetaPanel } from './meta-panel';
import { PicturesPanel } from './pictures-panel';
import { PricesPanel } from './prices-panel';
import { StatusPanel } from './status-panel';
import { StockPanel } from './stock-panel';
import { TextsPanel } from './texts-panel';
import { VariationsPanel } from './variations-panel';

/** What each panel of the form is given. */
export interface PanelProps {
	product: Product;
	change: (edits: ProductEdits) => void;
	/** What is wrong with each member. */
	faults: Record<string, string>;
}

const NOTHING = (): void => undefined;

const NEW: ProductEdits = {
	name: '',
	type: 'simple',
	status: 'draft',
	catalog_visibility: 'visible',
	description: '',
	short_description: '',
	sku: '',
	global_unique_id: '',
	regular_price: '',
	sale_price: '',
	date_on_sale_from: null,
	date_on_sale_to: null,
	downloads: [],
	download_limit: -1,
	download_expiry: -1,
	external_url: '',
	button_text: '',
	tax_status: 'taxable',
	tax_class: '',
	stock_quantity: null,
	stock_status: 'instock',
	backorders: 'no',
	low_stock_amount: null,
	weight: '',
	dimensions: { length: '', width: '', height: '' },
	shipping_class: '',
	reviews_allowed: true,
	upsell_ids: [],
	cross_sell_ids: [],
	grouped_products: [],
	purchase_note: '',
	categories: [],
	brands: [],
	tags: [],
	images: [],
	attributes: [],
	variations: [],
	menu_order: 0,
	meta_data: [],
};

/** The form of a product. id: `new` for one that is not there yet. */
export function ProductForm({ id }: { id: string }) {
	const isNew = id === 'new';
	const path = `${PRODUCTS}/${id}`;
	const guarded = useGuardedRecord<Product>(isNew ? null : path, { context: 'edit' });
	const [edits, setEdits] = useState<ProductEdits>(isNew ? { status: 'draft' } : {});
	const [error, setError] = useState<unknown>(null);
	const [mended, setMended] = useState<string[]>([]);
	const [making, setMaking] = useState(false);
	const saving = making || guarded.saving;
	const isGone = guarded.missing instanceof ApiError && guarded.missing.status === 404;
	const stored = isNew ? (NEW as Product) : isGone ? undefined : guarded.record;
	const product = stored && ({ ...stored, ...edits } as Product);
	const isChanged = Object.keys(edits).some((name) => !isNew || name !== 'status');
	const isOutdated = guarded.findConflict(isChanged && !isNew);
	useLeaveWarning(isChanged && !saving);
	// What is kept of a product that changes is asked for again.
	useChanges(['product'], NOTHING);

	const change = (next: ProductEdits): void => {
		setEdits((before) => ({ ...before, ...next }));
		setMended((before) => [...before, ...Object.keys(next)]);
	};
	const faults = { ...checkProduct(product) };
	for (const [name, message] of Object.entries(listProductFaults(error))) {
		if (!mended.includes(name)) {
			faults[name] ??= message;
		}
	}

	/** Store what was changed; returns whether it was taken. */
	const save = async (overwrite = false): Promise<boolean> => {
		setMaking(isNew);
		try {
			const body = buildBody(edits);
			const answer = isNew
				? await request<Product>(PRODUCTS, { method: 'POST', body })
				: await guarded.save(body, overwrite);
			setError(null);
			if (!answer) {
				return false;
			}
			flushSync(() => setEdits((now) => dropSaved(now, edits)));
			showDone(t('The product is saved.'));
			if (isNew) {
				navigate(`/products/${String(answer.id)}`, { replace: true });
			}
			return true;
		} catch (problem) {
			setMended([]);
			setError(problem);
			return false;
		} finally {
			setMaking(false);
		}
	};
	const title = isNew ? t('New product') : decodeEntities(product?.name ?? t('Product'));
	const panel: PanelProps | undefined = product && { product, change, faults };
	const isVariable = product?.type === 'variable';
	return (
		<Screen
			title={title}
			actions={
				<>
					<button type="button" className="button" onClick={() => navigate('/products')}>
						{t('Back to the list')}
					</button>
					{stored?.status === 'publish' && (
						<a className="button" href={stored.permalink} target="_blank" rel="noopener noreferrer">
							{t('View on the site')}
						</a>
					)}
				</>
			}
		>
			{isGone ? <p>{t('The product is gone.')}</p> : <ErrorNotice error={guarded.missing} />}
			<ErrorNotice error={error} />
			{isOutdated && (
				<ConflictNotice
					savedGmt={stored?.date_modified_gmt}
					saving={saving}
					onTakeTheirs={() => {
						setEdits({});
						guarded.takeTheirs();
					}}
					onKeepMine={() => void save(true)}
				/>
			)}
			{panel && product && (
				<form
					className="product-form"
					onSubmit={(event) => {
						event.preventDefault();
						void save();
					}}
				>
					<div className="product-main">
						<TextsPanel {...panel} />
						<PicturesPanel {...panel} />
						{(product.type === 'simple' || product.type === 'external') && <PricesPanel {...panel} />}
						<StockPanel {...panel} />
						<AttributesPanel {...panel} />
						{isVariable && <VariationsPanel product={isNew ? null : product} needsSaving={isChanged} onSave={save} />}
						<LinkedPanel {...panel} />
					</div>
					<div className="product-side">
						<StatusPanel {...panel} />
						<GroupsPanel {...panel} />
						<DeliveryPanel {...panel} />
						{product.type === 'simple' && <DownloadsPanel {...panel} />}
						<MetaPanel {...panel} />
					</div>
					<FormButtons
						changed={isChanged}
						saving={saving}
						label={t('Save the product')}
						ready={!isOutdated && (isChanged || isNew) && Object.keys(checkProduct(product)).length === 0}
						sticky
					/>
				</form>
			)}
		</Screen>
	);
}

/** Return what is wrong with amounts that were typed, which the interface would read otherwise than they were meant. */
function checkProduct(product: Product | undefined): Record<string, string> {
	const faults: Record<string, string> = {};
	for (const name of ['regular_price', 'sale_price'] as const) {
		const fault = checkAmount(product?.[name] ?? '');
		if (fault) {
			faults[name] = fault;
		}
	}
	const { date_on_sale_from: from, date_on_sale_to: to } = product ?? {};
	if (from && to && from >= to) {
		faults['date_on_sale_to'] = t('The sale ends before it begins.');
	}
	return faults;
}

/** Return what is sent: an empty date is a text, since null leaves a date as it was. */
function buildBody(edits: ProductEdits): Record<string, unknown> {
	const body: Record<string, unknown> = { ...edits };
	for (const name of ['date_on_sale_from', 'date_on_sale_to'] as const) {
		if (name in edits) {
			body[name] = edits[name] ?? '';
		}
	}
	for (const name of ['regular_price', 'sale_price'] as const) {
		if (edits[name] !== undefined) {
			body[name] = edits[name].trim().replace(',', '.');
		}
	}
	for (const name of ['categories', 'brands', 'tags'] as const) {
		if (edits[name]) {
			body[name] = edits[name].map(({ id }) => ({ id }));
		}
	}
	if (edits.images) {
		body['images'] = edits.images.map(({ id }) => ({ id }));
	}
	if (edits.stock_quantity === null) {
		delete body['stock_quantity'];
	}
	if (edits.attributes) {
		body['attributes'] = edits.attributes.map((one, position) => ({
			id: one.id,
			name: one.name,
			visible: one.visible,
			variation: one.variation,
			options: one.options,
			position,
		}));
	}
	return body;
}
