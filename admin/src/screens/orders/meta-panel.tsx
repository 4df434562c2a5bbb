import { useState } from 'react';

import { t } from '../../app/i18n';
import { showDone } from '../../app/toasts';
import { DraftNotes } from './draft-notes';
import type { MetaEntry, Order } from './order';
import { SidePanel } from './side-panel';
import { useDraft } from './use-draft';

/** Further fields of an order, as programs and people wrote them. */
export function MetaPanel({ order }: { order: Order }) {
	const draft = useDraft(order);
	const [key, setKey] = useState('');
	const [value, setValue] = useState('');
	const [last, setLast] = useState<{ entry: MetaEntry; said: string }>();
	const write = async (entry: MetaEntry, said: string, send = draft.save): Promise<void> => {
		setLast({ entry, said });
		if (await send({ meta_data: [entry] })) {
			showDone(said);
			setKey('');
			setValue('');
		}
	};
	return (
		<SidePanel title={t('Further fields')}>
			<DraftNotes draft={draft} onKeepMine={() => last && void write(last.entry, last.said, draft.overwrite)} />
			{order.meta_data.length > 0 && (
				<dl className="meta-list">
					{order.meta_data.map((entry) => (
						<div key={entry.id}>
							<dt>{entry.key}</dt>
							<dd>
								{typeof entry.value === 'string' ? entry.value : JSON.stringify(entry.value)}{' '}
								<button
									type="button"
									className="link-button"
									aria-label={`${t('Remove')}: ${entry.key}`}
									onClick={() => void write({ ...entry, value: null }, t('The field is removed.'))}
								>
									{t('Remove')}
								</button>
							</dd>
						</div>
					))}
				</dl>
			)}
			<form
				className="meta-form"
				onSubmit={(event) => {
					event.preventDefault();
					void write({ key: key.trim(), value }, t('The field is kept.'));
				}}
			>
				<label>
					<span className="visually-hidden">{t('Name of the field')}</span>
					<input
						className="input"
						value={key}
						placeholder={t('Name of the field')}
						onChange={(event) => setKey(event.target.value)}
					/>
				</label>
				<label>
					<span className="visually-hidden">{t('Value')}</span>
					<input
						className="input"
						value={value}
						placeholder={t('Value')}
						onChange={(event) => setValue(event.target.value)}
					/>
				</label>
				<button type="submit" className="button" disabled={!key.trim() || draft.saving}>
					{t('Add')}
				</button>
			</form>
		</SidePanel>
	);
}
