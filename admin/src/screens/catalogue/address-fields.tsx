import { useMemo } from 'react';

import { useResource } from '../../api/collections';
import { t } from '../../app/i18n';
import { SelectInput, TextInput } from '../../form/inputs';
import type { TrialAddress } from './visitors-cart';

export interface Country {
	code: string;
	name: string;
	states: { code: string; name: string }[];
}

/** The countries with their states, as the shop knows them. */
export function useCountries(): Country[] {
	const { value } = useResource<Country[]>('/wc/v3/data/countries', { _fields: 'code,name,states' });
	return useMemo(() => value ?? [], [value]);
}

interface Props {
	address: TrialAddress;
	onChange: (address: TrialAddress) => void;
}

/** Where something is sent: as much of an address as taxes and shipping go by. */
export function AddressFields({ address, onChange }: Props) {
	const countries = useCountries();
	const states = countries.find((one) => one.code === address.country)?.states ?? [];
	return (
		<div className="address-fields">
			<SelectInput
				label={t('Country')}
				value={address.country}
				options={countries.map(({ code, name }) => ({ value: code, label: name }))}
				onChange={(country) => onChange({ ...address, country, state: '' })}
			/>
			{states.length > 0 ? (
				<SelectInput
					label={t('State or province')}
					value={address.state}
					options={[{ value: '', label: t('None') }, ...states.map(({ code, name }) => ({ value: code, label: name }))]}
					onChange={(state) => onChange({ ...address, state })}
				/>
			) : (
				<TextInput
					label={t('State or province')}
					value={address.state}
					onChange={(state) => onChange({ ...address, state })}
				/>
			)}
			<TextInput
				label={t('Postcode')}
				value={address.postcode}
				onChange={(postcode) => onChange({ ...address, postcode })}
			/>
			<TextInput label={t('City')} value={address.city} onChange={(city) => onChange({ ...address, city })} />
		</div>
	);
}
