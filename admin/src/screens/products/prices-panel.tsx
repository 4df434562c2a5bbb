import { boot } from '../../app/boot';
import { sprintf, t, tx } from '../../app/i18n';
import { shopCurrency } from '../../app/money';
import { SelectInput, TextInput } from '../../form/inputs';
import { useSmallCollection } from '../catalogue/all-items';
import { listTaxStatuses } from '../catalogue/product';
import type { PanelProps } from './product-form';

export interface TaxClass {
	slug: string;
	name: string;
}

/** Prices, when a lower one holds, and how the product is taxed. */
export function PricesPanel({ product, change, faults }: PanelProps) {
	return (
		<section className="panel" aria-labelledby="product-prices">
			<h2 id="product-prices">{t('Prices')}</h2>
			<div className="field-pair">
				<TextInput
					label={sprintf(tx('Price (%s)', 'currency'), shopCurrency)}
					inputMode="decimal"
					fault={faults['regular_price']}
					value={product.regular_price}
					onChange={(price) => change({ regular_price: price })}
				/>
				<TextInput
					label={sprintf(tx('Sale price (%s)', 'currency'), shopCurrency)}
					inputMode="decimal"
					fault={faults['sale_price']}
					value={product.sale_price}
					onChange={(price) => change({ sale_price: price })}
				/>
			</div>
			<div className="field-pair">
				<TextInput
					label={t('On sale from')}
					type="datetime-local"
					help={sprintf(t('Times of %s. Without dates the sale price holds at once.'), boot.site.timezone)}
					fault={faults['date_on_sale_from']}
					value={showTime(product.date_on_sale_from)}
					onChange={(text) => change({ date_on_sale_from: readTime(text) })}
				/>
				<TextInput
					label={t('On sale until')}
					type="datetime-local"
					fault={faults['date_on_sale_to']}
					value={showTime(product.date_on_sale_to)}
					onChange={(text) => change({ date_on_sale_to: readTime(text) })}
				/>
			</div>
			<TaxFields product={product} change={change} faults={faults} />
		</section>
	);
}

/** What of a product is taxed, and by which class. */
export function TaxFields({ product, change, faults }: PanelProps) {
	const { value: classes } = useSmallCollection<TaxClass>('/wc/v3/taxes/classes');
	return (
		<div className="field-pair">
			<SelectInput
				label={t('What is taxed')}
				options={listTaxStatuses()}
				fault={faults['tax_status']}
				value={product.tax_status}
				onChange={(status) => change({ tax_status: status })}
			/>
			<SelectInput
				label={t('Tax class')}
				options={(classes ?? [{ slug: 'standard', name: t('Standard') }]).map(({ slug, name }) => ({
					value: slug === 'standard' ? '' : slug,
					label: name,
				}))}
				fault={faults['tax_class']}
				value={product.tax_class}
				onChange={(taxClass) => change({ tax_class: taxClass })}
			/>
		</div>
	);
}

/** Return a time of the interface, which is the site's, as a control shows it. */
export function showTime(time: string | null): string {
	return time?.slice(0, 16) ?? '';
}

export function readTime(text: string): string | null {
	return text ? `${text}:00` : null;
}
