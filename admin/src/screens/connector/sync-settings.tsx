import { useState } from 'react';

import { request } from '../../api/client';
import { forget, useResource } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { showDone } from '../../app/toasts';
import { Field } from '../../form/field';
import { dropSaved } from '../../form/schema-form';
import { SYNC_PATH } from './connector-api';

const PATH = `${SYNC_PATH}/settings`;

interface Settings {
	disable: number;
	sync_sender_enabled: number;
	full_sync_sender_enabled: number;
	upload_max_rows: number;
	max_queue_size: number;
}

/** What is sent by itself, and how much at once. */
export function SyncSettings() {
	const { value, error: missing } = useResource<Settings>(PATH);
	const [edits, setEdits] = useState<Partial<Settings>>({});
	const [error, setError] = useState<unknown>(null);
	const [saving, setSaving] = useState(false);
	const shown = value && { ...value, ...edits };
	const change = (changed: Partial<Settings>): void => setEdits({ ...edits, ...changed });
	const save = async (): Promise<void> => {
		setSaving(true);
		try {
			await request(PATH, { method: 'POST', body: edits });
			forget(SYNC_PATH);
			setError(null);
			setEdits((now) => dropSaved(now, edits));
			showDone(t('The settings are saved.'));
		} catch (problem) {
			setError(problem);
		} finally {
			setSaving(false);
		}
	};
	const numbers = [
		{ name: 'upload_max_rows', label: t('Changes that are sent at once') },
		{ name: 'max_queue_size', label: t('Changes that wait at most') },
	] as const;
	return (
		<section className="panel" aria-labelledby="sync-settings-heading">
			<h2 id="sync-settings-heading">{t('Settings of sending')}</h2>
			<ErrorNotice error={missing ?? error} />
			{shown && (
				<form
					onSubmit={(event) => {
						event.preventDefault();
						void save();
					}}
				>
					<label className="check">
						<input
							type="checkbox"
							checked={shown.disable === 0}
							onChange={(event) => change({ disable: event.target.checked ? 0 : 1 })}
						/>
						{t('Tell the service what changes; without it, what waits is dropped')}
					</label>
					<label className="check">
						<input
							type="checkbox"
							checked={shown.sync_sender_enabled === 1}
							onChange={(event) => change({ sync_sender_enabled: event.target.checked ? 1 : 0 })}
						/>
						{t('Send changes from here, where the service does not fetch them')}
					</label>
					<label className="check">
						<input
							type="checkbox"
							checked={shown.full_sync_sender_enabled === 1}
							onChange={(event) => change({ full_sync_sender_enabled: event.target.checked ? 1 : 0 })}
						/>
						{t('Send the whole site from here, too')}
					</label>
					{numbers.map(({ name, label }) => (
						<Field key={name} label={label}>
							{(control) => (
								<input
									{...control}
									type="number"
									min={1}
									required
									value={shown[name] || ''}
									onChange={(event) => change({ [name]: event.target.valueAsNumber || 0 })}
								/>
							)}
						</Field>
					))}
					<button type="submit" className="button button-primary" disabled={saving || Object.keys(edits).length === 0}>
						{saving ? t('Saving …') : t('Save the settings')}
					</button>
				</form>
			)}
		</section>
	);
}
