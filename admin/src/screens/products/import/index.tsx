import { useRef, useState } from 'react';

import { ErrorNotice } from '../../../app/error-notice';
import { FileButton } from '../../../app/file-button';
import { sprintf, t, tn } from '../../../app/i18n';
import { Link } from '../../../app/link';
import { Screen } from '../../../app/screen';
import { useLeaveWarning } from '../../../form/record-form';
import { parseCsv, UnclosedQuote, type CsvRecord } from '../../catalogue/csv';
import { countAttributes } from '../attribute-columns';
import { listColumns, recognizeColumn, type Column, type NameTables } from '../columns';
import { countDownloads } from '../download-columns';
import { readNameTables } from '../name-tables';
import { ColumnsStep } from './columns-step';
import { RefusedRows } from './refused-rows';
import { buildRows, sendRows, type ImportRow } from './rows';

interface ReadFile {
	name: string;
	headings: string[];
	columns: Column[];
	records: CsvRecord[];
	names: NameTables;
}

/** Products out of a file: choose it, say what its columns are, send it, mend what was refused. */
export default function ProductImport() {
	const [file, setFile] = useState<ReadFile | null>(null);
	const [mapping, setMapping] = useState<(Column | null)[]>([]);
	const [rows, setRows] = useState<ImportRow[] | null>(null);
	const [error, setError] = useState<unknown>(null);
	const [running, setRunning] = useState(false);
	const stop = useRef<AbortController | null>(null);
	useLeaveWarning(running || (rows?.some((one) => one.state === 'refused') ?? false));

	const choose = async ([chosen]: File[]): Promise<void> => {
		if (!chosen) {
			return;
		}
		try {
			const [first, ...records] = parseCsv(await chosen.text());
			if (!first || !records.length) {
				throw new Error(t('There are no rows in this file. Its first line has the headings.'));
			}
			const columns = listColumns(countAttributes(first.cells), countDownloads(first.cells));
			setFile({ name: chosen.name, headings: first.cells, columns, records, names: await readNameTables() });
			setMapping(first.cells.map((heading) => recognizeColumn(heading, columns)));
			setRows(null);
			setError(null);
		} catch (problem) {
			setError(
				problem instanceof UnclosedQuote
					? new Error(sprintf(t('A quotation mark on line %d is never closed.'), problem.line))
					: problem,
			);
		}
	};
	const send = async (wanted: ImportRow[]): Promise<void> => {
		if (!file) {
			return;
		}
		const controller = new AbortController();
		stop.current = controller;
		setRows(wanted);
		setRunning(true);
		setError(null);
		try {
			const used = file.columns.filter((one) => mapping.includes(one));
			await sendRows(wanted, { columns: used, names: file.names, onProgress: setRows, signal: controller.signal });
		} catch (problem) {
			if (!controller.signal.aborted) {
				setError(problem);
			}
		} finally {
			setRunning(false);
		}
	};
	const again = (): void => {
		setFile(null);
		setRows(null);
	};
	return (
		<Screen
			title={t('Import products')}
			actions={
				<Link className="button" to="/products">
					{t('Back to the list')}
				</Link>
			}
		>
			<ErrorNotice error={error} />
			{!file && (
				<section className="panel">
					<p>
						{t(
							'A CSV file with headings in its first line, as a spreadsheet saves it. A row whose SKU or ID is known changes that product; every other row makes one. A variation names its product by SKU.',
						)}
					</p>
					<FileButton
						className="button button-primary"
						label={t('Choose a file')}
						accept=".csv,text/csv"
						onFiles={(files) => void choose(files)}
					/>
				</section>
			)}
			{file && !rows && (
				<ColumnsStep
					columns={file.columns}
					headings={file.headings}
					records={file.records}
					names={file.names}
					mapping={mapping}
					onChange={setMapping}
					onSend={() => void send(buildRows(file.records, mapping))}
					onBack={again}
				/>
			)}
			{file && rows && (
				<>
					<Progress rows={rows} running={running} onStop={() => stop.current?.abort()} />
					{!running && rows.some((one) => one.state === 'waiting') && (
						<p>
							<button type="button" className="button button-primary" onClick={() => void send(rows)}>
								{t('Go on')}
							</button>
						</p>
					)}
					<RefusedRows rows={rows} columns={file.columns} disabled={running} onSend={(next) => void send(next)} />
					{!running && (
						<p>
							<button type="button" className="button" onClick={again}>
								{t('Another file')}
							</button>
						</p>
					)}
				</>
			)}
		</Screen>
	);
}

interface ProgressProps {
	rows: ImportRow[];
	running: boolean;
	onStop: () => void;
}

function Progress({ rows, running, onStop }: ProgressProps) {
	const count = (state: ImportRow['state']): number => rows.filter((one) => one.state === state).length;
	const [created, changed, refused] = [count('created'), count('changed'), count('refused')];
	const done = rows.length - count('waiting');
	return (
		<section className="panel import-progress">
			<progress aria-label={t('Import products')} max={rows.length} value={done} />
			<p role="status">
				{sprintf(t('%1$d of %2$d rows:'), done, rows.length)}{' '}
				{sprintf(tn('%d product made', '%d products made', created), created)},{' '}
				{sprintf(tn('%d changed', '%d changed', changed), changed)},{' '}
				{sprintf(tn('%d refused', '%d refused', refused), refused)}
				{running && done === rows.length && `. ${t('Linking the products…')}`}
			</p>
			{running && (
				<button type="button" className="button" onClick={onStop}>
					{t('Stop')}
				</button>
			)}
		</section>
	);
}
