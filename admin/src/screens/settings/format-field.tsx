import { useId } from 'react';

import { sprintf, t } from '../../app/i18n';
import { formatExample } from './date-formats';

interface Props {
	label: string;
	formats: readonly string[];
	value: string;
	onChange: (format: string) => void;
}

/** Chooses a format of dates or times by its look; any other can be written. */
export function FormatField({ label, formats, value, onChange }: Props) {
	const id = useId();
	const now = new Date();
	return (
		<fieldset className="field format-field">
			<legend>{label}</legend>
			{formats.map((format) => (
				<label key={format} className="check">
					<input type="radio" name={id} checked={value === format} onChange={() => onChange(format)} />
					<span>
						{formatExample(format, now)} <code>{format}</code>
					</span>
				</label>
			))}
			<div className="format-own">
				<label htmlFor={id}>{t('Own format')}</label>
				<input id={id} className="input" value={value} onChange={(event) => onChange(event.target.value)} />
				<span className="quiet">{sprintf(t('Example: %s'), formatExample(value, now))}</span>
			</div>
		</fieldset>
	);
}
