import { t } from '../../app/i18n';
import { ChosenProducts } from '../catalogue/chosen-products';
import type { PanelProps } from './product-form';

/** Other products that are shown with this one. */
export function LinkedPanel({ product, change }: PanelProps) {
	return (
		<section className="panel" aria-labelledby="product-linked">
			<h2 id="product-linked">{t('Linked products')}</h2>
			{product.type === 'grouped' && (
				<ChosenProducts
					label={t('Products of the group')}
					ids={product.grouped_products}
					onChange={(ids) => change({ grouped_products: ids })}
				/>
			)}
			<ChosenProducts
				label={t('Instead of it')}
				help={t('Offered on its page.')}
				ids={product.upsell_ids}
				onChange={(ids) => change({ upsell_ids: ids })}
			/>
			<ChosenProducts
				label={t('To go with it')}
				help={t('Offered in the cart.')}
				ids={product.cross_sell_ids}
				onChange={(ids) => change({ cross_sell_ids: ids })}
			/>
		</section>
	);
}
