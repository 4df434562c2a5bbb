import { useState } from 'react';

import { t } from '../../app/i18n';
import { SelectInput, TextInput } from '../../form/inputs';
import type { VariationEdits } from './variation';

interface Props {
	onSet: (edits: VariationEdits) => void;
}

const EMPTY = { regular_price: '', sale_price: '', stock: '', status: '' };

/** Sets the same values of all variations in the table; what is left empty stays as it is. */
export function SetForAll({ onSet }: Props) {
	const [values, setValues] = useState(EMPTY);
	const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as VariationEdits;
	return (
		<fieldset className="set-for-all">
			<legend>{t('Set for all')}</legend>
			<TextInput
				label={t('Price of all')}
				inputMode="decimal"
				value={values.regular_price}
				onChange={(price) => setValues({ ...values, regular_price: price })}
			/>
			<TextInput
				label={t('Sale price of all')}
				inputMode="decimal"
				value={values.sale_price}
				onChange={(price) => setValues({ ...values, sale_price: price })}
			/>
			<TextInput
				label={t('Stock of all')}
				inputMode="numeric"
				value={values.stock}
				onChange={(stock) => setValues({ ...values, stock })}
			/>
			<SelectInput
				label={t('Status of all')}
				value={values.status}
				options={[
					{ value: '', label: t('As it is') },
					{ value: 'publish', label: t('Sold') },
					{ value: 'private', label: t('Not sold') },
				]}
				onChange={(status) => setValues({ ...values, status })}
			/>
			<button
				type="button"
				className="button"
				disabled={Object.keys(filled).length === 0}
				onClick={() => {
					onSet(filled);
					setValues(EMPTY);
				}}
			>
				{t('Set')}
			</button>
		</fieldset>
	);
}
