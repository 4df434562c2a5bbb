import { useState } from 'react';

import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { TextInput } from '../../form/inputs';
import { useCountries, type Country } from '../catalogue/address-fields';
import type { Zone, ZonePlace } from './zone';

interface Continent {
	code: string;
	name: string;
}

interface Props {
	path: string;
	zone: Zone;
}

/** Where a zone is: continents, countries, states, and only some postcodes of them. */
export function ZonePlaces({ path, zone }: Props) {
	const { value: places } = useResource<ZonePlace[]>(`${path}/locations`);
	const { value: continents } = useResource<Continent[]>('/wc/v3/data/continents', { _fields: 'code,name' });
	const countries = useCountries();
	const [typed, setTyped] = useState<string | null>(null);
	const stored = places ?? [];
	const regions = stored.filter((one) => one.type !== 'postcode');
	const postcodes = stored.filter((one) => one.type === 'postcode').map((one) => one.code);
	const postcodeText = typed ?? postcodes.join('\n');

	const store = (next: ZonePlace[]): void => {
		request(`${path}/locations`, { method: 'POST', body: next.map(({ code, type }) => ({ code, type })) }).then(() => {
			setTyped((now) => (now === typed ? null : now));
			showDone(t('The places are saved.'));
		}, showError);
	};
	const withPostcodes = (list: ZonePlace[], text: string): ZonePlace[] => [
		...list,
		...text
			.split('\n')
			.map((one) => one.trim())
			.filter(Boolean)
			.map((code) => ({ code, type: 'postcode' })),
	];
	return (
		<div className="zone-places">
			<ul className="chips" aria-label={t('Places')}>
				{regions.map((one) => {
					const name = namePlace(one, countries, continents ?? []);
					return (
						<li key={`${one.type} ${one.code}`}>
							{name}
							<button
								type="button"
								aria-label={`${t('Take away')}: ${name}`}
								onClick={() => store(stored.filter((other) => other !== one))}
							>
								×
							</button>
						</li>
					);
				})}
			</ul>
			<label className="field">
				<span>{sprintf(t('Further place of %s'), zone.name)}</span>
				<select
					className="input"
					value=""
					disabled={!places}
					onChange={(event) => {
						const [type = '', code = ''] = event.target.value.split(' ');
						store([...stored, { code, type }]);
					}}
				>
					<option value="">{t('Choose …')}</option>
					<optgroup label={t('Continents')}>
						{(continents ?? []).map(({ code, name }) => (
							<option key={code} value={`continent ${code}`}>
								{nameContinent(code, name)}
							</option>
						))}
					</optgroup>
					<optgroup label={t('Countries')}>
						{countries.map(({ code, name }) => (
							<option key={code} value={`country ${code}`}>
								{name}
							</option>
						))}
					</optgroup>
					{countries
						.filter((one) => regions.some((place) => place.code.split(':')[0] === one.code) && one.states.length > 0)
						.map((country) => (
							<optgroup key={country.code} label={country.name}>
								{country.states.map((state) => (
									<option key={state.code} value={`state ${country.code}:${state.code}`}>
										{state.name}
									</option>
								))}
							</optgroup>
						))}
				</select>
			</label>
			<details open={postcodes.length > 0}>
				<summary>{t('Only some postcodes')}</summary>
				<TextInput
					label={t('Postcodes')}
					help={t('One a line; 39* and 39010...39060 are possible.')}
					rows={3}
					value={postcodeText}
					onChange={setTyped}
				/>
				<button
					type="button"
					className="button"
					disabled={typed === null || !places}
					onClick={() => store(withPostcodes(regions, postcodeText))}
				>
					{t('Save the postcodes')}
				</button>
			</details>
		</div>
	);
}

/** Continents by their letters in the shop; browsers may know countries alone by name. */
const CONTINENTS: Record<string, () => string> = {
	AF: () => t('Africa'),
	AN: () => t('Antarctica'),
	AS: () => t('Asia'),
	EU: () => t('Europe'),
	NA: () => t('North America'),
	OC: () => t('Oceania'),
	SA: () => t('South America'),
};

function nameContinent(code: string, name: string): string {
	return CONTINENTS[code]?.() ?? name;
}

function namePlace({ code, type }: ZonePlace, countries: Country[], continents: Continent[]): string {
	if (type === 'continent') {
		return nameContinent(code, continents.find((one) => one.code === code)?.name ?? code);
	}
	const [country = '', state] = code.split(':');
	const found = countries.find((one) => one.code === country);
	return state ? (found?.states.find((one) => one.code === state)?.name ?? code) : (found?.name ?? code);
}
