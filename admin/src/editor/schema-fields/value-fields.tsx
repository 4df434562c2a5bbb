/** Controls of single values: texts, numbers, times, colours, choices. */
import {
	BaseControl,
	Button,
	CheckboxControl,
	SelectControl,
	TextareaControl,
	TextControl,
	ToggleControl,
} from '@wordpress/components';
import { useId, useState } from 'react';

import { getType } from '../../api/declarations';
import { t } from '../../app/i18n';
import { isSimpleMarkup } from './markup';
import { RichText } from './rich-text';
import { isNullable, labelChoice, type FieldProps } from './schema';

const LONG_TEXT = 255; // characters; what may be longer has several lines

export function TextField({ label, schema, value, onChange }: FieldProps) {
	const type = getType(schema);
	const isNumber = type === 'integer' || type === 'number';
	const common = { label, help: schema.description ?? '', value: value === null ? '' : String(value ?? '') };
	const write = (text: string): void => {
		if (text === '' && (isNumber || isNullable(schema))) {
			// Where a field has a default, no value restores it.
			onChange(null);
		} else {
			onChange(isNumber && Number.isFinite(Number(text)) ? Number(text) : text);
		}
	};
	if (schema.format === 'hex-color') {
		return <ColourField label={label} help={common.help} value={common.value} onChange={write} />;
	}
	const isLong = (schema.maxLength ?? 0) > LONG_TEXT || common.value.includes('\n');
	if (!isNumber && !schema.format && isLong) {
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

export function BooleanField({ label, schema, value, onChange }: FieldProps) {
	return (
		<ToggleControl
			label={label}
			help={schema.description ?? ''}
			checked={value === true}
			onChange={(checked) => onChange(checked)}
		/>
	);
}

export function ChoiceField({ label, schema, value, onChange }: FieldProps) {
	const choices = (schema.enum ?? []).filter((one) => one !== null).map(String);
	return (
		<SelectControl
			__next40pxDefaultSize
			label={label}
			help={schema.description}
			value={value === null || value === undefined ? '' : String(value)}
			options={[
				...(isNullable(schema) ? [{ value: '', label: t('None') }] : []),
				...choices.map((one) => ({ value: one, label: labelChoice(schema, one) })),
			]}
			onChange={(next) => {
				const chosen = schema.enum?.find((one) => one !== null && String(one) === next);
				onChange(next === '' && isNullable(schema) ? null : chosen);
			}}
		/>
	);
}

/** Several values of a few; they are stored in the order in which they are declared. */
export function ChoicesField({ label, schema, value, onChange }: FieldProps) {
	const chosen = Array.isArray(value) ? (value as unknown[]) : [];
	const items = schema.items ?? {};
	const toggle = (one: unknown): void =>
		onChange((items.enum ?? []).filter((other) => chosen.includes(other) !== (other === one)));
	return (
		<fieldset className="schema-group">
			<legend>{label}</legend>
			{schema.description && <p className="schema-help">{schema.description}</p>}
			{(items.enum ?? []).map((one) => (
				<CheckboxControl
					key={String(one)}
					label={labelChoice(items, String(one))}
					checked={chosen.includes(one)}
					onChange={() => toggle(one)}
				/>
			))}
		</fieldset>
	);
}

/**
 * A text with markup: shown as the object that the interface answers, written as a text.
 *
 * What is made of blocks, or has more than the small editor keeps, is written as HTML.
 */
export function MarkupField({ label, schema, value, onChange }: FieldProps) {
	const text = typeof value === 'string' ? value : ((value as { raw?: string } | null | undefined)?.raw ?? '');
	const help = schema.description ?? '';
	const [isRich] = useState(() => schema['x-markup'] === 'rich_text' && isSimpleMarkup(text));
	return isRich && isSimpleMarkup(text) ? (
		<RichText label={label} help={help} value={text} onChange={onChange} />
	) : (
		<TextareaControl label={label} help={help} rows={6} value={text} onChange={onChange} />
	);
}
