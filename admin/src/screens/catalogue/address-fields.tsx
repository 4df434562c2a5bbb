import { useMemo } from 'react';

import { useResource } from '../../api/collections';
import { nameRegion } from '../../app/formats';
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
	return useMemo(() => sortByName((value ?? []).map((one) => ({ ...one, name: nameRegion(one.code) }))), [value]);
}

/** Return countries in the order of their names in the person's language. */
export function sortByName<One extends { name: string }>(countries: One[]): One[] {
	return countries.sort((one, other) => one.name.localeCompare(other.name, document.documentElement.lang));
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
