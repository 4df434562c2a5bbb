import { sprintf, t, tn } from '../../../app/i18n';
import type { CsvRecord } from '../../catalogue/csv';
import type { Column, NameTables } from '../columns';
import { buildRows, readRow } from './rows';

interface Props {
	columns: Column[];
	headings: string[];
	records: CsvRecord[];
	names: NameTables;
	mapping: (Column | null)[];
	onChange: (mapping: (Column | null)[]) => void;
	onSend: () => void;
	onBack: () => void;
}

const SAMPLES = 3;

/** What each column of the file is, with the first of its values, and how the rows will be read. */
export function ColumnsStep({ columns, headings, records, names, mapping, onChange, onSend, onBack }: Props) {
	const used = columns.filter((one) => mapping.includes(one));
	const faulty = buildRows(records, mapping).filter((row) => Object.keys(readRow(row, used, names).faults).length > 0);
	const isNamed = used.some((one) => ['id', 'sku', 'name'].includes(one.member));
	return (
		<section className="panel" aria-labelledby="import-columns">
			<h2 id="import-columns">{t('What the columns are')}</h2>
			<div className="edit-table" role="group" aria-labelledby="import-columns">
				<table>
					<thead>
						<tr>
							<th scope="col">{t('Heading')}</th>
							<th scope="col">{t('What it is')}</th>
							<th scope="col">{t('First values')}</th>
						</tr>
					</thead>
					<tbody>
						{headings.map((heading, index) => (
							<tr key={index}>
								<th scope="row">{heading || sprintf(t('Column %d'), index + 1)}</th>
								<td>
									<select
										className="input"
										aria-label={`${t('What it is')}: ${heading}`}
										value={mapping[index]?.member ?? ''}
										onChange={(event) => {
											const chosen = columns.find((one) => one.member === event.target.value) ?? null;
											// A member is taken from one column.
											onChange(mapping.map((one, at) => (at === index ? chosen : one === chosen ? null : one)));
										}}
									>
										<option value="">{t('Left out')}</option>
										{columns.map((one) => (
											<option key={one.member} value={one.member}>
												{one.label}
											</option>
										))}
									</select>
								</td>
								<td className="sample-values">
									{records
										.slice(0, SAMPLES)
										.map((one) => one.cells[index] ?? '')
										.filter(Boolean)
										.join(' · ')}
								</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
			<p>
				{sprintf(tn('%d row', '%d rows', records.length), records.length)}
				{faulty.length > 0 &&
					`, ${sprintf(tn('%d cannot be read as it is', '%d cannot be read as they are', faulty.length), faulty.length)}`}
				. {faulty.length > 0 && t('Those are held back, and can be mended when the others are taken in.')}
			</p>
			{!isNamed && <p className="field-fault">{t('A column with a name, a SKU or an ID is missing.')}</p>}
			<div className="form-buttons">
				<button type="button" className="button button-primary" disabled={!isNamed} onClick={onSend}>
					{t('Import the rows')}
				</button>
				<button type="button" className="button" onClick={onBack}>
					{t('Another file')}
				</button>
			</div>
		</section>
	);
}
