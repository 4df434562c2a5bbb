import { useState } from 'react';

import { useCollection } from '../../api/collections';
import { t } from '../../app/i18n';
import { Field } from '../../form/field';
import { formatName, type Address } from './order';

export interface Customer {
	id: number;
	email: string;
	first_name: string;
	last_name: string;
	billing: Address;
	shipping: Address;
}

interface Props {
	/** customer: null for a guest. */
	onChoose: (customer: Customer | null) => void;
	onCancel?: () => void;
}

/** Finds a customer by name or mail address. */
export function CustomerSearch({ onChoose, onCancel }: Props) {
	const [words, setWords] = useState('');
	const wanted = words.trim();
	const { value, loading } = useCollection<Customer>(wanted.length > 1 ? '/wc/v3/customers' : null, {
		search: wanted,
		role: 'all',
		per_page: 6,
		_fields: 'id,email,first_name,last_name,billing,shipping',
	});
	const found = wanted.length > 1 ? (value?.items ?? []) : [];
	return (
		<div className="finder">
			<Field label={t('Find a customer')}>
				{(control) => (
					<input
						{...control}
						type="search"
						value={words}
						placeholder={t('Name or e-mail address')}
						onChange={(event) => setWords(event.target.value)}
						onKeyDown={(event) => {
							if (event.key === 'Enter') {
								event.preventDefault();
							}
						}}
					/>
				)}
			</Field>
			<ul>
				{found.map((customer) => (
					<li key={customer.id}>
						<button type="button" onClick={() => onChoose(customer)}>
							{formatName(customer) || customer.email} <span className="quiet">{customer.email}</span>
						</button>
					</li>
				))}
			</ul>
			{wanted.length > 1 && !loading && found.length === 0 && <p className="quiet">{t('Nobody is called so.')}</p>}
			<div className="entry-buttons">
				<button type="button" className="button" onClick={() => onChoose(null)}>
					{t('Guest, without an account')}
				</button>
				{onCancel && (
					<button type="button" className="button" onClick={onCancel}>
						{t('Cancel')}
					</button>
				)}
			</div>
		</div>
	);
}
