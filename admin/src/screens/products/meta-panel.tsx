import { t } from '../../app/i18n';
import { TextInput } from '../../form/inputs';
import type { MetaEntry } from '../catalogue/product';
import type { PanelProps } from './product-form';

/** Further fields of the product, which packages and programs read. What is no text is shown as it is. */
export function MetaPanel({ product, change }: PanelProps) {
	const entries = product.meta_data;
	const replace = (at: number, edits: Partial<MetaEntry>): void =>
		change({ meta_data: entries.map((one, index) => (index === at ? { ...one, ...edits } : one)) });
	return (
		<details className="panel">
			<summary>
				<h2>{t('Further fields')}</h2>
			</summary>
			{entries.map((one, index) =>
				// An entry without a value is removed when the product is saved.
				one.value === null ? null : (
					<fieldset key={one.id ?? `new ${String(index)}`} className="row-group">
						<legend className="visually-hidden">{one.key || t('Field')}</legend>
						<TextInput label={t('Name')} value={one.key} onChange={(key) => replace(index, { key })} />
						{typeof one.value === 'string' ? (
							<TextInput label={t('Value')} value={one.value} onChange={(value) => replace(index, { value })} />
						) : (
							<pre className="meta-value">{JSON.stringify(one.value, null, 1)}</pre>
						)}
						<button type="button" className="button button-small" onClick={() => replace(index, { value: null })}>
							{t('Take away')}
						</button>
					</fieldset>
				),
			)}
			<button
				type="button"
				className="button"
				onClick={() => change({ meta_data: [...entries, { key: '', value: '' }] })}
			>
				{t('Add a field')}
			</button>
		</details>
	);
}
