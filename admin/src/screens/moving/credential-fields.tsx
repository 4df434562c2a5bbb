import { t } from '../../app/i18n';
import { Field } from '../../form/field';
import type { Credentials } from './transfer';

interface Props {
	value: Credentials;
	onChange: (value: Credentials) => void;
	/** Whether the keys of a shop are asked for, too. */
	withShop: boolean;
}

/** As whom another site is read. */
export function CredentialFields({ value, onChange, withShop }: Props) {
	const set = (member: keyof Credentials) => (event: { target: { value: string } }) =>
		onChange({ ...value, [member]: event.target.value });
	return (
		<>
			<div className="field-row">
				<Field
					label={t('Login on the other site')}
					help={t('Of an administrator there. Without one, only what is public is read.')}
				>
					{(control) => <input {...control} autoComplete="off" value={value.login} onChange={set('login')} />}
				</Field>
				<Field
					label={t('Application password')}
					help={t(
						'The other site makes one under Users → Profile. It is kept sealed while the job runs, and forgotten then.',
					)}
				>
					{(control) => (
						<input
							{...control}
							type="password"
							autoComplete="off"
							required={value.login !== ''}
							value={value.password}
							onChange={set('password')}
						/>
					)}
				</Field>
			</div>
			{withShop && (
				<details>
					<summary>{t('Keys of the shop')}</summary>
					<div className="field-row">
						<Field label={t('Consumer key')} help={t('Only where the application password does not open the shop.')}>
							{(control) => <input {...control} autoComplete="off" value={value.shop_key} onChange={set('shop_key')} />}
						</Field>
						<Field label={t('Consumer secret')}>
							{(control) => (
								<input
									{...control}
									type="password"
									autoComplete="off"
									required={value.shop_key !== ''}
									value={value.shop_secret}
									onChange={set('shop_secret')}
								/>
							)}
						</Field>
					</div>
				</details>
			)}
		</>
	);
}
