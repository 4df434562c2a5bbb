import { decodeEntities } from '@wordpress/html-entities';

import { t } from '../../app/i18n';
import { SelectInput, TextInput } from '../../form/inputs';
import { listTypes } from '../catalogue/product';
import type { PanelProps } from './product-form';

/** What the product is called, what kind it is, what is written about it. */
export function TextsPanel({ product, change, faults }: PanelProps) {
	return (
		<section className="panel" aria-labelledby="product-texts">
			<h2 id="product-texts">{t('Product')}</h2>
			<TextInput
				label={t('Name')}
				required
				fault={faults['name']}
				value={decodeEntities(product.name)}
				onChange={(name) => change({ name })}
			/>
			<SelectInput
				label={t('Kind')}
				options={listTypes()}
				fault={faults['type']}
				value={product.type}
				onChange={(type) => change({ type })}
			/>
			{product.type === 'external' && (
				<div className="field-pair">
					<TextInput
						label={t('Address where it is sold')}
						type="url"
						fault={faults['external_url']}
						value={product.external_url}
						onChange={(url) => change({ external_url: url })}
					/>
					<TextInput
						label={t('Text of the button')}
						value={product.button_text}
						onChange={(text) => change({ button_text: text })}
					/>
				</div>
			)}
			<TextInput
				label={t('Short description')}
				help={t('Beside the picture, in a few words. Markup is allowed.')}
				rows={3}
				fault={faults['short_description']}
				value={product.short_description}
				onChange={(text) => change({ short_description: text })}
			/>
			<TextInput
				label={t('Description')}
				help={t('Markup is allowed.')}
				rows={8}
				fault={faults['description']}
				value={product.description}
				onChange={(text) => change({ description: text })}
			/>
		</section>
	);
}
