import { useState } from 'react';

import { t } from '../../app/i18n';
import { CheckInput, SelectInput, TextInput } from '../../form/inputs';
import { TokenInput } from '../../form/token-input';
import { useSmallCollection } from '../catalogue/all-items';
import { PRODUCTS, type ProductAttribute } from '../catalogue/product';
import { useTerms } from '../catalogue/terms';
import type { PanelProps } from './product-form';

export interface SharedAttribute {
	id: number;
	name: string;
	slug: string;
}

const OWN = 'own';

/** What the product has, and in what its variations differ: attributes of the shop and its own. */
export function AttributesPanel({ product, change, faults }: PanelProps) {
	const { value: shared } = useSmallCollection<SharedAttribute>(`${PRODUCTS}/attributes`);
	const [adding, setAdding] = useState(OWN);
	const { attributes } = product;
	const isVariable = product.type === 'variable';
	const set = (next: ProductAttribute[]): void => change({ attributes: next });
	const add = (): void => {
		const known = shared?.find((one) => String(one.id) === adding);
		set([
			...attributes,
			{ id: known?.id ?? 0, name: known?.name ?? '', visible: true, variation: isVariable, options: [] },
		]);
		setAdding(OWN);
	};
	return (
		<section className="panel" aria-labelledby="product-attributes">
			<h2 id="product-attributes">{t('Attributes')}</h2>
			{faults['attributes'] && <p className="field-fault">{faults['attributes']}</p>}
			{attributes.map((one, index) => (
				<AttributeRow
					key={one.id || `own ${String(index)}`}
					attribute={one}
					isVariable={isVariable}
					onChange={(edits) => set(attributes.map((other, at) => (at === index ? { ...other, ...edits } : other)))}
					onRemove={() => set(attributes.filter((_, at) => at !== index))}
				/>
			))}
			<div className="add-line">
				<SelectInput
					label={t('Attribute')}
					value={adding}
					options={[
						{ value: OWN, label: t('One of its own') },
						...(shared ?? [])
							.filter((one) => !attributes.some((other) => other.id === one.id))
							.map((one) => ({ value: String(one.id), label: one.name })),
					]}
					onChange={setAdding}
				/>
				<button type="button" className="button" onClick={add}>
					{t('Add an attribute')}
				</button>
			</div>
		</section>
	);
}

interface RowProps {
	attribute: ProductAttribute;
	isVariable: boolean;
	onChange: (edits: Partial<ProductAttribute>) => void;
	onRemove: () => void;
}

function AttributeRow({ attribute, isVariable, onChange, onRemove }: RowProps) {
	const isShared = attribute.id !== 0;
	return (
		<fieldset className="row-group">
			<legend>{attribute.name || t('Attribute')}</legend>
			{!isShared && (
				<TextInput label={t('Name of the attribute')} value={attribute.name} onChange={(name) => onChange({ name })} />
			)}
			{isShared ? (
				<SharedValues attribute={attribute} onChange={(options) => onChange({ options })} />
			) : (
				<Values attribute={attribute} suggestions={[]} onChange={(options) => onChange({ options })} />
			)}
			<CheckInput
				label={t('Shown on its page')}
				checked={attribute.visible}
				onChange={(visible) => onChange({ visible })}
			/>
			{isVariable && (
				<CheckInput
					label={t('Variations differ in it')}
					checked={attribute.variation}
					onChange={(variation) => onChange({ variation })}
				/>
			)}
			<button type="button" className="button button-small" onClick={onRemove}>
				{t('Take the attribute away')}
			</button>
		</fieldset>
	);
}

interface ValuesProps {
	attribute: ProductAttribute;
	onChange: (options: string[]) => void;
}

function SharedValues(props: ValuesProps) {
	const terms = useTerms(`${PRODUCTS}/attributes/${String(props.attribute.id)}/terms`);
	const names = (terms ?? []).map((one) => one.name);
	return (
		<>
			<Values {...props} suggestions={names} />
			<p>
				<button
					type="button"
					className="button button-small"
					disabled={names.every((one) => props.attribute.options.includes(one))}
					onClick={() => props.onChange([...new Set([...props.attribute.options, ...names])])}
				>
					{t('All values')}
				</button>
			</p>
		</>
	);
}

function Values({ attribute, suggestions, onChange }: ValuesProps & { suggestions: string[] }) {
	return (
		<div className="field">
			<TokenInput
				label={t('Values')}
				value={attribute.options}
				suggestions={suggestions}
				onChange={onChange}
				help={t('Enter or a comma ends a value.')}
			/>
		</div>
	);
}
