import { Button } from '@wordpress/components';

import { getType, type Schema } from '../../api/declarations';
import { sprintf, t } from '../../app/i18n';
import { MediaField } from './media-field';
import { RecordField } from './record-field';
import { buildEmptyValue, getHelp, getLabel, isMarkup, listWritable, type FieldProps } from './schema';
import { BooleanField, ChoiceField, ChoicesField, MarkupField, TextField } from './value-fields';

interface Props {
	/** Name of the object itself, `meta`; empty for a whole record. */
	path: string;
	schema: Schema;
	value: Readonly<Record<string, unknown>>;
	/** Called with the member that changed. */
	onChange: (name: string, value: unknown) => void;
	errors: Readonly<Record<string, string>>;
	language: string;
}

/** Controls for the members of an object, as its schema declares them. */
export function SchemaFields({ path, schema, value, onChange, errors, language }: Props) {
	return (
		<div className="schema-fields">
			{listWritable(schema).map(([name, one]) => (
				<SchemaField
					key={name}
					path={path ? `${path}.${name}` : name}
					label={getLabel(name, one)}
					schema={{ ...one, description: getHelp(name, one) }}
					value={value[name]}
					onChange={(next) => onChange(name, next)}
					errors={errors}
					language={language}
				/>
			))}
		</div>
	);
}

function SchemaField(props: FieldProps) {
	const { path, label, errors } = props;
	const fault = errors[path]?.replaceAll(path, label);
	return (
		<div className={fault ? 'schema-field has-fault' : 'schema-field'} data-field={path}>
			{renderControl(props)}
			{fault && (
				<p className="schema-fault" role="alert">
					{fault}
				</p>
			)}
		</div>
	);
}

function renderControl(props: FieldProps) {
	const { schema } = props;
	const type = getType(schema);
	const named = schema['x-refers-to'] ?? schema.items?.['x-refers-to'];
	if (named) {
		return named === 'file' || named === 'image' ? (
			<MediaField {...props} kind={named} />
		) : (
			<RecordField {...props} refersTo={named} />
		);
	}
	if (isMarkup(schema)) {
		return <MarkupField {...props} />;
	}
	switch (type) {
		case 'object':
			return <GroupField {...props} />;
		case 'array':
			return schema.items?.enum ? <ChoicesField {...props} /> : <ListField {...props} />;
		case 'boolean':
			return <BooleanField {...props} />;
		default:
			return schema.enum ? <ChoiceField {...props} /> : <TextField {...props} />;
	}
}

function GroupField({ path, label, schema, value, onChange, errors, language }: FieldProps) {
	const members = (value ?? {}) as Record<string, unknown>;
	return (
		<fieldset className="schema-group">
			<legend>{label}</legend>
			{schema.description && <p className="schema-help">{schema.description}</p>}
			<SchemaFields
				path={path}
				schema={schema}
				value={members}
				onChange={(name, next) => onChange({ ...members, [name]: next })}
				errors={errors}
				language={language}
			/>
		</fieldset>
	);
}

function ListField({ path, label, schema, value, onChange, errors, language }: FieldProps) {
	const items = Array.isArray(value) ? (value as unknown[]) : [];
	const replace = (index: number, next: unknown): void => onChange(items.map((one, at) => (at === index ? next : one)));
	const move = (index: number, step: number): void => {
		const next = [...items];
		next.splice(index + step, 0, ...next.splice(index, 1));
		onChange(next);
	};
	return (
		<fieldset className="schema-group">
			<legend>{label}</legend>
			{schema.description && <p className="schema-help">{schema.description}</p>}
			{items.map((item, index) => (
				// Items have no identity of their own; their place is what the interface knows of them.
				<div key={index} className="schema-item">
					<SchemaField
						path={`${path}[${String(index)}]`}
						label={sprintf(t('%1$s %2$d'), label, index + 1)}
						schema={schema.items ?? {}}
						value={item}
						onChange={(next) => replace(index, next)}
						errors={errors}
						language={language}
					/>
					<div className="schema-row">
						<Button size="small" variant="tertiary" disabled={index === 0} onClick={() => move(index, -1)}>
							{t('Move up')}
						</Button>
						<Button
							size="small"
							variant="tertiary"
							disabled={index === items.length - 1}
							onClick={() => move(index, 1)}
						>
							{t('Move down')}
						</Button>
						<Button
							size="small"
							variant="tertiary"
							isDestructive
							onClick={() => onChange(items.filter((_one, at) => at !== index))}
						>
							{t('Remove')}
						</Button>
					</div>
				</div>
			))}
			<Button
				variant="secondary"
				disabled={schema.maxItems !== undefined && items.length >= schema.maxItems}
				onClick={() => onChange([...items, buildEmptyValue(schema.items)])}
			>
				{/* translators: %s: name of a field, for example "Steps" */}
				{sprintf(t('Add to %s'), label)}
			</Button>
		</fieldset>
	);
}
