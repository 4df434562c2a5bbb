import { useMemo, useState } from 'react';

import { getArguments, useDeclaration } from '../../api/declarations';
import { sprintf, t, tn } from '../../app/i18n';
import { showDone } from '../../app/toasts';
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
	const [first] = items;
	const start = useMemo<Item | undefined>(() => (items.length === 1 ? first : ({ id: '' } as Item)), [items, first]);
	const { item, edits, change } = useEdits(start);
	const [error, setError] = useState<unknown>(null);
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

	const save = async (): Promise<void> => {
		try {
			await sendBatch(
				items.map((one) => ({ method: 'POST', path: `${collection.path}/${String(one.id)}`, body: edits })),
			);
			showDone(sprintf(tn('%d record is changed.', '%d records are changed.', items.length), items.length));
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
