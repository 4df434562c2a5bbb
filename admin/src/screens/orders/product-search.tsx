import { useState } from 'react';

import { useCollection } from '../../api/collections';
import { t } from '../../app/i18n';
import { formatMoney } from '../../app/money';
import { Field } from '../../form/field';

/** What can be sold: a product, or one variation of it. */
export interface Sellable {
	product: number;
	variation: number;
	name: string;
	price: string;
}

interface Product {
	id: number;
	name: string;
	type: string;
	sku: string;
	price: string;
	stock_status: string;
}

interface Variation {
	id: number;
	price: string;
	stock_status: string;
	sku: string;
	attributes: { name: string; option: string }[];
}

/** Finds a product by name or SKU; of a variable one its variations are offered. */
export function ProductSearch({ onChoose }: { onChoose: (one: Sellable) => void }) {
	const [words, setWords] = useState('');
	const [variable, setVariable] = useState<Product | null>(null);
	const wanted = words.trim();
	const { value, loading } = useCollection<Product>(wanted.length > 1 ? '/wc/v3/products' : null, {
		search_name_or_sku: wanted,
		status: 'publish',
		per_page: 8,
		_fields: 'id,name,type,sku,price,stock_status',
	});
	const found = wanted.length > 1 ? (value?.items ?? []) : [];
	const choose = (one: Sellable): void => {
		setWords('');
		setVariable(null);
		onChoose(one);
	};
	return (
		<div className="finder">
			<Field label={t('Add a product')}>
				{(control) => (
					<input
						{...control}
						type="search"
						value={words}
						placeholder={t('Name or SKU')}
						onChange={(event) => {
							setWords(event.target.value);
							setVariable(null);
						}}
						onKeyDown={(event) => {
							// Enter would send the form around it.
							if (event.key === 'Enter') {
								event.preventDefault();
							}
						}}
					/>
				)}
			</Field>
			{variable ? (
				<Variations product={variable} onChoose={choose} />
			) : (
				<ul>
					{found.map((product) => (
						<li key={product.id}>
							<button
								type="button"
								onClick={() =>
									product.type === 'variable'
										? setVariable(product)
										: choose({ product: product.id, variation: 0, name: product.name, price: product.price })
								}
							>
								{product.name}{' '}
								<span className="quiet">
									{product.type === 'variable' ? t('choose a variation') : describeOffer(product)}
								</span>
							</button>
						</li>
					))}
				</ul>
			)}
			{wanted.length > 1 && !loading && found.length === 0 && <p className="quiet">{t('Nothing fits this search.')}</p>}
		</div>
	);
}

function Variations({ product, onChoose }: { product: Product; onChoose: (one: Sellable) => void }) {
	const { value } = useCollection<Variation>(`/wc/v3/products/${String(product.id)}/variations`, {
		per_page: 100,
		_fields: 'id,price,stock_status,sku,attributes',
	});
	return (
		<ul aria-label={product.name}>
			{value?.items.map((variation) => {
				const options = variation.attributes.map(({ option }) => option).join(', ');
				return (
					<li key={variation.id}>
						<button
							type="button"
							onClick={() =>
								onChoose({
									product: product.id,
									variation: variation.id,
									name: `${product.name} – ${options}`,
									price: variation.price,
								})
							}
						>
							{product.name} – {options} <span className="quiet">{describeOffer(variation)}</span>
						</button>
					</li>
				);
			})}
		</ul>
	);
}

function describeOffer({ price, stock_status }: { price: string; stock_status: string }): string {
	const offer = price ? formatMoney(price) : t('no price');
	return stock_status === 'outofstock' ? `${offer} · ${t('out of stock')}` : offer;
}
