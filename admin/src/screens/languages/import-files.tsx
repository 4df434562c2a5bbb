import { useEffect, useRef, useState } from 'react';

import { describeError } from '../../api/errors';
import { t } from '../../app/i18n';
import { deliverJobFile } from '../translate/job-work';

interface Outcome {
	name: string;
	applied: boolean;
	text: string;
}

/** `original` of a file that a site has given out: the job's number, and a mark of what it was made from. */
const ORIGINAL = /<file\b[^>]*\boriginal=["'](\d+)-/;

/** A dialog that reads XLIFF files in and says of each what came of it. */
export function ImportFiles({ onClose }: { onClose: () => void }) {
	const dialog = useRef<HTMLDialogElement>(null);
	const [files, setFiles] = useState<File[]>([]);
	const [partly, setPartly] = useState(false);
	const [running, setRunning] = useState(false);
	const [report, setReport] = useState<Outcome[]>([]);
	useEffect(() => dialog.current?.showModal(), []);

	const deliver = async (): Promise<void> => {
		setRunning(true);
		const outcomes: Outcome[] = [];
		for (const file of files) {
			outcomes.push(await deliverFile(file, !partly));
			setReport([...outcomes]);
		}
		setRunning(false);
	};
	return (
		<dialog ref={dialog} className="dialog" aria-labelledby="import-title" onClose={onClose}>
			<form
				className="job-form"
				onSubmit={(event) => {
					event.preventDefault();
					void deliver();
				}}
			>
				<h2 id="import-title">{t('Read translated files in')}</h2>
				<label>
					{t('XLIFF files, as they were downloaded here')}
					<input
						type="file"
						multiple
						accept=".xliff,.xlf,application/xliff+xml"
						onChange={(event) => {
							setFiles([...(event.target.files ?? [])]);
							setReport([]);
						}}
					/>
				</label>
				<fieldset>
					<label>
						<input type="checkbox" checked={partly} onChange={(event) => setPartly(event.target.checked)} />
						{t('Keep what is there, the jobs are not finished yet')}
					</label>
				</fieldset>
				<ul className="import-report" aria-live="polite">
					{report.map(({ name, applied, text }) => (
						<li key={name} className={applied ? 'import-applied' : 'import-refused'}>
							<strong>{applied ? t('Applied') : t('Refused')}</strong> {name}: {text}
						</li>
					))}
				</ul>
				<div className="form-buttons">
					<button type="submit" className="button button-primary" disabled={running || files.length === 0}>
						{running ? t('Reading …') : t('Read in')}
					</button>
					<button type="button" className="button" onClick={() => dialog.current?.close()}>
						{t('Close')}
					</button>
				</div>
			</form>
		</dialog>
	);
}

async function deliverFile(file: File, complete: boolean): Promise<Outcome> {
	const text = await file.text();
	const number = ORIGINAL.exec(text)?.[1];
	if (!number) {
		return { name: file.name, applied: false, text: t('It names no job of this site.') };
	}
	try {
		await deliverJobFile(Number(number), text, complete);
		return {
			name: file.name,
			applied: true,
			text: complete ? t('The translation is made.') : t('Its texts are kept with the job.'),
		};
	} catch (error) {
		return { name: file.name, applied: false, text: describeError(error) };
	}
}
