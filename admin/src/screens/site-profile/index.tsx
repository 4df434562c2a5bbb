import { useState } from 'react';

import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { Fact } from '../../app/fact';
import { FileButton } from '../../app/file-button';
import { t, tx } from '../../app/i18n';
import { Screen } from '../../app/screen';
import { Field } from '../../form/field';
import { FaultList, Preview, readFaults, type ProfilePreview } from './preview';

const PATH = '/wp/v2/site-profile';

interface SiteProfile {
	name: string;
	file: string;
	built_in: boolean;
	text: string | null;
	stale: boolean;
}

/** What the site is by its profile, and what another one would change. */
export default function SiteProfileScreen() {
	const { value, error } = useResource<SiteProfile>(PATH);
	return (
		<Screen title={t('Profile of the site')}>
			<ErrorNotice error={error} />
			{value && <InForce profile={value} />}
			{value && <ChangedProfile profile={value} />}
		</Screen>
	);
}

function InForce({ profile }: { profile: SiteProfile }) {
	return (
		<section className="panel" aria-labelledby="in-force">
			<h2 id="in-force">{t('In force')}</h2>
			<dl className="fact-list">
				<Fact name={tx('Name', 'profile of a site')} value={profile.name} />
				<Fact
					name={tx('File', 'profile of a site')}
					value={profile.built_in ? t('comes with the program') : profile.file}
				/>
			</dl>
			{profile.stale && (
				<p className="notice notice-warning">
					{t('The file was changed since the server was started. The server takes it when it is started again.')}
				</p>
			)}
			{profile.text === null ? (
				<p className="quiet">{t('The file cannot be shown without its keys and passwords.')}</p>
			) : (
				<details>
					<summary>{t('What it says')}</summary>
					<textarea
						className="input profile-input"
						aria-label={t('What it says')}
						rows={14}
						readOnly
						value={profile.text}
					/>
				</details>
			)}
		</section>
	);
}

function ChangedProfile({ profile }: { profile: SiteProfile }) {
	const [text, setText] = useState('');
	const [preview, setPreview] = useState<ProfilePreview | null>(null);
	const [error, setError] = useState<unknown>(null);
	const [asking, setAsking] = useState(false);
	const write = (changed: string): void => {
		setText(changed);
		setPreview(null);
		setError(null);
	};
	const ask = async (): Promise<void> => {
		setAsking(true);
		setPreview(null);
		setError(null);
		try {
			setPreview(await request<ProfilePreview>(`${PATH}/preview`, { method: 'POST', body: { text } }));
		} catch (problem) {
			setError(problem);
		} finally {
			setAsking(false);
		}
	};
	const faults = readFaults(error);
	return (
		<section className="panel" aria-labelledby="changed-profile">
			<h2 id="changed-profile">{t('What another one would change')}</h2>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void ask();
				}}
			>
				<p className="row-buttons">
					<FileButton
						label={t('Choose a file')}
						accept=".toml"
						onFiles={(files) => void files[0]?.text().then(write, setError)}
					/>
					{profile.text !== null && (
						<button type="button" className="button" onClick={() => write(profile.text ?? '')}>
							{t('Begin with the one in force')}
						</button>
					)}
				</p>
				<Field
					label={t('The other profile')}
					help={t('A TOML file. Where it has *** for a key or a password, that stays as it is.')}
				>
					{(control) => (
						<textarea
							{...control}
							className="input profile-input"
							rows={14}
							spellCheck={false}
							value={text}
							onChange={(event) => write(event.target.value)}
						/>
					)}
				</Field>
				<button type="submit" className="button button-primary" disabled={asking || !text.trim()}>
					{asking ? t('Looking …') : t('Show what changes')}
				</button>
			</form>
			{faults ? <FaultList faults={faults} /> : <ErrorNotice error={error} />}
			{preview && <Preview preview={preview} />}
		</section>
	);
}
