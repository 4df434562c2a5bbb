import { useCollection } from '../../api/collections';
import { t } from '../../app/i18n';
import type { FieldControl } from '../../form/field';
import { readText, type Item } from '../../list/collection';

interface Props {
	control: FieldControl;
	path: string;
	/** Member that is the name. */
	label: string;
	value: number;
	onChange: (id: number) => void;
	/** Whether none can be chosen. */
	optional?: boolean;
}

/** Chooses one of the first hundred records of a collection. */
export function RecordSelect({ control, path, label, value, onChange, optional = false }: Props) {
	const { value: page } = useCollection<Item>(path, {
		per_page: 100,
		orderby: label,
		order: 'asc',
		_fields: `id,${label}`,
	});
	const items = page?.items ?? [];
	return (
		<select {...control} value={value} onChange={(event) => onChange(Number(event.target.value))}>
			{optional && <option value={0}>{t('None')}</option>}
			{value !== 0 && !items.some((one) => one.id === value) && <option value={value}>#{value}</option>}
			{items.map((one) => (
				<option key={one.id} value={one.id}>
					{readText(one[label]) || `#${String(one.id)}`}
				</option>
			))}
		</select>
	);
}
