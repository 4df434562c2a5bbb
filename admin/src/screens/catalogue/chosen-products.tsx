import { useCollection } from '../../api/collections';
import { t } from '../../app/i18n';
import { PRODUCTS } from './product';
import { ProductSearch, type FoundProduct } from './product-search';

interface Props {
	label: string;
	help?: string;
	ids: number[];
	onChange: (ids: number[]) => void;
}

/** Products that a record points at: their names, and a search that adds one. */
export function ChosenProducts({ label, help, ids, onChange }: Props) {
	const { value } = useCollection<FoundProduct>(ids.length ? PRODUCTS : null, {
		include: ids,
		per_page: 100,
		_fields: 'id,name,sku,type',
	});
	return (
		<div className="field" role="group" aria-label={label}>
			<ProductSearch label={label} without={ids} onChoose={({ id }) => onChange([...ids, id])} />
			{help && <p className="field-help">{help}</p>}
			{ids.length > 0 && (
				<ul className="plain-list">
					{ids.map((id) => {
						const name = value?.items.find((one) => one.id === id)?.name ?? `#${String(id)}`;
						return (
							<li key={id}>
								<span>{name}</span>
								<button
									type="button"
									className="button button-small"
									aria-label={`${t('Take away')}: ${name}`}
									onClick={() => onChange(ids.filter((one) => one !== id))}
								>
									×
								</button>
							</li>
						);
					})}
				</ul>
			)}
		</div>
	);
}
