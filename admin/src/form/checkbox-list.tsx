import type { DataFormControlProps } from '@wordpress/dataviews';

import type { Item } from '../list/collection';

/** A box for each of a few values, any number of which may hold. */
export function CheckboxList({ data, field, onChange }: DataFormControlProps<Item>) {
	const chosen = (field.getValue({ item: data }) ?? []) as unknown[];
	const toggle = (value: unknown): void => {
		const next = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
		onChange(field.setValue({ item: data, value: next }) as Partial<Item>);
	};
	return (
		<fieldset className="checkbox-list">
			<legend>{field.label}</legend>
			{(field.elements ?? []).map(({ value, label }) => (
				<label key={String(value)}>
					<input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
					{label}
				</label>
			))}
		</fieldset>
	);
}
