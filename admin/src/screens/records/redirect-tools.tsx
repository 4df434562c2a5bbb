import { useState } from 'react';

import { announceWrite, request, send } from '../../api/client';
import { ApiError, describeError } from '../../api/errors';
import { Dialog } from '../../app/dialog';
import { FileButton } from '../../app/file-button';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { Field } from '../../form/field';

const PATH = '/wp/v2/redirects';

interface Fault {
	line: number;
	column: string;
	message: string;
}

/** What can be done with all redirects at once: a file in and out, and asking where an address leads. */
export function RedirectTools() {
	const [faults, setFaults] = useState<Fault[] | null>(null);
	const [asking, setAsking] = useState(false);
	const take = async ([file]: File[]): Promise<void> => {
		if (!file) {
			return;
		}
		try {
			const body = new Blob([await file.text()], { type: 'text/csv' });
			await send(`${PATH}/import`, { method: 'POST', body, headers: { 'Content-Type': 'text/csv' } });
			announceWrite(PATH);
			showDone(sprintf(t('%s is taken over.'), file.name));
		} catch (error) {
			const found = error instanceof ApiError ? (error.data['faults'] as Fault[] | undefined) : undefined;
			if (found) {
				setFaults(found);
			} else {
				showError(error);
			}
		}
	};
	return (
		<>
			<button type="button" className="button" onClick={() => setAsking(true)}>
				{t('Where does an address lead?')}
			</button>
			<FileButton label={t('Import CSV')} accept=".csv,text/csv" onFiles={(files) => void take(files)} />
			<button type="button" className="button" onClick={() => void saveFile().catch(showError)}>
				{t('Export CSV')}
			</button>
			{asking && <LookUp onClose={() => setAsking(false)} />}
			{faults && (
				<Dialog title={t('Nothing of the file was stored')} onClose={() => setFaults(null)}>
					<p>{t('These lines cannot be taken. Mend them and import the file again.')}</p>
					<ul>
						{faults.map(({ line, column, message }) => (
							<li key={`${String(line)} ${column}`}>{sprintf(t('Line %1$d, %2$s: %3$s'), line, column, message)}</li>
						))}
					</ul>
				</Dialog>
			)}
		</>
	);
}

async function saveFile(): Promise<void> {
	const response = await send(`${PATH}/export`, { headers: { Accept: 'text/csv' } });
	const address = URL.createObjectURL(await response.blob());
	const link = document.createElement('a');
	link.href = address;
	link.download = 'redirects.csv';
	link.click();
	URL.revokeObjectURL(address);
}

function LookUp({ onClose }: { onClose: () => void }) {
	const [path, setPath] = useState('');
	const [answer, setAnswer] = useState('');
	const ask = async (): Promise<void> => {
		try {
			const found = await request<{ target: string | null; status: number }>(`${PATH}/lookup`, {
				query: { path: getPath(path) },
			});
			setAnswer(
				found.target
					? sprintf(t('It leads to %1$s with status %2$d.'), found.target, found.status)
					: sprintf(t('It is answered with status %d: what was there is gone.'), found.status),
			);
		} catch (error) {
			const isNone = error instanceof ApiError && error.code === 'rest_no_redirect';
			setAnswer(isNone ? t('No redirect leads from there.') : describeError(error));
		}
	};
	return (
		<Dialog title={t('Where does an address lead?')} onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void ask();
				}}
			>
				<Field label={t('Address on this site')} help={t('A path such as /old/page, or a whole address.')}>
					{(control) => <input {...control} required value={path} onChange={(event) => setPath(event.target.value)} />}
				</Field>
				<button type="submit" className="button button-primary">
					{t('Look it up')}
				</button>
				<p role="status">{answer}</p>
			</form>
		</Dialog>
	);
}

/** Return the path of a whole address. */
function getPath(text: string): string {
	try {
		return new URL(text).pathname;
	} catch {
		return text.startsWith('/') ? text : `/${text}`;
	}
}
