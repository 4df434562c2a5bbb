import { FormTokenField } from '@wordpress/components';

import { t } from '../app/i18n';

interface Props {
	label: string;
	value: string[];
	suggestions: string[];
	onChange: (names: string[]) => void;
	help?: string;
	/** Whether all that fits is shown before anything is typed. */
	isOpenAtOnce?: boolean;
	/** Whether a name may be taken; every one where it is left out. */
	accepts?: (name: string) => boolean;
	onSearch?: (text: string) => void;
}

/** Several names, typed with suggestions. */
export function TokenInput({
	label,
	value,
	suggestions,
	onChange,
	help = '',
	isOpenAtOnce = false,
	accepts,
	onSearch,
}: Props) {
	return (
		<FormTokenField
			__next40pxDefaultSize
			label={label}
			value={value}
			suggestions={suggestions}
			__experimentalExpandOnFocus={isOpenAtOnce}
			{...(isOpenAtOnce ? { maxSuggestions: suggestions.length || 1 } : {})}
			{...(accepts ? { __experimentalValidateInput: accepts } : {})}
			{...(onSearch ? { onInputChange: onSearch } : {})}
			onChange={(tokens) => onChange(tokens.map((one) => (typeof one === 'string' ? one : one.value)))}
			messages={{
				added: t('Added.'),
				removed: t('Taken away.'),
				remove: t('Take away'),
				__experimentalInvalid: t('This cannot be taken.'),
			}}
			help={help}
		/>
	);
}
