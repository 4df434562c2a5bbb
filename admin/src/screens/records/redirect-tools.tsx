import { useState } from 'react';

import { request } from '../../api/client';
import { ApiError, describeError } from '../../api/errors';
import { Dialog } from '../../app/dialog';
import { sprintf, t } from '../../app/i18n';
import { Field } from '../../form/field';
import { CsvTools } from './csv-tools';

const PATH = '/wp/v2/redirects';

/** What can be done with all redirects at once: a file in and out, and asking where an address leads. */
export function RedirectTools() {
	const [asking, setAsking] = useState(false);
	return (
		<>
			<button type="button" className="button" onClick={() => setAsking(true)}>
				{t('Where does an address lead?')}
			</button>
			<CsvTools path={PATH} fileName="redirects.csv" />
			{asking && <LookUp onClose={() => setAsking(false)} />}
		</>
	);
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
