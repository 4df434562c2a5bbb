import { useId } from 'react';

interface Props {
	label: string;
	value: string;
	onChange: (value: string) => void;
	fault?: string | undefined;
	inputMode?: 'decimal' | 'numeric';
	placeholder?: string;
	maxLength?: number;
}

/** A control in the cell of a table, with its fault below it. */
export function CellInput({ label, value, onChange, fault, ...rest }: Props) {
	const id = useId();
	return (
		<>
			<input
				{...rest}
				className="input"
				aria-label={label}
				aria-invalid={Boolean(fault)}
				aria-describedby={fault ? id : undefined}
				value={value}
				onChange={(event) => onChange(event.target.value)}
			/>
			{fault && (
				<span id={id} className="field-fault" role="alert">
					{fault}
				</span>
			)}
		</>
	);
}
