import { useState } from 'react';

import { ErrorNotice } from '../../app/error-notice';
import { sprintf, t, tn } from '../../app/i18n';
import { showDone } from '../../app/toasts';
import { ConflictNotice } from '../../form/conflict-notice';
import { useGuardedRecord } from '../../form/guarded-record';
import { CheckInput, SelectInput, TextInput } from '../../form/inputs';
import { checkAmount, checkWhole, readAmount, readWhole } from '../catalogue/amounts';
import { sendBatch } from '../../list/batches';
import { listProductFaults, listStatuses, listStockStatuses, PRODUCTS, type Product } from '../catalogue/product';

interface Props {
	products: Product[];
	onClose: () => void;
}

interface Typed {
	sku?: string;
	regular_price?: string;
	sale_price?: string;
	manage_stock?: boolean;
	stock_quantity?: string;
	stock_status?: string;
	status?: string;
}

/** Changes price, stock, status and SKU of one product, or the same things of many. */
export function QuickEdit({ products, onClose }: Props) {
	const [typed, setTyped] = useState<Typed>({});
	const [error, setError] = useState<unknown>(null);
	const [saving, setSaving] = useState(false);
	// The rows as they were when the person chose them: what comes in meanwhile was not seen.
	const [seen] = useState(products);
	const [row, ...others] = products;
	// A row of the list does not say in which state it was read.
	const guarded = useGuardedRecord<Product>(row && !others.length ? `${PRODUCTS}/${String(row.id)}` : null);
	const only = others.length ? undefined : (guarded.record ?? row);
	const isOutdated = guarded.findConflict(Object.keys(typed).length > 0);
	const change = (edits: Typed): void => {
		setTyped((before) => ({ ...before, ...edits }));
		setError(null);
	};
	const hasPrice = products.every((one) => one.type === 'simple' || one.type === 'external');
	const isManaged = typed.manage_stock ?? only?.manage_stock ?? false;
	const faults: Record<string, string | undefined> = {
		regular_price: checkAmount(typed.regular_price ?? ''),
		sale_price: checkAmount(typed.sale_price ?? ''),
		stock_quantity: checkWhole(typed.stock_quantity ?? ''),
	};
	const isFaulty = Object.values(faults).some(Boolean);
	const shown = { ...faults, ...listProductFaults(error) };

	const save = async (overwrite = false): Promise<void> => {
		const body = buildBody(typed);
		setSaving(true);
		try {
			if (only) {
				if (!(await guarded.save(body, overwrite))) {
					return;
				}
			} else {
				await sendBatch(
					seen.map((one) => ({ method: 'POST', path: `${PRODUCTS}/${String(one.id)}`, body, seen: one })),
				);
			}
			showDone(sprintf(tn('%d product is changed.', '%d products are changed.', products.length), products.length));
			onClose();
		} catch (problem) {
			setError(problem);
		} finally {
			setSaving(false);
		}
	};
	return (
		<form
			className="quick-edit"
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			<ErrorNotice error={error} />
			{isOutdated && (
				<ConflictNotice
					savedGmt={only?.date_modified_gmt}
					saving={saving}
					onTakeTheirs={() => {
						setTyped({});
						guarded.takeTheirs();
					}}
					onKeepMine={() => void save(true)}
				/>
			)}
			{products.length > 1 && <p>{sprintf(t('What you set here is set for all %d.'), products.length)}</p>}
			{only && (
				<TextInput
					label={t('SKU')}
					fault={shown['sku']}
					value={typed.sku ?? only.sku}
					onChange={(sku) => change({ sku })}
				/>
			)}
			{hasPrice && (
				<div className="field-pair">
					<TextInput
						label={t('Price')}
						inputMode="decimal"
						fault={shown['regular_price']}
						value={typed.regular_price ?? only?.regular_price ?? ''}
						onChange={(price) => change({ regular_price: price })}
					/>
					<TextInput
						label={t('Sale price')}
						inputMode="decimal"
						fault={shown['sale_price']}
						value={typed.sale_price ?? only?.sale_price ?? ''}
						onChange={(price) => change({ sale_price: price })}
					/>
				</div>
			)}
			<CheckInput
				label={t('Count the stock')}
				checked={isManaged}
				onChange={(checked) => change({ manage_stock: checked })}
			/>
			{isManaged ? (
				<TextInput
					label={t('In stock')}
					inputMode="numeric"
					fault={shown['stock_quantity'] ?? shown['manage_stock']}
					value={typed.stock_quantity ?? String(only?.stock_quantity ?? '')}
					onChange={(quantity) => change({ stock_quantity: quantity })}
				/>
			) : (
				<SelectInput
					label={t('Stock')}
					options={only ? listStockStatuses() : [{ value: '', label: t('As it is') }, ...listStockStatuses()]}
					value={typed.stock_status ?? only?.stock_status ?? ''}
					onChange={(status) => change({ stock_status: status })}
				/>
			)}
			<SelectInput
				label={t('Status')}
				options={only ? listStatuses() : [{ value: '', label: t('As it is') }, ...listStatuses()]}
				value={typed.status ?? only?.status ?? ''}
				onChange={(status) => change({ status })}
			/>
			<div className="form-buttons">
				<button
					type="submit"
					className="button button-primary"
					disabled={saving || isOutdated || isFaulty || Object.keys(typed).length === 0}
				>
					{t('Save')}
				</button>
				<button type="button" className="button" onClick={onClose}>
					{t('Cancel')}
				</button>
			</div>
		</form>
	);
}

/** Return what is sent: what was typed, without choices that leave things as they are. */
function buildBody(typed: Typed): Record<string, unknown> {
	const body: Record<string, unknown> = { ...typed };
	for (const name of ['regular_price', 'sale_price'] as const) {
		if (typed[name] !== undefined) {
			body[name] = readAmount(typed[name]);
		}
	}
	if (typed.stock_quantity !== undefined) {
		body['stock_quantity'] = readWhole(typed.stock_quantity) ?? 0;
	}
	const kept = Object.entries(body).filter(
		([name, value]) => value !== '' || !['status', 'stock_status'].includes(name),
	);
	return Object.fromEntries(kept);
}
