import { useResource } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { t, tx } from '../../app/i18n';
import { Screen } from '../../app/screen';
import { setTheme, useTheme, type Theme } from '../../app/theme';
import { Field } from '../../form/field';
import type { Item } from '../../list/collection';
import { AccountForm } from './account-form';
import { ApplicationPasswords } from './application-passwords';
import { PasswordForm } from './password-form';
import { SecondFactors } from './second-factors';
import { Sessions } from './sessions';

/** The person's own account. */
export default function Profile() {
	const { value: account, error } = useResource<Item>('/wp/v2/users/me', { context: 'edit' });
	return (
		<Screen title={tx('Profile', 'account')}>
			<ErrorNotice error={error} />
			{account && (
				<div className="settings-form">
					<AccountForm account={account} />
					<section className="panel" aria-labelledby="appearance-heading">
						<h2 id="appearance-heading">{t('Appearance')}</h2>
						<Appearance />
					</section>
					<PasswordForm login={String(account['username'])} />
					<SecondFactors />
					<Sessions />
					<ApplicationPasswords login={String(account['username'])} />
				</div>
			)}
		</Screen>
	);
}

function Appearance() {
	const theme = useTheme();
	return (
		<Field label={t('Colours')} help={t('Kept in this browser.')}>
			{(control) => (
				<select {...control} value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
					<option value="system">{t('As the system')}</option>
					<option value="light">{t('Light')}</option>
					<option value="dark">{t('Dark')}</option>
				</select>
			)}
		</Field>
	);
}
