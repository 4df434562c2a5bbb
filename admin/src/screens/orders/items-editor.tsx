import { useState } from 'react';

import { parseAmount, readAmount, takeShare, writeAmount } from '../../app/decimals';
import { t } from '../../app/i18n';
import { formatMoney, shopDecimals } from '../../app/money';
import { showDone } from '../../app/toasts';
import { useLeaveWarning } from '../../form/record-form';
import { DraftNotes } from './draft-notes';
import { buildItemChanges, startItems, type DraftExtra, type DraftLine } from './item-changes';
import type { Order } from './order';
import { ProductSearch } from './product-search';
import type { Draft } from './use-draft';

interface Props {
	draft: Draft;
	order: Order;
}

/** The items of an order as they are being changed; sums and taxes are the server's, when it is saved. */
export function ItemsEditor({ draft, order }: Props) {
	const [items, setItems] = useState(() => startItems(order));
	const [code, setCode] = useState('');
	const changes = buildItemChanges(order, items);
	const changed = Object.keys(changes).length > 0;
	useLeaveWarning(changed);

	const changeLine = (index: number, change: Partial<DraftLine>): void =>
		setItems({ ...items, lines: items.lines.map((one, at) => (at === index ? { ...one, ...change } : one)) });
	const changeQuantity = (index: number, line: DraftLine, quantity: number): void => {
		const known = order.line_items.find((one) => one.id === line.id);
		// The interface keeps the totals of a line whose quantity changes: the price of a piece is kept here instead.
		const share = (amount: string): string =>
			known ? writeAmount(takeShare(readAmount(amount), quantity, known.quantity, shopDecimals), shopDecimals) : amount;
		changeLine(index, {
			quantity,
			...(known ? { total: share(known.total), subtotal: share(known.subtotal) } : {}),
		});
	};
	const changeExtra = (index: number, change: Partial<DraftExtra>): void =>
		setItems({ ...items, extras: items.extras.map((one, at) => (at === index ? { ...one, ...change } : one)) });
	const wrong = [...items.lines, ...items.extras].some((one) => one.total !== null && parseAmount(one.total) === null);
	const save = async (send = draft.save): Promise<void> => {
		if (await send(changes)) {
			showDone(t('The items are saved.'));
		}
	};
	return (
		<form
			className="items-editor"
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			<DraftNotes draft={draft} onKeepMine={() => void save(draft.overwrite)} />
			<ul className="item-list">
				{items.lines.map((line, index) => (
					<li key={line.key} className={line.removed ? 'item-removed' : undefined}>
						<span className="item-title">{line.name}</span>
						<label>
							<span>{t('Quantity')}</span>
							<input
								className="input"
								type="number"
								min={1}
								value={line.quantity}
								disabled={line.removed}
								onChange={(event) => changeQuantity(index, line, Math.max(1, Math.floor(Number(event.target.value))))}
							/>
						</label>
						<label>
							<span>{t('Price without tax')}</span>
							{line.total === null ? (
								<span className="input input-still">
									{line.price ? formatMoney(line.price, order.currency) : t('as in the shop')}
								</span>
							) : (
								<input
									className="input"
									inputMode="decimal"
									value={line.total}
									disabled={line.removed}
									aria-invalid={parseAmount(line.total) === null}
									onChange={(event) => changeLine(index, { total: event.target.value })}
								/>
							)}
						</label>
						<button
							type="button"
							className="button"
							aria-label={`${line.removed ? t('Keep') : t('Remove')}: ${line.name}`}
							onClick={() => changeLine(index, { removed: !line.removed })}
						>
							{line.removed ? t('Keep') : t('Remove')}
						</button>
					</li>
				))}
				{items.extras.map((extra, index) => (
					<li key={extra.key} className={extra.removed ? 'item-removed' : undefined}>
						<label className="item-title">
							<span>{extra.kind === 'shipping' ? t('Way of shipping') : t('Name of the fee')}</span>
							<input
								className="input"
								value={extra.name}
								disabled={extra.removed}
								onChange={(event) => changeExtra(index, { name: event.target.value })}
							/>
						</label>
						<label>
							<span>{t('Price without tax')}</span>
							<input
								className="input"
								inputMode="decimal"
								value={extra.total}
								disabled={extra.removed}
								aria-invalid={parseAmount(extra.total) === null}
								onChange={(event) => changeExtra(index, { total: event.target.value })}
							/>
						</label>
						<button
							type="button"
							className="button"
							aria-label={`${extra.removed ? t('Keep') : t('Remove')}: ${extra.name}`}
							onClick={() => changeExtra(index, { removed: !extra.removed })}
						>
							{extra.removed ? t('Keep') : t('Remove')}
						</button>
					</li>
				))}
			</ul>
			<ProductSearch
				onChoose={({ product, variation, name, price }) =>
					setItems({
						...items,
						lines: [
							...items.lines,
							{
								key: `new-${String(items.lines.length)}`,
								id: 0,
								product,
								variation,
								name,
								quantity: 1,
								total: null,
								price,
							},
						],
					})
				}
			/>
			<div className="entry-buttons">
				{(['shipping', 'fee'] as const).map((kind) => (
					<button
						key={kind}
						type="button"
						className="button"
						onClick={() =>
							setItems({
								...items,
								extras: [
									...items.extras,
									{
										key: `new-${kind}-${String(items.extras.length)}`,
										id: 0,
										kind,
										name: kind === 'shipping' ? t('Shipping') : t('Fee'),
										total: '0.00',
									},
								],
							})
						}
					>
						{kind === 'shipping' ? t('Add shipping') : t('Add a fee')}
					</button>
				))}
			</div>
			<fieldset className="coupons">
				<legend>{t('Coupons')}</legend>
				{items.coupons.map((one) => (
					<button
						key={one}
						type="button"
						className="button"
						aria-label={`${t('Remove')}: ${one}`}
						onClick={() => setItems({ ...items, coupons: items.coupons.filter((other) => other !== one) })}
					>
						{one} ×
					</button>
				))}
				<label>
					<span className="visually-hidden">{t('Code of a coupon')}</span>
					<input
						className="input"
						value={code}
						placeholder={t('Code of a coupon')}
						onChange={(event) => setCode(event.target.value)}
					/>
				</label>
				<button
					type="button"
					className="button"
					disabled={!code.trim() || items.coupons.includes(code.trim().toLowerCase())}
					onClick={() => {
						setItems({ ...items, coupons: [...items.coupons, code.trim().toLowerCase()] });
						setCode('');
					}}
				>
					{t('Add the coupon')}
				</button>
			</fieldset>
			<p className="quiet">{t('Taxes and the total are computed when it is saved.')}</p>
			<div className="form-buttons">
				<button
					type="submit"
					className="button button-primary"
					disabled={!changed || wrong || draft.saving || draft.isOutdated}
				>
					{draft.saving ? t('Saving …') : t('Save the items')}
				</button>
				<button type="button" className="button" onClick={draft.cancel}>
					{t('Cancel')}
				</button>
			</div>
		</form>
	);
}
