import { useState } from 'react';

import { request } from '../../api/client';
import { useCollection } from '../../api/collections';
import { describeError } from '../../api/errors';
import { ErrorNotice } from '../../app/error-notice';
import { Dialog } from '../../app/dialog';
import { formatAge, formatTime, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { Field, getFault } from '../../form/field';

interface ApplicationPassword {
	uuid: string;
	name: string;
	created: string;
	last_used: string | null;
	password?: string;
}

const PATH = '/wp/v2/users/me/application-passwords';

/** Passwords that programs of the person sign in with: a list, a new one, revoking. */
export function ApplicationPasswords({ login }: { login: string }) {
	const { value, error } = useCollection<ApplicationPassword>(PATH);
	const [revoking, setRevoking] = useState<ApplicationPassword | 'all' | null>(null);
	const passwords = value?.items ?? [];
	const revoke = async (): Promise<void> => {
		const path = revoking === 'all' || revoking === null ? PATH : `${PATH}/${revoking.uuid}`;
		setRevoking(null);
		try {
			await request(path, { method: 'DELETE' });
			showDone(revoking === 'all' ? t('All of them are revoked.') : t('The password is revoked.'));
		} catch (problem) {
			showError(problem);
		}
	};
	return (
		<section className="panel" aria-labelledby="app-passwords-heading">
			<h2 id="app-passwords-heading">{t('Passwords of applications')}</h2>
			<p className="field-help">
				{t('Programs sign in with one of these instead of yours; each can be revoked alone.')}
			</p>
			<ErrorNotice error={error} />
			<ul className="plain-list">
				{passwords.map((one) => (
					<li key={one.uuid}>
						<span>
							<strong>{one.name}</strong>
							<span className="quiet">
								{' '}
								{sprintf(t('since %s'), formatTime(parseGmt(one.created)))},{' '}
								{one.last_used ? sprintf(t('last used %s'), formatAge(parseGmt(one.last_used))) : t('never used')}
							</span>
						</span>
						<button
							type="button"
							className="button"
							aria-label={sprintf(t('Revoke %s'), one.name)}
							onClick={() => setRevoking(one)}
						>
							{t('Revoke')}
						</button>
					</li>
				))}
			</ul>
			{passwords.length > 1 && (
				<button type="button" className="button button-danger" onClick={() => setRevoking('all')}>
					{t('Revoke all')}
				</button>
			)}
			<NewPassword login={login} />
			{revoking && (
				<Dialog
					title={revoking === 'all' ? t('Revoke all of them?') : sprintf(t('Revoke %s?'), revoking.name)}
					onClose={() => setRevoking(null)}
				>
					<p>{t('Programs that use it are signed out at once.')}</p>
					<div className="form-buttons">
						<button type="button" className="button" onClick={() => setRevoking(null)}>
							{t('Cancel')}
						</button>
						<button type="button" className="button button-danger" onClick={() => void revoke()}>
							{t('Yes, revoke')}
						</button>
					</div>
				</Dialog>
			)}
		</section>
	);
}

function NewPassword({ login }: { login: string }) {
	const [name, setName] = useState('');
	const [error, setError] = useState<unknown>(null);
	const [made, setMade] = useState<ApplicationPassword | null>(null);
	const make = async (): Promise<void> => {
		try {
			setMade(await request<ApplicationPassword>(PATH, { method: 'POST', body: { name } }));
			setName((now) => (now === name ? '' : now));
			setError(null);
		} catch (problem) {
			setError(problem);
		}
	};
	const password = made?.password ?? '';
	return (
		<form
			className="new-password"
			onSubmit={(event) => {
				event.preventDefault();
				void make();
			}}
		>
			<Field
				label={t('Name of a new one')}
				help={t('Which program will use it, on which machine.')}
				fault={getFault(error, 'name') ?? (error === null ? undefined : describeError(error))}
			>
				{(control) => <input {...control} required value={name} onChange={(event) => setName(event.target.value)} />}
			</Field>
			<button type="submit" className="button">
				{t('Make a password')}
			</button>
			{made && (
				<Dialog title={sprintf(t('Password of %s'), made.name)} onClose={() => setMade(null)}>
					<p>{t('It is shown this once. Copy it now into the program that will use it.')}</p>
					<p>
						{t('User name')}: <strong>{login}</strong>
					</p>
					<p>
						<code className="shown-password">{password}</code>
					</p>
					<div className="form-buttons">
						<button
							type="button"
							className="button button-primary"
							onClick={() => {
								navigator.clipboard.writeText(password).then(() => showDone(t('The password is copied.')), showError);
							}}
						>
							{t('Copy')}
						</button>
						<button type="button" className="button" onClick={() => setMade(null)}>
							{t('I have it')}
						</button>
					</div>
				</Dialog>
			)}
		</form>
	);
}
