import { decodeEntities } from '@wordpress/html-entities';
import { useEffect, useId, useRef, useState } from 'react';

import { request } from '../../api/client';
import { useCollection } from '../../api/collections';
import { t } from '../../app/i18n';
import { showError } from '../../app/toasts';
import { PRODUCTS } from './product';

export interface FoundProduct {
	id: number;
	name: string;
	sku: string;
	type: string;
}

interface FoundVariation {
	id: number;
	name: string;
	sku: string;
}

interface Props {
	label: string;
	/** Products that are chosen already, and not offered again. */
	without?: readonly number[];
	/** Whether variations are chosen in place of the product that has them. */
	variations?: boolean;
	onChoose: (product: FoundProduct) => void;
}

const SHOWN = 8;
const PAUSE = 250;

/** Finds products by name or SKU; each that is found is a button. */
export function ProductSearch({ label, without = [], variations = false, onChoose }: Props) {
	const id = useId();
	const [typed, setTyped] = useState('');
	const [search, setSearch] = useState('');
	const [choices, setChoices] = useState<FoundProduct[] | null>(null);
	/** The product whose variations are asked for, null where something else was typed meanwhile. */
	const asked = useRef<FoundProduct | null>(null);
	useEffect(() => {
		const timer = window.setTimeout(() => setSearch(typed.trim()), PAUSE);
		return () => window.clearTimeout(timer);
	}, [typed]);
	const { value } = useCollection<FoundProduct>(search ? PRODUCTS : null, {
		search_name_or_sku: search,
		per_page: SHOWN,
		_fields: 'id,name,sku,type',
	});
	const found = choices ?? (search ? (value?.items ?? []) : []);

	const choose = async (product: FoundProduct): Promise<void> => {
		asked.current = product;
		if (!variations || product.type !== 'variable') {
			setTyped('');
			setSearch('');
			setChoices(null);
			onChoose(product);
			return;
		}
		try {
			const all = await request<FoundVariation[]>(`${PRODUCTS}/${String(product.id)}/variations`, {
				query: { per_page: 100, _fields: 'id,name,sku' },
			});
			if (asked.current === product) {
				setChoices(
					all.map((one) => ({ id: one.id, name: `${product.name} – ${one.name}`, sku: one.sku, type: 'variation' })),
				);
			}
		} catch (error) {
			showError(error);
		}
	};
	return (
		<div className="product-search">
			<label htmlFor={id}>{label}</label>
			<input
				id={id}
				className="input"
				type="search"
				autoComplete="off"
				placeholder={t('Name or SKU')}
				value={typed}
				onChange={(event) => {
					setTyped(event.target.value);
					setChoices(null);
					asked.current = null;
				}}
				onKeyDown={(event) => {
					// Inside a form, Enter would send it.
					if (event.key === 'Enter') {
						event.preventDefault();
					}
				}}
			/>
			{found.length > 0 && (
				<ul className="found-products">
					{found
						.filter((one) => !without.includes(one.id))
						.map((one) => (
							<li key={one.id}>
								<button type="button" className="button" onClick={() => void choose(one)}>
									{decodeEntities(one.name)}
									{one.sku && <span className="quiet"> {one.sku}</span>}
								</button>
							</li>
						))}
				</ul>
			)}
			<p className="visually-hidden" role="status">
				{search && value && found.length === 0 ? t('Nothing fits this search.') : ''}
			</p>
		</div>
	);
}
