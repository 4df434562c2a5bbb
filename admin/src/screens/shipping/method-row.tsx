import { useState } from 'react';

import { request } from '../../api/client';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { CheckInput, TextInput } from '../../form/inputs';
import { dropSaved } from '../../form/schema-form';
import { DeclaredField } from '../catalogue/declared-field';
import { labelMethodKind, type ZoneMethod } from './zone';

interface Props {
	path: string;
	method: ZoneMethod;
}

/** A way of shipping: on or off, and what is set about it. */
export function MethodRow({ path, method }: Props) {
	const [edits, setEdits] = useState<Record<string, unknown>>({});
	const [order, setOrder] = useState<string | null>(null);
	const [error, setError] = useState<unknown>(null);
	const kind = labelMethodKind(method.method_id, method.method_title);
	const isChanged = Object.keys(edits).length > 0 || order !== null;
	const write = (body: Record<string, unknown>): Promise<unknown> => request(path, { method: 'POST', body });
	const save = async (): Promise<void> => {
		try {
			await write({ settings: edits, ...(order === null ? {} : { order: Math.trunc(Number(order)) }) });
			setEdits((now) => dropSaved(now, edits));
			setOrder((now) => (now === order ? null : now));
			setError(null);
			showDone(t('The way of shipping is saved.'));
		} catch (problem) {
			setError(problem);
		}
	};
	return (
		<li>
			<div className="method-head">
				<CheckInput
					label={method.title || kind}
					checked={method.enabled}
					onChange={(enabled) => {
						write({ enabled }).then(() => showDone(t('The way of shipping is saved.')), showError);
					}}
				/>
				<span className="quiet">{kind}</span>
			</div>
			<details>
				<summary>{t('Settings')}</summary>
				<ErrorNotice error={error} />
				<p className="quiet">{method.method_description}</p>
				{Object.values(method.settings).map((setting) => (
					<DeclaredField
						key={setting.id}
						setting={setting}
						value={setting.id in edits ? edits[setting.id] : setting.value}
						onChange={(value) => setEdits((before) => ({ ...before, [setting.id]: value }))}
					/>
				))}
				<TextInput label={t('Order')} type="number" value={order ?? String(method.order)} onChange={setOrder} />
				<div className="form-buttons">
					<button type="button" className="button button-primary" disabled={!isChanged} onClick={() => void save()}>
						{t('Save')}
					</button>
					<button
						type="button"
						className="button"
						onClick={() => {
							if (window.confirm(t('Remove this way of shipping?'))) {
								request(path, { method: 'DELETE', query: { force: true } }).then(
									() => showDone(t('The way of shipping is removed.')),
									showError,
								);
							}
						}}
					>
						{t('Remove')}
					</button>
				</div>
			</details>
		</li>
	);
}
