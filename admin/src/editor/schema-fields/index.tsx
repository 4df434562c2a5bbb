import { BaseControl, Button, SelectControl, TextareaControl, TextControl, ToggleControl } from '@wordpress/components';
import { useId } from 'react';

import { sprintf, t } from '../../app/i18n';
import { MediaField } from './media-field';
import { RecordField } from './record-field';
import {
	buildEmptyValue,
	getHelp,
	getLabel,
	getType,
	isMarkup,
	isNullable,
	listWritable,
	type FieldProps,
	type Schema,
} from './schema';

export { listWritable, type Schema } from './schema';

interface Props {
	/** Name of the object itself, `meta`; empty for a whole record. */
	path: string;
	schema: Schema;
	value: Readonly<Record<string, unknown>>;
	/** Called with the member that changed. */
	onChange: (name: string, value: unknown) => void;
	errors: Readonly<Record<string, string>>;
}

const LONG_TEXT = 255; // characters; what may be longer has several lines

/** Controls for the members of an object, as its schema declares them. */
export function SchemaFields({ path, schema, value, onChange, errors }: Props) {
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
				/>
			))}
		</div>
	);
}

function SchemaField(props: FieldProps) {
	const { path, label, schema, errors } = props;
	const fault = errors[path]?.replaceAll(path, label);
	return (
		<div className={fault ? 'schema-field has-fault' : 'schema-field'} data-field={path}>
			{renderControl(props)}
			{fault && (
				<p className="schema-fault" role="alert">
					{fault}
				</p>
			)}
			{getType(schema) === 'array' && errors[`${path}[]`] && <p className="schema-fault">{errors[`${path}[]`]}</p>}
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
			return <ListField {...props} />;
		case 'boolean':
			return <BooleanField {...props} />;
		default:
			return schema.enum ? <ChoiceField {...props} /> : <TextField {...props} />;
	}
}

function TextField({ label, schema, value, onChange }: FieldProps) {
	const type = getType(schema);
	const isNumber = type === 'integer' || type === 'number';
	const common = { label, help: schema.description ?? '', value: value === null ? '' : String(value ?? '') };
	const write = (text: string): void => {
		if (text === '' && isNullable(schema)) {
			onChange(null);
		} else {
			onChange(isNumber && Number.isFinite(Number(text)) ? Number(text) : text);
		}
	};
	if (schema.format === 'hex-color') {
		return <ColourField label={label} help={common.help} value={common.value} onChange={write} />;
	}
	if (!isNumber && !schema.format && (schema.maxLength ?? 0) > LONG_TEXT) {
		return <TextareaControl {...common} onChange={write} />;
	}
	const limits = {
		...(schema.minimum === undefined ? {} : { min: schema.minimum }),
		...(schema.maximum === undefined ? {} : { max: schema.maximum }),
		...(schema.maxLength === undefined ? {} : { maxLength: schema.maxLength }),
		...(type === 'number' ? { step: 'any' } : {}),
	};
	const isTime = schema.format === 'date-time';
	return (
		<TextControl
			__next40pxDefaultSize
			{...common}
			{...limits}
			{...(isTime ? { value: common.value.slice(0, 16) } : {})}
			type={isNumber ? 'number' : (INPUT_TYPES[schema.format ?? ''] ?? 'text')}
			onChange={(text) => write(isTime && text ? `${text}:00`.slice(0, 19) : text)}
		/>
	);
}

const INPUT_TYPES: Record<string, 'date' | 'datetime-local' | 'email'> = {
	date: 'date',
	'date-time': 'datetime-local',
	// An address may be a path, which a field for URLs would refuse.
	email: 'email',
};

interface ColourProps {
	label: string;
	help: string;
	value: string;
	onChange: (text: string) => void;
}

function ColourField({ label, help, value, onChange }: ColourProps) {
	const id = useId();
	return (
		<BaseControl id={id} label={label} help={help}>
			<div className="schema-row">
				<input
					id={id}
					type="color"
					value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#000000'}
					onChange={(event) => onChange(event.target.value)}
				/>
				<code>{value || t('None')}</code>
				{value && (
					<Button variant="tertiary" size="small" onClick={() => onChange('')}>
						{t('Remove')}
					</Button>
				)}
			</div>
		</BaseControl>
	);
}

function BooleanField({ label, schema, value, onChange }: FieldProps) {
	return (
		<ToggleControl
			label={label}
			help={schema.description ?? ''}
			checked={value === true}
			onChange={(checked) => onChange(checked)}
		/>
	);
}

function ChoiceField({ label, schema, value, onChange }: FieldProps) {
	const choices = (schema.enum ?? []).filter((one) => one !== null).map(String);
	return (
		<SelectControl
			__next40pxDefaultSize
			label={label}
			help={schema.description}
			value={value === null || value === undefined ? '' : String(value)}
			options={[
				...(isNullable(schema) ? [{ value: '', label: t('None') }] : []),
				...choices.map((one) => ({ value: one, label: one })),
			]}
			onChange={(next) => {
				const chosen = schema.enum?.find((one) => one !== null && String(one) === next);
				onChange(next === '' && isNullable(schema) ? null : chosen);
			}}
		/>
	);
}

/** A text with markup: shown as the object that the interface answers, written as a text. */
function MarkupField({ label, schema, value, onChange }: FieldProps) {
	const text = typeof value === 'string' ? value : ((value as { raw?: string } | null | undefined)?.raw ?? '');
	return <TextareaControl label={label} help={schema.description ?? ''} rows={6} value={text} onChange={onChange} />;
}

function GroupField({ path, label, schema, value, onChange, errors }: FieldProps) {
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
			/>
		</fieldset>
	);
}

function ListField({ path, label, schema, value, onChange, errors }: FieldProps) {
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
