/** On a phone the columns of a list stand under the title of each row, with their names, and need no sideways scrolling. */
import type { Field, View } from '@wordpress/dataviews';
import { useSyncExternalStore } from 'react';

import { t } from '../app/i18n';
import type { Item } from './collection';

const SUMMARY = 'row-summary';
const narrow = window.matchMedia('(max-width: 600px)');

/** Whether the window is as narrow as a phone. */
export function useIsNarrow(): boolean {
	return useSyncExternalStore(
		(listener) => {
			narrow.addEventListener('change', listener);
			return () => {
				narrow.removeEventListener('change', listener);
			};
		},
		() => narrow.matches,
	);
}

/** Return the fields and the view of a table whose rows have what its columns would show under their title. */
export function summarizeRows(fields: Field<Item>[], view: View): { fields: Field<Item>[]; view: View } {
	const shown = (view.fields ?? []).flatMap((name) => fields.find(({ id }) => id === name) ?? []);
	const summary: Field<Item> = {
		id: SUMMARY,
		label: t('Details'),
		enableSorting: false,
		enableHiding: false,
		enableGlobalSearch: false,
		filterBy: false,
		render: ({ item }) => <RowSummary item={item} fields={shown} />,
	};
	return { fields: [...fields, summary], view: { ...view, descriptionField: SUMMARY } };
}

/** Return a view as it is kept: without the summary, which a wider window has no use for. */
export function removeSummary(view: View): View {
	const { descriptionField, ...others } = view;
	return descriptionField === SUMMARY ? others : view;
}

function RowSummary({ item, fields }: { item: Item; fields: Field<Item>[] }) {
	return (
		<dl className="row-summary">
			{fields.map((field) => (
				<div key={field.id}>
					<dt>{field.label}</dt>
					<dd>{renderValue(field, item)}</dd>
				</div>
			))}
		</dl>
	);
}

function renderValue(field: Field<Item>, item: Item): React.ReactNode {
	if (field.render) {
		const Value = field.render as unknown as React.ComponentType<{ item: Item; field: Field<Item> }>;
		return <Value item={item} field={field} />;
	}
	const value: unknown = field.getValue ? field.getValue({ item }) : item[field.id];
	const element = Array.isArray(field.elements) ? field.elements.find((one) => one.value === value) : undefined;
	if (element) {
		return element.label;
	}
	if (typeof value === 'boolean') {
		return value ? t('Yes') : t('No');
	}
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
