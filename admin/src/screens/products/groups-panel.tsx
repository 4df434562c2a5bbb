import { t } from '../../app/i18n';
import { PRODUCTS } from '../catalogue/product';
import { TermTokens, TermTree } from '../catalogue/terms';
import type { PanelProps } from './product-form';

/** Categories, tags and brands. */
export function GroupsPanel({ product, change, faults }: PanelProps) {
	return (
		<section className="panel" aria-labelledby="product-groups">
			<h2 id="product-groups">{t('Groups')}</h2>
			<TermTree
				label={t('Categories')}
				path={`${PRODUCTS}/categories`}
				chosen={product.categories}
				onChange={(categories) => change({ categories })}
			/>
			{faults['categories'] && <p className="field-fault">{faults['categories']}</p>}
			<TermTokens
				label={t('Tags')}
				path={`${PRODUCTS}/tags`}
				chosen={product.tags}
				onChange={(tags) => change({ tags })}
			/>
			<TermTokens
				label={t('Brands')}
				path={`${PRODUCTS}/brands`}
				chosen={product.brands}
				onChange={(brands) => change({ brands })}
			/>
		</section>
	);
}
