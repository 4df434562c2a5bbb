import { useMemo, useState } from 'react';

import { getArguments, useDeclaration } from '../../api/declarations';
import { sprintf, t, tn } from '../../app/i18n';
import { showDone } from '../../app/toasts';
import { ConflictNotice } from '../../form/conflict-notice';
import { useGuardedRecord } from '../../form/guarded-record';
import { SchemaForm, useEdits } from '../../form/schema-form';
import { sendBatch } from '../../list/batches';
import type { Collection, Item } from '../../list/collection';
import { buildFields } from '../../list/fields';

interface Props {
	collection: Collection;
	items: Item[];
	onClose: () => void;
}

const ONE = [
	'title',
	'slug',
	'status',
	'date',
	'author',
	'parent',
	'menu_order',
	'sticky',
	'comment_status',
	'template',
];
const MANY = ['status', 'author', 'comment_status', 'sticky'];

/** Changes the small things of one record, or the same things of many, without the editor. */
export function QuickEdit({ collection, items, onClose }: Props) {
	const { value: declaration } = useDeclaration(collection.path);
	const [first, ...others] = items;
	// The rows as they were when the person chose them: what comes in meanwhile was not seen.
	const [seen] = useState(items);
	const pathOf = (one: Item): string => `${collection.path}/${String(one.id)}`;
	// A row of the list does not say in which state it was read.
	const guarded = useGuardedRecord<Item>(first && !others.length ? pathOf(first) : null, { context: 'edit' });
	const only = others.length ? undefined : (guarded.record ?? first);
	const start = useMemo<Item | undefined>(() => only ?? ({ id: '' } as Item), [only]);
	const { item, edits, change, clear } = useEdits(start);
	const [error, setError] = useState<unknown>(null);
	const isOutdated = guarded.findConflict(Object.keys(edits).length > 0);
	const fields = useMemo(
		() =>
			declaration?.schema
				? buildFields(collection, declaration.schema.properties, getArguments(declaration, 'GET'))
				: [],
		[collection, declaration],
	);
	const terms = Object.keys(collection.relations ?? {}).filter((name) => name !== 'author' && name !== 'parent');
	const members = [...(items.length === 1 ? ONE : MANY), ...terms].filter((name) =>
		fields.some((one) => one.id === name),
	);

	const save = async (overwrite = false): Promise<void> => {
		const before = (only ? [only] : seen).map((one) => ({
			method: 'POST',
			path: pathOf(one),
			body: pickStored(one, Object.keys(edits)),
		}));
		let answers: unknown[];
		try {
			if (only) {
				const saved = await guarded.save(edits, overwrite);
				if (!saved) {
					return;
				}
				answers = [saved];
			} else {
				answers = await sendBatch(seen.map((one) => ({ method: 'POST', path: pathOf(one), body: edits, seen: one })));
			}
			showDone(sprintf(tn('%d record is changed.', '%d records are changed.', items.length), items.length), () =>
				sendBatch(before.map((one, index) => ({ ...one, seen: answers[index] as Item }))),
			);
			onClose();
		} catch (problem) {
			setError(problem);
		}
	};
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			{isOutdated && (
				<ConflictNotice
					savedGmt={typeof only?.['modified_gmt'] === 'string' ? only['modified_gmt'] : null}
					saving={guarded.saving}
					onTakeTheirs={() => {
						clear();
						guarded.takeTheirs();
					}}
					onKeepMine={() => void save(true)}
				/>
			)}
			{items.length > 1 && <p>{sprintf(t('What you set here is set for all %d.'), items.length)}</p>}
			{item && <SchemaForm fields={fields} members={members} item={item} onChange={change} error={error} />}
			<div className="form-buttons">
				<button type="submit" className="button button-primary" disabled={Object.keys(edits).length === 0}>
					{t('Save')}
				</button>
				<button type="button" className="button" onClick={onClose}>
					{t('Cancel')}
				</button>
			</div>
		</form>
	);
}

/** Return members of a record as they are written. */
function pickStored(item: Item, names: string[]): Record<string, unknown> {
	return Object.fromEntries(
		names.map((name) => {
			const value = item[name];
			const raw = typeof value === 'object' && value !== null && 'raw' in value ? value.raw : value;
			return [name, raw];
		}),
	);
}
