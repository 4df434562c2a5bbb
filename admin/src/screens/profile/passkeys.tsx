import { useState } from 'react';

import { request } from '../../api/client';
import { forget, useCollection } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { formatAge, formatTime, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { Dialog } from '../../app/dialog';
import { Field } from '../../form/field';
import { describeAgent } from './agents';
import { ProofDialog } from './proof-dialog';
import { createPasskey, hasPasskeys, type CreationOptions } from './web-authentication';

interface Passkey {
	id: string;
	name: string;
	created_gmt: string;
	last_used_gmt: string | null;
}

type Asking = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey } | null;

const PATH = '/access/v1/passkeys';
const FACTORS = '/access/v1/second-factors';

/** Passkeys of the person: a list, a new one, other names, removing. onCodes: shows recovery codes that came with it. */
export function Passkeys({ available, onCodes }: { available: boolean; onCodes: (codes: string[]) => void }) {
	const { value, error } = useCollection<Passkey>(PATH);
	const [asking, setAsking] = useState<Asking>(null);
	const close = (): void => setAsking(null);

	const add = async (password: string): Promise<void> => {
		const options = await request<CreationOptions>(`${PATH}/options`, { method: 'POST', body: { password } });
		const credential = await createPasskey(options);
		close();
		if (credential === null) {
			showError(new Error(t('No passkey was made.')));
			return;
		}
		const made = await request<{ recovery_codes: string[] }>(PATH, {
			method: 'POST',
			body: { name: describeAgent(navigator.userAgent), credential },
		});
		forget(FACTORS);
		showDone(t('The passkey is added.'));
		onCodes(made.recovery_codes);
	};
	return (
		<>
			<h3>{t('Passkeys')}</h3>
			<p className="field-help">
				{available
					? t('With a passkey you sign in by a finger, your face or a PIN of your device, without a password.')
					: t('Browsers have passkeys only for sites with HTTPS and a name.')}
			</p>
			<ErrorNotice error={error} />
			<ul className="plain-list">
				{(value?.items ?? []).map((one) => (
					<li key={one.id}>
						<span>
							<strong>{one.name}</strong>
							<span className="quiet">
								{' '}
								{sprintf(t('since %s'), formatTime(parseGmt(one.created_gmt)))},{' '}
								{one.last_used_gmt
									? sprintf(t('last used %s'), formatAge(parseGmt(one.last_used_gmt)))
									: t('never used')}
							</span>
						</span>
						<span>
							<button
								type="button"
								className="button"
								aria-label={sprintf(t('Rename %s'), one.name)}
								onClick={() => setAsking({ what: 'rename', passkey: one })}
							>
								{t('Rename')}
							</button>{' '}
							<button
								type="button"
								className="button"
								aria-label={sprintf(t('Remove %s'), one.name)}
								onClick={() => setAsking({ what: 'remove', passkey: one })}
							>
								{t('Remove')}
							</button>
						</span>
					</li>
				))}
			</ul>
			{available && hasPasskeys() && (
				<button type="button" className="button" onClick={() => setAsking({ what: 'add' })}>
					{t('Add a passkey')}
				</button>
			)}
			{asking?.what === 'add' && (
				<ProofDialog
					title={t('Add a passkey')}
					label={t('Go on')}
					onClose={close}
					onProve={({ password }) => add(password)}
				/>
			)}
			{asking?.what === 'remove' && (
				<ProofDialog
					title={sprintf(t('Remove %s?'), asking.passkey.name)}
					label={t('Yes, remove')}
					danger
					onClose={close}
					onProve={async ({ password }) => {
						await request(`${PATH}/${asking.passkey.id}`, { method: 'DELETE', body: { password } });
						forget(FACTORS);
						close();
						showDone(t('The passkey is removed.'));
					}}
				/>
			)}
			{asking?.what === 'rename' && <NewName passkey={asking.passkey} onClose={close} />}
		</>
	);
}

function NewName({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
	const [name, setName] = useState(passkey.name);
	const save = async (): Promise<void> => {
		try {
			await request(`${PATH}/${passkey.id}`, { method: 'PATCH', body: { name } });
			onClose();
		} catch (problem) {
			showError(problem);
		}
	};
	return (
		<Dialog title={sprintf(t('Rename %s'), passkey.name)} onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void save();
				}}
			>
				<Field label={t('Name')}>
					{(control) => (
						<input
							{...control}
							required
							maxLength={100}
							value={name}
							onChange={(event) => setName(event.target.value)}
						/>
					)}
				</Field>
				<div className="form-buttons">
					<button type="button" className="button" onClick={onClose}>
						{t('Cancel')}
					</button>
					<button type="submit" className="button button-primary">
						{t('Save')}
					</button>
				</div>
			</form>
		</Dialog>
	);
}
