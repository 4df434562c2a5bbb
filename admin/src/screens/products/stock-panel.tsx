import { t } from '../../app/i18n';
import { CheckInput, SelectInput, TextInput } from '../../form/inputs';
import { listBackorders, listStockStatuses } from '../catalogue/product';
import { TaxFields } from './prices-panel';
import type { PanelProps } from './product-form';

/** By which numbers the product is known, and how many there are. */
export function StockPanel({ product, change, faults }: PanelProps) {
	const counts = product.type === 'simple' || product.type === 'variable';
	return (
		<section className="panel" aria-labelledby="product-stock">
			<h2 id="product-stock">{t('Stock')}</h2>
			<div className="field-pair">
				<TextInput
					label={t('SKU')}
					help={t('The number by which you know it; no other product has it.')}
					fault={faults['sku']}
					value={product.sku}
					onChange={(sku) => change({ sku })}
				/>
				<TextInput
					label={t('GTIN, EAN or ISBN')}
					fault={faults['global_unique_id']}
					value={product.global_unique_id}
					onChange={(code) => change({ global_unique_id: code })}
				/>
			</div>
			{counts && (
				<CheckInput
					label={t('Count the stock')}
					checked={product.manage_stock}
					onChange={(checked) => change({ manage_stock: checked })}
				/>
			)}
			{counts && product.manage_stock ? (
				<>
					<div className="field-pair">
						<TextInput
							label={t('In stock')}
							type="number"
							fault={faults['stock_quantity'] ?? faults['manage_stock']}
							value={String(product.stock_quantity ?? '')}
							onChange={(text) => change({ stock_quantity: readNumber(text) })}
						/>
						<TextInput
							label={t('Low from')}
							type="number"
							help={t('Empty: as the settings of the shop say.')}
							fault={faults['low_stock_amount']}
							value={String(product.low_stock_amount ?? '')}
							onChange={(text) => change({ low_stock_amount: readNumber(text) })}
						/>
					</div>
					<SelectInput
						label={t('Orders beyond the stock')}
						options={listBackorders()}
						fault={faults['backorders']}
						value={product.backorders}
						onChange={(backorders) => change({ backorders })}
					/>
				</>
			) : (
				product.type === 'simple' && (
					<SelectInput
						label={t('Stock')}
						options={listStockStatuses()}
						fault={faults['stock_status']}
						value={product.stock_status}
						onChange={(status) => change({ stock_status: status })}
					/>
				)
			)}
			{counts && (
				<CheckInput
					label={t('One an order at most')}
					checked={product.sold_individually === true}
					onChange={(checked) => change({ sold_individually: checked })}
				/>
			)}
			{product.type === 'variable' && <TaxFields product={product} change={change} faults={faults} />}
		</section>
	);
}

function readNumber(text: string): number | null {
	return text === '' ? null : Math.trunc(Number(text));
}
