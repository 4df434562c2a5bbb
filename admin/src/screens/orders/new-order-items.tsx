import { useState } from 'react';

import { t } from '../../app/i18n';
import { formatMoney } from '../../app/money';
import { fromMinorUnits } from './cart-totals';
import { ProductSearch } from './product-search';
import { SidePanel } from './side-panel';
import type { Cart, WantedLine } from './visitor-cart';

interface Props {
	lines: WantedLine[];
	cart: Cart | null;
	coupons: string[];
	onLines: (lines: WantedLine[]) => void;
	onCoupons: (codes: string[]) => void;
}

/** The products and coupons of an order that is being entered. */
export function NewOrderItems({ lines, cart, coupons, onLines, onCoupons }: Props) {
	const [code, setCode] = useState('');
	const change = (index: number, quantity: number): void =>
		onLines(lines.map((one, at) => (at === index ? { ...one, quantity } : one)));
	return (
		<SidePanel title={t('Items')}>
			<ul className="item-list">
				{lines.map((line, index) => {
					const priced = cart?.items.find(({ id }) => id === (line.variation || line.product));
					return (
						<li key={line.variation || line.product}>
							<span className="item-title">{line.name}</span>
							<label>
								<span>{t('Quantity')}</span>
								<input
									className="input"
									type="number"
									min={1}
									value={line.quantity}
									aria-label={`${t('Quantity')}: ${line.name}`}
									onChange={(event) => change(index, Math.max(1, Math.floor(Number(event.target.value))))}
								/>
							</label>
							<span className="item-sum amount">
								{priced ? formatMoney(fromMinorUnits(priced.totals.line_subtotal, cart)) : '–'}
							</span>
							<button
								type="button"
								className="button"
								aria-label={`${t('Remove')}: ${line.name}`}
								onClick={() => onLines(lines.filter((_, at) => at !== index))}
							>
								{t('Remove')}
							</button>
						</li>
					);
				})}
			</ul>
			<ProductSearch
				onChoose={({ product, variation, name }) => {
					const known = lines.findIndex((one) => one.product === product && one.variation === variation);
					if (known < 0) {
						onLines([...lines, { product, variation, name, quantity: 1 }]);
					} else {
						change(known, (lines[known]?.quantity ?? 0) + 1);
					}
				}}
			/>
			<div className="coupons">
				{coupons.map((one) => (
					<button
						key={one}
						type="button"
						className="button"
						aria-label={`${t('Remove')}: ${one}`}
						onClick={() => onCoupons(coupons.filter((other) => other !== one))}
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
					disabled={!code.trim() || coupons.includes(code.trim().toLowerCase())}
					onClick={() => {
						onCoupons([...coupons, code.trim().toLowerCase()]);
						setCode('');
					}}
				>
					{t('Add the coupon')}
				</button>
			</div>
		</SidePanel>
	);
}
