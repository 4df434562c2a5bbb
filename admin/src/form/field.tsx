import { useId, type ReactNode } from 'react';

import { ApiError } from '../api/errors';

/** What ties a control to its label, its help and its fault. */
export interface FieldControl {
	id: string;
	className: string;
	'aria-describedby': string;
	'aria-invalid': boolean;
}

interface Props {
	label: string;
	help?: ReactNode;
	fault?: string | undefined;
	children: (control: FieldControl) => ReactNode;
}

/** A control with its label above it, its help and its fault below. */
export function Field({ label, help, fault, children }: Props) {
	const id = useId();
	return (
		<div className="field">
			<label htmlFor={id}>{label}</label>
			{children({ id, className: 'input', 'aria-describedby': `${id}-note`, 'aria-invalid': Boolean(fault) })}
			<div id={`${id}-note`}>
				{help && <p className="field-help">{help}</p>}
				{fault && (
					<p className="field-fault" role="alert">
						{fault}
					</p>
				)}
			</div>
		</div>
	);
}

/** Return what a refusal says of one argument. */
export function getFault(error: unknown, name: string): string | undefined {
	return error instanceof ApiError ? error.params[name] : undefined;
}
