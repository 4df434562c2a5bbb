/** A report as a file: the interface writes it, the button says how far it is and fetches it. */
import { useEffect, useRef, useState } from 'react';

import { request, type Query } from '../../api/client';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { API } from './stats';

interface Started {
	message: string;
	/** Missing where there is nothing to write. */
	export_id?: string;
}

interface Progress {
	percent_complete: number;
	download_url?: string;
}

const POLL = 700;

/** name: of the report. args: those of its list. */
export function ExportButton({ name, args }: { name: string; args: Query }) {
	const [progress, setProgress] = useState<number | null>(null);
	const stop = useRef<AbortController | null>(null);
	useEffect(() => () => stop.current?.abort(), []);

	const write = async (signal: AbortSignal): Promise<void> => {
		const path = `${API}/reports/${name}/export`;
		const { export_id: id } = await request<Started>(path, { method: 'POST', body: { report_args: args }, signal });
		if (id === undefined) {
			showDone(t('There is nothing in this period.'));
			return;
		}
		for (;;) {
			const { percent_complete: percent, download_url: url } = await request<Progress>(`${path}/${id}/status`, {
				signal,
			});
			if (url) {
				download(url);
				return;
			}
			setProgress(percent);
			await new Promise((resolve) => window.setTimeout(resolve, POLL));
		}
	};
	const begin = (): void => {
		const { signal } = (stop.current = new AbortController());
		setProgress(0);
		write(signal)
			.catch((error: unknown) => signal.aborted || showError(error))
			.finally(() => signal.aborted || setProgress(null));
	};
	return (
		<button type="button" className="button" disabled={progress !== null} onClick={begin}>
			{progress === null ? t('CSV file') : sprintf(t('Writing: %d%%'), progress)}
		</button>
	);
}

/** Fetch a file of this site; its address is that of whoever asked, so that the session goes along. */
function download(url: string): void {
	const { pathname, search } = new URL(url);
	const link = document.createElement('a');
	link.href = pathname + search;
	link.download = '';
	document.body.append(link);
	link.click();
	link.remove();
}
