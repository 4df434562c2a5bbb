import { useState } from 'react';

import { announceWrite, request, send } from '../../api/client';
import { ApiError } from '../../api/errors';
import { Dialog } from '../../app/dialog';
import { FileButton } from '../../app/file-button';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';

interface Fault {
	line: number;
	column: string;
	message: string;
}

interface Props {
	/** The collection, which has `import` and `export` beneath it. */
	path: string;
	fileName: string;
}

/** A collection as a CSV file: out, and in again with what is wrong in which line. */
export function CsvTools({ path, fileName }: Props) {
	const [faults, setFaults] = useState<Fault[] | null>(null);
	const take = async ([file]: File[]): Promise<void> => {
		if (!file) {
			return;
		}
		try {
			const body = new Blob([await file.text()], { type: 'text/csv' });
			await request(`${path}/import`, { method: 'POST', body, headers: { 'Content-Type': 'text/csv' } });
			announceWrite(path);
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
			<FileButton label={t('Import CSV')} accept=".csv,text/csv" onFiles={(files) => void take(files)} />
			<button type="button" className="button" onClick={() => void saveFile(path, fileName).catch(showError)}>
				{t('Export CSV')}
			</button>
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

async function saveFile(path: string, fileName: string): Promise<void> {
	const response = await send(`${path}/export`, { headers: { Accept: 'text/csv' } });
	const address = URL.createObjectURL(await response.blob());
	const link = document.createElement('a');
	link.href = address;
	link.download = fileName;
	link.click();
	URL.revokeObjectURL(address);
}
