import { useState } from 'react';
import { flushSync } from 'react-dom';

import { request } from '../../api/client';
import { useDeclaration } from '../../api/declarations';
import { defaultLanguage } from '../../app/boot';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { showDone } from '../../app/toasts';
import { labelLocale } from '../../app/locales';
import { Field, getFault } from '../../form/field';
import { FormButtons } from '../../form/form-buttons';
import { MetaFields } from '../../form/meta-fields';
import { useLeaveWarning } from '../../form/record-form';
import { useEdits } from '../../form/schema-form';
import type { Item } from '../../list/collection';

/** Names, addresses and language of the person. */
export function AccountForm({ account }: { account: Item }) {
	const { value: declaration } = useDeclaration('/wp/v2/users');
	const { item, edits, change, clear } = useEdits(account);
	const [error, setError] = useState<unknown>(null);
	const [reloading, setReloading] = useState(false);
	const changed = Object.keys(edits).length > 0;
	useLeaveWarning(changed && !reloading);
	const locales = (declaration?.schema?.properties['locale']?.enum ?? []).map(String);
	const text = (name: string): string => String(item?.[name] ?? '');

	const save = async (): Promise<void> => {
		try {
			await request('/wp/v2/users/me', { method: 'POST', body: edits });
			setError(null);
			if ('locale' in edits) {
				// The texts of another language come with the page.
				flushSync(() => setReloading(true));
				window.location.reload();
				return;
			}
			clear();
			showDone(t('Your account is saved.'));
		} catch (problem) {
			setError(problem);
		}
	};
	const fields: [string, string, string][] = [
		['name', t('Name that is shown'), 'text'],
		['first_name', t('First name'), 'text'],
		['last_name', t('Last name'), 'text'],
		['nickname', t('Nickname'), 'text'],
		['email', t('E-mail address'), 'email'],
		['url', t('Website'), 'url'],
	];
	return (
		<form
			className="panel"
			noValidate
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			<h2>{t('Your account')}</h2>
			<p className="account-head">
				<Avatar account={account} />
				<span>
					<strong>{text('username')}</strong>
					<span className="quiet"> {t('is your user name; it does not change.')}</span>
				</span>
			</p>
			<ErrorNotice error={error} />
			{fields.map(([name, label, type]) => (
				<Field key={name} label={label} fault={getFault(error, name)}>
					{(control) => (
						<input
							{...control}
							type={type}
							value={text(name)}
							onChange={(event) => change({ [name]: event.target.value })}
						/>
					)}
				</Field>
			))}
			<Field label={t('About you')} fault={getFault(error, 'description')}>
				{(control) => (
					<textarea
						{...control}
						value={text('description')}
						onChange={(event) => change({ description: event.target.value })}
					/>
				)}
			</Field>
			<Field label={t('Language of the administration')} fault={getFault(error, 'locale')}>
				{(control) => (
					<select {...control} value={text('locale')} onChange={(event) => change({ locale: event.target.value })}>
						{locales.map((one) => (
							<option key={one} value={one}>
								{one ? labelLocale(one) : t('As the site')}
							</option>
						))}
					</select>
				)}
			</Field>
			<MetaFields
				schema={declaration?.schema?.properties['meta']}
				stored={account}
				edits={edits}
				onChange={change}
				error={error}
				language={defaultLanguage}
			/>
			<FormButtons changed={changed} label={t('Save your account')} />
		</form>
	);
}

/** The picture of the person where the site itself has it, since no other host is asked; else the first letter. */
function Avatar({ account }: { account: Item }) {
	const address = (account['avatar_urls'] as Record<string, string> | undefined)?.['96'];
	return address && new URL(address, window.location.href).origin === window.location.origin ? (
		<img src={address} alt="" width={48} height={48} />
	) : (
		<span className="avatar-letter" aria-hidden="true">
			{String(account['name']).charAt(0).toUpperCase()}
		</span>
	);
}
