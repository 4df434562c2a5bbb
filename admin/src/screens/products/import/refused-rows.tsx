import { useState } from 'react';

import { sprintf, t, tn } from '../../../app/i18n';
import { CellInput } from '../../catalogue/cell-input';
import type { Column } from '../columns';
import type { ImportRow } from './rows';

interface Props {
	rows: ImportRow[];
	columns: Column[];
	disabled: boolean;
	/** Sends all rows; those that were mended wait again, those that were taken stay as they are. */
	onSend: (rows: ImportRow[]) => void;
}

/** What was refused, each fault beside its cell, mended in place and sent again. */
export function RefusedRows({ rows, columns, disabled, onSend }: Props) {
	const [mended, setMended] = useState<Record<number, Record<string, string>>>({});
	const refused = rows.filter((one) => one.state === 'refused');
	if (!refused.length) {
		return null;
	}
	const send = (): void => {
		onSend(
			rows.map((one) =>
				one.state === 'refused'
					? { ...one, state: 'waiting', cells: { ...one.cells, ...mended[one.line] }, faults: {} }
					: one,
			),
		);
		setMended({});
	};
	return (
		<section className="panel" aria-labelledby="refused-rows">
			<h2 id="refused-rows">
				{sprintf(tn('%d row was refused', '%d rows were refused', refused.length), refused.length)}
			</h2>
			<ul className="refused-rows">
				{refused.map((row) => {
					const shown = listShownMembers(row, columns);
					const name = row.cells['name'] || row.cells['sku'] || row.cells['id'] || '';
					return (
						<li key={row.line}>
							<h3>
								{sprintf(t('Line %d'), row.line)}
								{name && `: ${name}`}
							</h3>
							{Object.entries(row.faults)
								.filter(([member]) => !shown.some((one) => one.member === member))
								.map(([member, message]) => (
									<p key={member} className="field-fault">
										{message}
									</p>
								))}
							<div className="refused-cells">
								{shown.map((column) => {
									const typed = mended[row.line]?.[column.member];
									return (
										<div key={column.member} className="field">
											<span aria-hidden="true">{column.label}</span>
											<CellInput
												label={`${column.label}, ${sprintf(t('Line %d'), row.line)}`}
												fault={typed === undefined ? row.faults[column.member] : undefined}
												value={typed ?? row.cells[column.member] ?? ''}
												onChange={(value) =>
													setMended({ ...mended, [row.line]: { ...mended[row.line], [column.member]: value } })
												}
											/>
										</div>
									);
								})}
							</div>
						</li>
					);
				})}
			</ul>
			<div className="form-buttons">
				<button type="button" className="button button-primary" disabled={disabled} onClick={send}>
					{t('Send these rows again')}
				</button>
			</div>
		</section>
	);
}

/** Return the cells that a person mends: the faulty ones; all of them where the refusal names none. */
function listShownMembers(row: ImportRow, columns: Column[]): Column[] {
	const own = columns.filter((one) => one.member in row.cells || one.member in row.faults);
	const faulty = own.filter((one) => one.member in row.faults);
	return faulty.length ? faulty : own;
}
