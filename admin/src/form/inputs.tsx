/** Plain controls with label, help and fault, for forms that are laid out by hand. */
import type { HTMLInputTypeAttribute, ReactNode } from 'react';

import { Field } from './field';

interface Common {
	label: string;
	help?: ReactNode;
	fault?: string | undefined;
}

interface TextProps extends Common {
	value: string;
	onChange: (value: string) => void;
	type?: HTMLInputTypeAttribute;
	inputMode?: 'decimal' | 'numeric';
	rows?: number;
	required?: boolean;
	placeholder?: string;
	disabled?: boolean;
}

/** A text in one line, or in several where `rows` says how many. */
export function TextInput({ label, help, fault, value, onChange, type = 'text', rows, ...rest }: TextProps) {
	return (
		<Field label={label} help={help} fault={fault}>
			{(control) =>
				rows ? (
					<textarea
						{...control}
						{...rest}
						rows={rows}
						value={value}
						onChange={(event) => onChange(event.target.value)}
					/>
				) : (
					<input {...control} {...rest} type={type} value={value} onChange={(event) => onChange(event.target.value)} />
				)
			}
		</Field>
	);
}

interface SelectProps extends Common {
	value: string;
	options: readonly { value: string; label: string }[];
	onChange: (value: string) => void;
	disabled?: boolean;
}

/** One of a few values. A value that is not offered is shown as it is, and stays until another is chosen. */
export function SelectInput({ label, help, fault, value, options, onChange, disabled = false }: SelectProps) {
	return (
		<Field label={label} help={help} fault={fault}>
			{(control) => (
				<select {...control} disabled={disabled} value={value} onChange={(event) => onChange(event.target.value)}>
					{!options.some((one) => one.value === value) && <option value={value}>{value}</option>}
					{options.map((one) => (
						<option key={one.value} value={one.value}>
							{one.label}
						</option>
					))}
				</select>
			)}
		</Field>
	);
}

interface CheckProps {
	label: string;
	help?: ReactNode;
	checked: boolean;
	onChange: (checked: boolean) => void;
	disabled?: boolean;
}

/** Something that holds or not. */
export function CheckInput({ label, help, checked, onChange, disabled = false }: CheckProps) {
	return (
		<label className="check">
			<input
				type="checkbox"
				checked={checked}
				disabled={disabled}
				onChange={(event) => onChange(event.target.checked)}
			/>
			<span>
				{label}
				{help && <small className="field-help"> {help}</small>}
			</span>
		</label>
	);
}
