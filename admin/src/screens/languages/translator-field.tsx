import { useState } from 'react';

import { defaultLanguage } from '../../app/boot';
import { t } from '../../app/i18n';
import { RecordField } from '../../editor/schema-fields/record-field';
import { useTranslators } from './translators';

interface Props {
	label: string;
	/** What can be chosen besides people. */
	options: readonly { value: string; label: string }[];
	/** One of the options or the number of an account; empty as long as nobody is chosen. */
	value: string;
	onChange: (value: string) => void;
}

const OTHER = 'other';

/** Chooses who translates: a translator, or anybody else of the site, who becomes one by their first job. */
export function TranslatorField({ label, options, value, onChange }: Props) {
	const translators = useTranslators() ?? [];
	const [isOther, setIsOther] = useState(false);
	return (
		<>
			<label>
				{label}
				<select
					required
					value={isOther ? OTHER : value}
					onChange={(event) => {
						const chosen = event.target.value;
						setIsOther(chosen === OTHER);
						onChange(chosen === OTHER ? '' : chosen);
					}}
				>
					{options.map((one) => (
						<option key={one.value} value={one.value}>
							{one.label}
						</option>
					))}
					{translators.map(({ id, name }) => (
						<option key={id} value={id}>
							{name}
						</option>
					))}
					<option value={OTHER}>{t('Somebody else …')}</option>
				</select>
			</label>
			{isOther && (
				<RecordField
					path="translator"
					label={t('Person')}
					schema={{ type: 'integer', description: t('They become a translator of these languages.') }}
					value={Number(value) || null}
					onChange={(id) => onChange(typeof id === 'number' ? String(id) : '')}
					errors={{}}
					language={defaultLanguage}
					refersTo="user"
				/>
			)}
		</>
	);
}
