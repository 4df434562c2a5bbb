import { boot } from '../../app/boot';
import { sprintf, t, tx } from '../../app/i18n';
import { CheckInput, SelectInput, TextInput } from '../../form/inputs';
import { useSmallCollection } from '../catalogue/all-items';
import { PRODUCTS } from '../catalogue/product';
import type { PanelProps } from './product-form';

export interface ShippingClass {
	id: number;
	slug: string;
	name: string;
}

/** What shipping is calculated by. */
export function DeliveryPanel({ product, change, faults }: PanelProps) {
	const { value: classes } = useSmallCollection<ShippingClass>(`${PRODUCTS}/shipping_classes`);
	const { dimensions } = product;
	const unit = boot.moduleData.shop?.dimensionUnit ?? '';
	const size = (edits: Partial<typeof dimensions>): void => change({ dimensions: { ...dimensions, ...edits } });
	return (
		<section className="panel" aria-labelledby="product-delivery">
			<h2 id="product-delivery">{t('Delivery')}</h2>
			<CheckInput
				label={t('Nothing is sent')}
				help={t('A service, or files.')}
				checked={product.virtual === true}
				onChange={(checked) => change({ virtual: checked })}
			/>
			{product.virtual !== true && (
				<>
					<TextInput
						label={sprintf(tx('Weight (%s)', 'unit'), boot.moduleData.shop?.weightUnit ?? '')}
						inputMode="decimal"
						fault={faults['weight']}
						value={product.weight}
						onChange={(weight) => change({ weight: weight.replace(',', '.') })}
					/>
					<div className="field-triple">
						<TextInput
							label={sprintf(tx('Length (%s)', 'unit'), unit)}
							inputMode="decimal"
							value={dimensions.length}
							onChange={(length) => size({ length })}
						/>
						<TextInput
							label={sprintf(tx('Width (%s)', 'unit'), unit)}
							inputMode="decimal"
							value={dimensions.width}
							onChange={(width) => size({ width })}
						/>
						<TextInput
							label={sprintf(tx('Height (%s)', 'unit'), unit)}
							inputMode="decimal"
							value={dimensions.height}
							onChange={(height) => size({ height })}
						/>
					</div>
					<SelectInput
						label={t('Shipping class')}
						options={[
							{ value: '', label: t('None') },
							...(classes ?? []).map(({ slug, name }) => ({ value: slug, label: name })),
						]}
						fault={faults['shipping_class']}
						value={product.shipping_class}
						onChange={(slug) => change({ shipping_class: slug })}
					/>
				</>
			)}
		</section>
	);
}
