import { defaultLanguage } from '../../app/boot';
import { RecordField } from '../../editor/schema-fields/record-field';
import { getFault } from '../../form/field';

interface Props {
	name: string;
	label: string;
	/** The content type or taxonomy that it is chosen from. */
	refersTo: string;
	value: number;
	onChange: (id: number) => void;
	error: unknown;
}

/** A setting that names a record of the site; 0 names none. */
export function RecordSetting({ name, label, refersTo, value, onChange, error }: Props) {
	const fault = getFault(error, name);
	return (
		<div className="field">
			<RecordField
				path={name}
				label={label}
				schema={{ type: 'integer' }}
				value={value || null}
				onChange={(id) => onChange(typeof id === 'number' ? id : 0)}
				errors={{}}
				language={defaultLanguage}
				refersTo={refersTo}
				onlyPublic
			/>
			{fault && (
				<p className="field-fault" role="alert">
					{fault}
				</p>
			)}
		</div>
	);
}
