/** Controls for settings, by the kind that the interface declares. */
import { decodeEntities } from '@wordpress/html-entities';

import { nameRegion } from '../../app/formats';
import { t } from '../../app/i18n';
import { CheckInput, SelectInput, TextInput } from '../../form/inputs';
import { TokenInput } from '../../form/token-input';

export interface DeclaredSetting {
	id: string;
	label: string;
	description?: string;
	type: string;
	value: unknown;
	default?: unknown;
	tip?: string;
	placeholder?: string;
	/** Values with their labels, which may stand in groups. */
	options?: Record<string, string | Record<string, string>>;
}

interface Props {
	setting: DeclaredSetting;
	value: unknown;
	fault?: string | undefined;
	onChange: (value: unknown) => void;
}

/** One setting. A kind that is not known is a line of text. */
export function DeclaredField({ setting, value, fault, onChange }: Props) {
	const label = decodeEntities(setting.label) || setting.id;
	const help = decodeEntities(setting.tip || setting.description || '');
	const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	const common = { label, help, fault };
	switch (setting.type) {
		case 'title':
		case 'sectionend':
			return setting.type === 'title' ? (
				<div className="declared-title">
					<h3>{label}</h3>
					{help && <p className="quiet">{help}</p>}
				</div>
			) : null;
		case 'checkbox':
			return (
				<>
					<CheckInput
						label={decodeEntities(setting.description ?? '') || label}
						help={setting.tip && setting.tip !== setting.description ? decodeEntities(setting.tip) : undefined}
						checked={value === 'yes' || value === true}
						onChange={(checked) => onChange(checked ? 'yes' : 'no')}
					/>
					{fault && <p className="field-fault">{fault}</p>}
				</>
			);
		case 'select':
		case 'radio':
			return <SelectInput {...common} value={text} options={flattenOptions(setting)} onChange={onChange} />;
		case 'multiselect':
			return <ManyValues setting={setting} label={label} help={help} value={value} onChange={onChange} />;
		case 'textarea':
			return <TextInput {...common} rows={4} value={text} onChange={onChange} />;
		case 'number':
			return <TextInput {...common} type="number" value={text} onChange={onChange} />;
		case 'password':
			// What is stored is never shown; what is typed takes its place.
			return (
				<TextInput
					{...common}
					type="password"
					placeholder={setting.value ? t('Stored; type to replace it') : ''}
					value={value === setting.value ? '' : text}
					onChange={(typed) => onChange(typed === '' ? setting.value : typed)}
				/>
			);
		case 'color':
		case 'email':
			return <TextInput {...common} type={setting.type} value={text} onChange={onChange} />;
		default:
			return <TextInput {...common} placeholder={setting.placeholder ?? ''} value={text} onChange={onChange} />;
	}
}

function flattenOptions(setting: DeclaredSetting): { value: string; label: string }[] {
	return Object.entries(setting.options ?? {}).flatMap(([value, label]) =>
		typeof label === 'string'
			? [{ value, label: labelOption(value, label) }]
			: Object.entries(label).map(([inner, name]) => ({ value: inner, label: labelOption(inner, name) })),
	);
}

/** Return the label of an option; countries, `IT` and `IT:BZ`, are named in the person's language. */
function labelOption(value: string, label: string): string {
	const country = /^([A-Z]{2})(?:$|:)/.exec(value)?.[1];
	const [, ...state] = decodeEntities(label).split(' — ');
	return country ? [nameRegion(country), ...state].join(' — ') : decodeEntities(label);
}

interface ManyProps {
	setting: DeclaredSetting;
	label: string;
	help: string;
	value: unknown;
	onChange: (value: string[]) => void;
}

// Beyond these, values are found by typing instead of being passed one by one.
const MOST_LISTED = 20;

function ManyValues({ setting, label, help, value, onChange }: ManyProps) {
	const chosen = Array.isArray(value) ? (value as string[]) : [];
	const options = flattenOptions(setting);
	if (options.length > MOST_LISTED) {
		const labels = new Map(options.map((one) => [one.value, one.label]));
		const values = new Map(options.map((one) => [one.label, one.value]));
		return (
			<div className="field">
				<TokenInput
					label={label}
					value={chosen.map((one) => labels.get(one) ?? one)}
					suggestions={options.map((one) => one.label)}
					isOpenAtOnce
					accepts={(name) => values.has(name)}
					// What was stored and is offered no more stays as it is.
					onChange={(names) => onChange(names.map((one) => values.get(one) ?? one))}
					help={help}
				/>
			</div>
		);
	}
	return (
		<fieldset className="field term-tree">
			<legend>{label}</legend>
			<div className="term-tree-list" role="group" aria-label={label}>
				{options.map((one) => (
					<label key={one.value} className="check">
						<input
							type="checkbox"
							checked={chosen.includes(one.value)}
							onChange={() =>
								onChange(
									chosen.includes(one.value) ? chosen.filter((other) => other !== one.value) : [...chosen, one.value],
								)
							}
						/>
						{one.label}
					</label>
				))}
			</div>
			{help && <p className="field-help">{help}</p>}
		</fieldset>
	);
}
