import { DataForm, type Field, type Form } from '@wordpress/dataviews';
import { useState } from 'react';

import { ApiError, describeError } from '../api/errors';
import { t } from '../app/i18n';
import type { Item } from '../list/collection';

interface Props {
	fields: Field<Item>[];
	/** Members that are shown, in their order. */
	members: readonly string[];
	item: Item;
	onChange: (changes: Partial<Item>) => void;
	/** The refusal of the last attempt; what it says of a member stands beside it. */
	error?: unknown;
	labelPosition?: 'top' | 'side';
}

/** The one form: a control for each member, made from the schema of the collection. */
export function SchemaForm({ fields, members, item, onChange, error, labelPosition = 'top' }: Props) {
	const form: Form = { layout: { type: 'regular', labelPosition }, fields: [...members] };
	const faults = error instanceof ApiError ? error.params : {};
	const named = Object.keys(faults).filter((name) => members.includes(name.split(/[.[]/)[0] ?? name));
	return (
		<div className="schema-form">
			{error !== undefined && error !== null && (
				<div className="notice notice-failed" role="alert">
					<p>{describeError(error)}</p>
					{named.length > 0 && (
						<ul>
							{named.map((name) => (
								<li key={name}>
									<strong>{fields.find((one) => one.id === name)?.label ?? name}</strong>: {faults[name]}
								</li>
							))}
						</ul>
					)}
				</div>
			)}
			<DataForm<Item>
				data={item}
				fields={fields.filter((one) => members.includes(one.id))}
				form={form}
				onChange={(edits) => onChange(edits as Partial<Item>)}
			/>
		</div>
	);
}

/** Keep what a person changes of a record until it is saved. */
export function useEdits(record: Item | undefined): {
	item: Item | undefined;
	edits: Partial<Item>;
	change: (changes: Partial<Item>) => void;
	clear: () => void;
} {
	const [edits, setEdits] = useState<Partial<Item>>({});
	return {
		item: record && ({ ...record, ...edits } as Item),
		edits,
		change: (changes) => setEdits((before) => ({ ...before, ...changes })),
		clear: () => setEdits({}),
	};
}

/** Say that a form has unsaved changes, in words and for screen readers. */
export function UnsavedNote({ edits }: { edits: Partial<Item> }) {
	return Object.keys(edits).length > 0 ? (
		<p className="quiet" role="status">
			{t('Not saved yet.')}
		</p>
	) : null;
}
