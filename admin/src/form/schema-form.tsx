import { DataForm, type Field, type Form } from '@wordpress/dataviews';
import { useState } from 'react';

import { ApiError, describeError } from '../api/errors';
import type { Item } from '../list/collection';

interface Props {
	fields: Field<Item>[];
	/** Members that are shown, in their order. */
	members: readonly string[];
	item: Item;
	onChange: (changes: Partial<Item>) => void;
	/** The refusal of the last attempt; what it says of a member stands beside it. */
	error?: unknown;
	/** The member that a refusal means, by the code of one that names none. */
	faultMembers?: Record<string, string> | undefined;
	labelPosition?: 'top' | 'side';
}

/** The one form: a control for each member, made from the schema of the collection. */
export function SchemaForm(props: Props) {
	const { fields, members, item, onChange, error, faultMembers, labelPosition = 'top' } = props;
	const form: Form = { layout: { type: 'regular', labelPosition }, fields: [...members] };
	const faults = findFaults(error, faultMembers);
	// What was changed since the refusal is no longer said to be wrong; it would keep the form from being sent.
	const [mended, setMended] = useState<{ error: unknown; names: string[] }>({ error: null, names: [] });
	const changed = mended.error === error ? mended.names : [];
	const named = Object.keys(faults).filter((name) => members.includes(name.split(/[.[]/)[0] ?? name));
	return (
		<div className="schema-form">
			{error !== undefined && error !== null && (
				<div className="notice notice-failed" role="alert">
					<p>{describeError(error)}</p>
					{named.some((name) => faults[name] !== describeError(error)) && (
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
				validity={Object.fromEntries(
					named
						.filter((name) => !changed.includes(name))
						.map((name) => [name, { custom: { type: 'invalid', message: faults[name] ?? '' } }]),
				)}
				onChange={(edits) => {
					setMended({ error, names: [...changed, ...Object.keys(edits)] });
					onChange(edits as Partial<Item>);
				}}
			/>
		</div>
	);
}

/** Return what a refusal says of each member. */
function findFaults(error: unknown, faultMembers: Record<string, string> = {}): Record<string, string> {
	if (!(error instanceof ApiError)) {
		return {};
	}
	const member = faultMembers[error.code];
	return member ? { [member]: error.message } : error.params;
}

/** Keep what a person changes of a record until it is saved. */
export function useEdits(record: Item | undefined): {
	item: Item | undefined;
	edits: Partial<Item>;
	change: (changes: Partial<Item>) => void;
	/** Forget the edits, but not what was typed since the drawing that this was taken from. */
	clear: () => void;
} {
	const [edits, setEdits] = useState<Partial<Item>>({});
	return {
		item: record && ({ ...record, ...edits } as Item),
		edits,
		change: (changes) => setEdits((before) => ({ ...before, ...changes })),
		clear: () => setEdits((now) => dropSaved(now, edits)),
	};
}

/** Return the edits that are not among those that were saved. */
export function dropSaved<Edits extends object>(now: Edits, saved: Edits): Edits {
	const known = new Map<string, unknown>(Object.entries(saved));
	return Object.fromEntries(Object.entries(now).filter(([name, value]) => known.get(name) !== value)) as Edits;
}
