import { useState } from 'react';

import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { formatAge, formatTime, parseGmt } from '../../app/formats';
import { t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { Field } from '../../form/field';
import { stripMarkup } from '../../list/collection';
import { getOrderPath, type Order } from './order';
import { SidePanel } from './side-panel';

interface Note {
	id: number;
	author: string;
	date_created_gmt: string;
	note: string;
	customer_note: boolean;
}

/** What happened to an order, and what people wrote to it: for themselves, or to the customer. */
export function NotesPanel({ order }: { order: Order }) {
	const path = `${getOrderPath(order.id)}/notes`;
	const { value: notes, error } = useResource<Note[]>(path);
	const [text, setText] = useState('');
	const [toCustomer, setToCustomer] = useState(false);
	const [saving, setSaving] = useState(false);
	const add = (): void => {
		setSaving(true);
		request(path, { method: 'POST', body: { note: text.trim(), customer_note: toCustomer, added_by_user: true } })
			.then(() => {
				// The next note may have been begun meanwhile.
				setText((now) => (now === text ? '' : now));
				showDone(toCustomer ? t('The note is on its way to the customer.') : t('The note is kept.'));
			}, showError)
			.finally(() => setSaving(false));
	};
	const remove = (note: Note): void => {
		request(`${path}/${String(note.id)}`, { method: 'DELETE', query: { force: true } }).then(
			() => showDone(t('The note is removed.')),
			showError,
		);
	};
	return (
		<SidePanel title={t('Notes')}>
			<ErrorNotice error={error} />
			<form
				className="note-form"
				onSubmit={(event) => {
					event.preventDefault();
					add();
				}}
			>
				<Field label={t('New note')}>
					{(control) => (
						<textarea {...control} rows={2} value={text} onChange={(event) => setText(event.target.value)} />
					)}
				</Field>
				<div className="form-buttons">
					<label className="inline-field">
						<span>{t('For whom')}</span>
						<select
							className="input"
							value={toCustomer ? 'customer' : 'shop'}
							onChange={(event) => setToCustomer(event.target.value === 'customer')}
						>
							<option value="shop">{t('for the shop alone')}</option>
							<option value="customer">{t('to the customer, by mail')}</option>
						</select>
					</label>
					<button type="submit" className="button" disabled={saving || !text.trim()}>
						{t('Add the note')}
					</button>
				</div>
			</form>
			<ol className="notes">
				{notes?.map((note) => {
					const when = parseGmt(note.date_created_gmt);
					const words = stripMarkup(note.note);
					return (
						<li key={note.id} className={note.customer_note ? 'note-to-customer' : undefined}>
							<p>{words}</p>
							<p className="quiet">
								{note.customer_note && `${t('to the customer')} · `}
								{note.author} ·{' '}
								<time dateTime={when.toISOString()} title={formatTime(when)}>
									{formatAge(when)}
								</time>{' '}
								<button
									type="button"
									className="link-button"
									aria-label={`${t('Remove the note')}: ${words.slice(0, 60)}`}
									onClick={() => remove(note)}
								>
									{t('Remove')}
								</button>
							</p>
						</li>
					);
				})}
			</ol>
		</SidePanel>
	);
}
