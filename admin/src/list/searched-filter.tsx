/** A filter of a list by another record, which is found by what is typed: there may be any number of them. */
import { ComboboxControl } from '@wordpress/components';
import { useDebounce } from '@wordpress/compose';
import type { DataFormControlProps, Field } from '@wordpress/dataviews';
import { useState } from 'react';

import type { Query } from '../api/client';
import { useCollection } from '../api/collections';
import type { Item } from './collection';

/** Where the records of a filter are looked for, and what they are called. */
export interface SearchedRecords {
	path: string;
	query: Query;
	getName: (item: Item) => string;
}

const SHOWN = 20;
const PAUSE = 250;

/** Return what makes a field a filter that searches; made once a list, since it keeps the names that it has seen. */
export function describeSearchedFilter(records: SearchedRecords): Partial<Field<Item>> {
	const names = new Map<unknown, string>();
	return {
		filterBy: { operators: ['is'] },
		Edit: (props) => <RecordFinder {...props} records={records} names={names} />,
		getValueFormatted: ({ item, field }) => {
			const id = field.getValue({ item }) as number;
			return names.get(id) ?? `#${String(id)}`;
		},
	};
}

interface Props extends DataFormControlProps<Item> {
	records: SearchedRecords;
	names: Map<unknown, string>;
}

function RecordFinder({ data, field, onChange, hideLabelFromVision, records, names }: Props) {
	const [search, setSearch] = useState('');
	const searchLater = useDebounce(setSearch, PAUSE);
	const chosen = field.getValue({ item: data }) as number | undefined;
	const found = useCollection<Item>(records.path, { ...records.query, per_page: SHOWN, ...(search ? { search } : {}) });
	const missing = chosen !== undefined && !names.has(chosen);
	const own = useCollection<Item>(missing ? records.path : null, { ...records.query, include: [chosen ?? 0] });
	for (const item of [...(found.value?.items ?? []), ...(own.value?.items ?? [])]) {
		names.set(item.id, records.getName(item));
	}
	const offered = new Set([
		...(chosen === undefined ? [] : [chosen]),
		...(found.value?.items ?? []).map(({ id }) => id),
	]);
	return (
		<ComboboxControl
			__next40pxDefaultSize
			label={field.label}
			hideLabelFromVision={hideLabelFromVision ?? false}
			value={chosen === undefined ? null : String(chosen)}
			options={[...offered].map((id) => ({ value: String(id), label: names.get(id) ?? `#${String(id)}` }))}
			onFilterValueChange={searchLater}
			onChange={(next) => onChange(field.setValue({ item: data, value: next ? Number(next) : undefined }))}
		/>
	);
}
