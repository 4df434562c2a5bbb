import { useState } from 'react';

import { request } from '../../api/client';
import { sendFile } from '../../api/uploads';
import { boot } from '../../app/boot';
import { ErrorNotice } from '../../app/error-notice';
import { FileButton } from '../../app/file-button';
import { formatBytes, formatNumber } from '../../app/formats';
import { sprintf, t, tx } from '../../app/i18n';
import { Field } from '../../form/field';
import { CredentialFields } from './credential-fields';
import { IMPORT_PATH, NO_CREDENTIALS, type Credentials, type Ids, type ImportState } from './transfer';

const IDS: Record<Ids, () => string> = {
	auto: () => t('Keep them if this site is empty'),
	keep: () => t('Keep them'),
	map: () => t('Give new ones'),
};

interface Props {
	state: ImportState;
	credentials: Credentials;
	onCredentials: (value: Credentials) => void;
}

/** What comes from where. It is looked at first; what was looked at, or stopped, can be brought in. */
export function ImportForm({ state, credentials, onCredentials }: Props) {
	const last = state.plan;
	const [ofFile, setOfFile] = useState(Boolean(last?.file));
	const [address, setAddress] = useState(last?.address ?? '');
	const [files, setFiles] = useState(last?.files ?? true);
	const [ids, setIds] = useState<Ids>(last?.ids ?? 'auto');
	const [author, setAuthor] = useState(last?.author ?? '');
	const [error, setError] = useState<unknown>(null);
	const [sending, setSending] = useState(false);
	const shown = last?.login && !credentials.login ? { ...credentials, login: last.login } : credentials;
	const isSame = ofFile ? last?.file === state.file?.name && Boolean(last?.file) : last?.address === address.trim();
	const isStarted = isSame && last?.dry_run === false && state.outcome !== 'done';
	const wasLookedAt = isSame && last?.dry_run === true && state.outcome === 'done';
	const start = async (dryRun: boolean): Promise<void> => {
		setSending(true);
		setError(null);
		try {
			const source = ofFile ? {} : { address: address.trim(), ...shown };
			await request(IMPORT_PATH, { method: 'POST', body: { ...source, dry_run: dryRun, files, ids, author } });
			if (!dryRun) {
				onCredentials(NO_CREDENTIALS);
			}
		} catch (problem) {
			setError(problem);
		} finally {
			setSending(false);
		}
	};
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				const pressed = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
				void start(pressed?.value !== 'bring');
			}}
		>
			<fieldset className="field">
				<legend>{t('Where it comes from')}</legend>
				<label className="check">
					<input type="radio" name="source" checked={!ofFile} onChange={() => setOfFile(false)} />
					{t('The address of a site')}
				</label>
				<label className="check">
					<input type="radio" name="source" checked={ofFile} onChange={() => setOfFile(true)} />
					{t('A file')}
				</label>
			</fieldset>
			{ofFile ? (
				<ExportFile state={state} />
			) : (
				<>
					<Field label={t('Address of the old site')} help={t('As people type it, as in https://www.example.org')}>
						{(control) => (
							<input
								{...control}
								type="text"
								inputMode="url"
								autoComplete="off"
								required
								value={address}
								onChange={(event) => setAddress(event.target.value)}
							/>
						)}
					</Field>
					<CredentialFields value={shown} onChange={onCredentials} withShop={boot.modules.includes('shop')} />
				</>
			)}
			<details>
				<summary>{t('How it comes')}</summary>
				<label className="check">
					<input type="checkbox" checked={files} onChange={(event) => setFiles(event.target.checked)} />
					{t('With the files of the library')}
				</label>
				<Field
					label={t('Numbers of records')}
					help={t('What names a record by its number goes on working where they are kept.')}
				>
					{(control) => (
						<select {...control} value={ids} onChange={(event) => setIds(event.target.value as Ids)}>
							{Object.entries(IDS).map(([value, describe]) => (
								<option key={value} value={value}>
									{describe()}
								</option>
							))}
						</select>
					)}
				</Field>
				<Field
					label={t('Everything belongs to')}
					help={t('Login of an account here. If it is left empty, every author gets an account.')}
				>
					{(control) => (
						<input {...control} autoComplete="off" value={author} onChange={(event) => setAuthor(event.target.value)} />
					)}
				</Field>
			</details>
			<ErrorNotice error={error} />
			<p className="row-buttons">
				<button
					type="submit"
					value="look"
					className={wasLookedAt || isStarted ? 'button' : 'button button-primary'}
					disabled={sending || (ofFile && !state.file)}
				>
					{t('Look what would come')}
				</button>
				{(wasLookedAt || isStarted) && (
					<button type="submit" value="bring" className="button button-primary" disabled={sending}>
						{isStarted ? tx('Go on', 'import') : t('Bring it in')}
					</button>
				)}
			</p>
		</form>
	);
}

/** The file that was sent, and another one in its place. */
function ExportFile({ state }: { state: ImportState }) {
	const [share, setShare] = useState<number | null>(null);
	const [error, setError] = useState<unknown>(null);
	const send = async ([file]: File[]): Promise<void> => {
		if (!file) {
			return;
		}
		setShare(0);
		setError(null);
		try {
			await sendFile(`${IMPORT_PATH}/file`, file, { onProgress: setShare });
		} catch (problem) {
			setError(problem);
		} finally {
			setShare(null);
		}
	};
	return (
		<div className="field">
			<p className="row-buttons">
				{state.file && (
					<span>
						<strong>{state.file.name}</strong> <span className="quiet">{formatBytes(state.file.size)}</span>
					</span>
				)}
				<FileButton
					label={state.file ? t('Choose another file') : t('Choose a file')}
					accept=".xml,.csv"
					onFiles={(chosen) => void send(chosen)}
				/>
			</p>
			{share !== null && (
				<p role="status">{sprintf(t('%s%% of the file is sent.'), formatNumber(Math.round(share * 100)))}</p>
			)}
			<p className="field-help">
				{sprintf(
					t('An export file (.xml: Tools → Export → All content) or a table of products (.csv), %s at most.'),
					formatBytes(state.most_bytes),
				)}
			</p>
			<ErrorNotice error={error} />
		</div>
	);
}
