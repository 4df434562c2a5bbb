import { t } from '../../app/i18n';
import { CheckInput, SelectInput, TextInput } from '../../form/inputs';
import { listStatuses, listVisibilities } from '../catalogue/product';
import type { PanelProps } from './product-form';

/** Whether and where the product is shown. */
export function StatusPanel({ product, change, faults }: PanelProps) {
	return (
		<section className="panel" aria-labelledby="product-status">
			<h2 id="product-status">{t('Status')}</h2>
			<SelectInput
				label={t('Status')}
				options={listStatuses()}
				fault={faults['status']}
				value={product.status}
				onChange={(status) => change({ status })}
			/>
			<SelectInput
				label={t('Where customers find it')}
				options={listVisibilities()}
				fault={faults['catalog_visibility']}
				value={product.catalog_visibility}
				onChange={(visibility) => change({ catalog_visibility: visibility })}
			/>
			<CheckInput
				label={t('Featured')}
				checked={product.featured === true}
				onChange={(checked) => change({ featured: checked })}
			/>
			<CheckInput
				label={t('Customers may review it')}
				checked={product.reviews_allowed}
				onChange={(checked) => change({ reviews_allowed: checked })}
			/>
			<TextInput
				label={t('Order in lists')}
				type="number"
				fault={faults['menu_order']}
				value={String(product.menu_order)}
				onChange={(text) => change({ menu_order: Math.trunc(Number(text)) })}
			/>
			<TextInput
				label={t('Note for buyers')}
				help={t('Stands in the mail of the order.')}
				rows={2}
				fault={faults['purchase_note']}
				value={product.purchase_note}
				onChange={(text) => change({ purchase_note: text })}
			/>
		</section>
	);
}
