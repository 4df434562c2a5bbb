/** An address: as it is written, and the fields in which it is changed. */
import { useCollection, useResource } from '../../api/collections';
import { nameRegion } from '../../app/formats';
import { t, tx } from '../../app/i18n';
import { Field } from '../../form/field';
import { sortByName } from '../catalogue/address-fields';
import { listAddressLines, type Address } from './order';

interface Country {
	code: string;
	states?: { code: string; name: string }[];
}

interface Props {
	address: Address;
	/** Whether it has a mail address. */
	withEmail?: boolean;
	/** What a refusal says of members. */
	faults?: Partial<Record<keyof Address, string>>;
	onChange: (changes: Partial<Address>) => void;
}

/** The fields of an address; states are those of its country. */
export function AddressForm({ address, withEmail = false, faults = {}, onChange }: Props) {
	const countries = useCollection<Country>('/wc/v3/data/countries', { _fields: 'code' });
	const names = sortByName((countries.value?.items ?? []).map(({ code }) => ({ code, name: nameRegion(code) })));
	const country = useResource<Country>(
		address.country ? `/wc/v3/data/countries/${address.country.toLowerCase()}` : null,
	);
	const states = country.value?.code === address.country ? (country.value.states ?? []) : [];
	const text = (name: keyof Address, label: string, type = 'text') => (
		<Field label={label} fault={faults[name]}>
			{(control) => (
				<input
					{...control}
					type={type}
					autoComplete="off"
					value={address[name] ?? ''}
					onChange={(event) => onChange({ [name]: event.target.value })}
				/>
			)}
		</Field>
	);
	return (
		<div className="address-form">
			{text('first_name', t('First name'))}
			{text('last_name', t('Last name'))}
			{text('company', t('Company'))}
			{text('address_1', t('Street and number'))}
			{text('address_2', t('Addition to the address'))}
			{text('postcode', t('Postcode'))}
			{text('city', t('City'))}
			<Field label={t('Country')}>
				{(control) => (
					<select
						{...control}
						value={address.country}
						onChange={(event) => onChange({ country: event.target.value, state: '' })}
					>
						<option value="">{t('None')}</option>
						{names.map(({ code, name }) => (
							<option key={code} value={code}>
								{name}
							</option>
						))}
					</select>
				)}
			</Field>
			{states.length > 0 ? (
				<Field label={tx('State or province', 'address')}>
					{(control) => (
						<select {...control} value={address.state} onChange={(event) => onChange({ state: event.target.value })}>
							<option value="">{t('None')}</option>
							{states.map(({ code, name }) => (
								<option key={code} value={code}>
									{name}
								</option>
							))}
						</select>
					)}
				</Field>
			) : (
				text('state', tx('State or province', 'address'))
			)}
			{withEmail && text('email', t('E-mail address'), 'email')}
			{text('phone', t('Telephone'), 'tel')}
		</div>
	);
}

/** An address as it stands on a parcel. */
export function AddressLines({ address }: { address: Address }) {
	const lines = listAddressLines(address);
	return lines.length ? (
		<address className="address-lines">
			{lines.map((line, index) => (
				<span key={index}>{line}</span>
			))}
		</address>
	) : (
		<p className="quiet">{t('No address')}</p>
	);
}

/** Return an address without anything in it. */
export function buildEmptyAddress(): Address {
	return {
		first_name: '',
		last_name: '',
		company: '',
		address_1: '',
		address_2: '',
		city: '',
		state: '',
		postcode: '',
		country: '',
		phone: '',
	};
}
