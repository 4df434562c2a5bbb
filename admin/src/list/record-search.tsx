/** Fields whose values are other records, which are found by what is typed. */
import type { DataFormControlProps, Field } from '@wordpress/dataviews';

import type { Query } from '../api/client';
import { useContentLanguage } from '../app/router';
import { RecordPicker } from '../form/record-picker';
import type { Item } from './collection';

/** Where the records of a field are looked for, and what they are called. */
export interface SearchedRecords {
	path: string;
	query: Query;
	/** Whether a record always has one. */
	required?: boolean;
	getName: (item: Item) => string;
}

/**
 * Return what makes a field one that searches, in forms and as a filter of one record.
 *
 * It is made once a list, since it keeps the names that it has seen.
 */
export function describeSearchedField(records: SearchedRecords): Partial<Field<Item>> {
	const names = new Map<unknown, string>();
	return {
		Edit: (props) => <RecordControl {...props} records={records} names={names} />,
		getValueFormatted: ({ item, field }) => {
			const ids = [field.getValue({ item }) ?? []].flat() as number[];
			return ids.map((id) => names.get(id) ?? `#${String(id)}`).join(', ');
		},
	};
}

/** Return what makes a field a filter of one record. */
export function describeSearchedFilter(records: SearchedRecords): Partial<Field<Item>> {
	return { ...describeSearchedField(records), filterBy: { operators: ['is'] } };
}

interface Props extends DataFormControlProps<Item> {
	records: SearchedRecords;
	names: Map<unknown, string>;
}

function RecordControl({ data, field, onChange, hideLabelFromVision, operator, records, names }: Props) {
	const language = useContentLanguage();
	const value = field.getValue({ item: data }) as number | number[] | undefined;
	const several = operator ? operator === 'isAny' : field.type === 'array';
	const ids = [value ?? []].flat().filter((one) => one !== 0);
	const write = (next: number[]): void => {
		// A filter without a value is none; a record without a parent has 0.
		const empty = operator ? undefined : several ? [] : 0;
		const changed = next.length === 0 ? empty : several ? next : next[0];
		onChange(field.setValue({ item: data, value: changed }));
	};
	return (
		<RecordPicker<Item>
			label={field.label}
			hideLabel={hideLabelFromVision ?? false}
			help={operator ? undefined : field.description}
			ids={ids}
			several={several}
			required={!operator && records.required === true}
			onChange={write}
			path={records.path}
			query={records.query}
			language={language}
			getName={records.getName}
			onNames={(read) => read.forEach((name, id) => names.set(id, name))}
		/>
	);
}
