import { useState } from 'react';

import { request } from '../../api/client';
import { describeError } from '../../api/errors';
import { t } from '../../app/i18n';
import { showDone } from '../../app/toasts';
import { Field, getFault } from '../../form/field';

/** Changes the password of the person. login: for the browser's keeper of passwords. */
export function PasswordForm({ login }: { login: string }) {
	const [password, setPassword] = useState('');
	const [again, setAgain] = useState('');
	const [error, setError] = useState<unknown>(null);
	const [differs, setDiffers] = useState(false);

	const save = async (): Promise<void> => {
		setDiffers(password !== again);
		if (password !== again) {
			return;
		}
		try {
			await request('/wp/v2/users/me', { method: 'POST', body: { password } });
			setError(null);
			setPassword('');
			setAgain('');
			showDone(t('The password is changed.'));
		} catch (problem) {
			setError(problem);
		}
	};
	return (
		<form
			className="panel"
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			<h2>{t('Password')}</h2>
			<input type="text" name="username" autoComplete="username" value={login} readOnly hidden />
			<Field
				label={t('New password')}
				help={t('Long ones are good ones: four words that nobody would guess.')}
				fault={getFault(error, 'password') ?? (error === null ? undefined : describeError(error))}
			>
				{(control) => (
					<input
						{...control}
						type="password"
						required
						autoComplete="new-password"
						value={password}
						onChange={(event) => setPassword(event.target.value)}
					/>
				)}
			</Field>
			<Field label={t('The same again')} fault={differs ? t('The two passwords differ.') : undefined}>
				{(control) => (
					<input
						{...control}
						type="password"
						required
						autoComplete="new-password"
						value={again}
						onChange={(event) => setAgain(event.target.value)}
					/>
				)}
			</Field>
			<button type="submit" className="button">
				{t('Change the password')}
			</button>
		</form>
	);
}
