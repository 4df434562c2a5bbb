import { useCallback, useEffect, useState } from 'react';

import { ErrorNotice } from '../../app/error-notice';
import { FileButton } from '../../app/file-button';
import { sprintf, t, tn, tx } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { useLeaveWarning } from '../../form/record-form';
import { useCountries } from '../catalogue/address-fields';
import { readAll } from '../catalogue/all-items';
import { sendShopBatch } from '../../api/shop-batches';
import { CellInput } from '../catalogue/cell-input';
import { saveCsv } from '../catalogue/csv';
import {
	buildRateBody,
	checkRate,
	findConflict,
	isChanged,
	makeRate,
	showRate,
	TAXES,
	type RateRow,
	type RateText,
	type StoredRate,
} from './rate';
import { readRates, writeRates } from './rate-file';

interface Props {
	taxClass: string;
	name: string;
}

/** The rates of a class, edited in place and stored at once. */
export function RateTable({ taxClass, name }: Props) {
	const [rows, setRows] = useState<RateRow[] | null>(null);
	const [removed, setRemoved] = useState<RateRow[]>([]);
	const [error, setError] = useState<unknown>(null);
	const [saving, setSaving] = useState(false);
	const countries = useCountries();
	const codes = new Set(countries.map((one) => one.code));
	const changed = (rows ?? []).filter(isChanged);
	const hasChanges = changed.length > 0 || removed.length > 0;
	useLeaveWarning(hasChanges && !saving);

	const load = useCallback(
		() => readAll<StoredRate>(TAXES, { class: taxClass, orderby: 'order', order: 'asc' }),
		[taxClass],
	);
	useEffect(() => {
		load().then((stored) => setRows(stored.map(showRate)), setError);
	}, [load]);

	const change = (key: string, edits: Partial<RateRow>): void =>
		setRows((before) => before && before.map((one) => (one.key === key ? { ...one, ...edits, faults: {} } : one)));
	const save = async (): Promise<void> => {
		if (!rows) {
			return;
		}
		const checked = rows.map((one) => ({ ...one, faults: isChanged(one) ? checkRate(one, codes) : {} }));
		setRows(checked);
		if (checked.some((one) => Object.keys(one.faults).length > 0)) {
			return;
		}
		setSaving(true);
		try {
			const now = await load();
			const conflicts = rows.map((one) => (isChanged(one) && findConflict(one, now)) || null);
			// What somebody else has changed is not removed unseen: it stands there again.
			const kept = removed.filter((one) => findConflict(one, now));
			if (kept.length || conflicts.some(Boolean)) {
				// Nothing is written over that was not seen; the second time it was.
				const back = kept.flatMap(
					(one) => findConflict({ ...one, ...(one.stored && showRate(one.stored)) }, now) ?? [],
				);
				setRows([...rows.map((one, index) => conflicts[index] ?? one), ...back]);
				setRemoved(removed.filter((one) => !kept.includes(one)));
				setError(new Error(t('Somebody else saved rates meanwhile; the table says which. Nothing is saved yet.')));
				return;
			}
			const made = changed.filter((one) => !one.stored);
			const updated = changed.filter((one) => one.stored);
			const answers = await sendShopBatch(TAXES, {
				create: made.map((one) => buildRateBody(one, taxClass)),
				update: updated.map((one) => ({ ...buildRateBody(one, taxClass), id: one.stored?.id ?? 0 })),
			});
			const refused = new Map<string, Record<string, string>>();
			[...made, ...updated].forEach((one, index) => {
				const refusal = answers[index]?.error;
				if (refusal) {
					refused.set(one.key, Object.keys(refusal.params).length ? refusal.params : { '': refusal.message });
				}
			});
			await sendShopBatch(TAXES, { delete: removed.flatMap((one) => (one.stored ? [one.stored.id] : [])) });
			setRemoved([]);
			const fresh = (await load()).map(showRate);
			const faulty = rows
				.filter((one) => refused.has(one.key))
				.map((one) => ({ ...one, faults: refused.get(one.key) ?? {} }));
			setRows([
				...fresh.map((one) => faulty.find((other) => other.key === one.key) ?? one),
				...faulty.filter((one) => !one.stored),
			]);
			setError(null);
			const count = changed.length - refused.size + removed.length;
			showDone(sprintf(tn('%d rate is saved.', '%d rates are saved.', count), count));
		} catch (problem) {
			setError(problem);
		} finally {
			setSaving(false);
		}
	};
	const takeFile = async ([file]: File[]): Promise<void> => {
		if (file) {
			const read = readRates(await file.text(), taxClass);
			setRows((before) => [...(before ?? []), ...read]);
			showDone(
				sprintf(
					tn('%d rate is read; look at it and save.', '%d rates are read; look at them and save.', read.length),
					read.length,
				),
			);
		}
	};
	const writeFile = async (): Promise<void> => {
		const all = await readAll<StoredRate>(TAXES, { orderby: 'order', order: 'asc' });
		saveCsv('tax-rates.csv', [writeRates(all)]);
	};
	return (
		<section className="panel" aria-labelledby="rates-title">
			<h2 id="rates-title">{name}</h2>
			<ErrorNotice error={error} />
			<fieldset className="edit-table" aria-labelledby="rates-title" disabled={saving}>
				<table>
					<thead>
						<tr>
							{listTextColumns().map(({ label }) => (
								<th key={label} scope="col">
									{label}
								</th>
							))}
							<th scope="col">{t('Compound')}</th>
							<th scope="col">{t('Shipping')}</th>
							<th scope="col">
								<span className="visually-hidden">{t('Remove')}</span>
							</th>
						</tr>
					</thead>
					<tbody>
						{(rows ?? []).map((row, index) => (
							<RateLine
								key={row.key}
								row={row}
								number={index + 1}
								onChange={(edits) => change(row.key, edits)}
								onRemove={() => {
									setRows((before) => before && before.filter((one) => one.key !== row.key));
									if (row.stored) {
										setRemoved([...removed, row]);
									}
								}}
							/>
						))}
					</tbody>
				</table>
			</fieldset>
			{rows?.length === 0 && <p className="quiet">{t('This class has no rates yet: nothing is taxed by it.')}</p>}
			<div className="form-buttons">
				<button
					type="button"
					className="button button-primary"
					disabled={saving || !hasChanges}
					onClick={() => void save()}
				>
					{saving ? t('Saving …') : t('Save the rates')}
				</button>
				<button
					type="button"
					className="button"
					disabled={saving || !rows}
					onClick={() => setRows([...(rows ?? []), makeRate({ order: String(rows?.length ?? 0) })])}
				>
					{t('Add a rate')}
				</button>
				<FileButton
					label={t('Import CSV')}
					accept=".csv,text/csv"
					onFiles={(files) => void takeFile(files).catch(showError)}
				/>
				<button type="button" className="button" onClick={() => void writeFile().catch(showError)}>
					{t('Export CSV')}
				</button>
			</div>
		</section>
	);
}

function listTextColumns(): { name: RateText; label: string }[] {
	return [
		{ name: 'country', label: t('Country') },
		{ name: 'state', label: tx('State', 'address') },
		{ name: 'postcodes', label: t('Postcodes') },
		{ name: 'cities', label: t('Cities') },
		{ name: 'rate', label: t('Rate %') },
		{ name: 'name', label: t('Name') },
		{ name: 'priority', label: t('Priority') },
		{ name: 'order', label: t('Order') },
	];
}

interface LineProps {
	row: RateRow;
	number: number;
	onChange: (edits: Partial<RateRow>) => void;
	onRemove: () => void;
}

function RateLine({ row, number, onChange, onRemove }: LineProps) {
	const suffix = sprintf(t('rate %d'), number);
	return (
		<tr>
			{listTextColumns().map(({ name, label }, index) => (
				<td key={name} className={`rate-${name}`}>
					<CellInput
						label={`${label}, ${suffix}`}
						placeholder={['country', 'state', 'postcodes', 'cities'].includes(name) ? t('all') : ''}
						fault={row.faults[name] ?? (index === 0 ? row.faults[''] : undefined)}
						value={row[name]}
						onChange={(value) => onChange({ [name]: value })}
					/>
				</td>
			))}
			<td>
				<input
					type="checkbox"
					aria-label={`${t('Compound')}, ${suffix}`}
					checked={row.compound}
					onChange={(event) => onChange({ compound: event.target.checked })}
				/>
			</td>
			<td>
				<input
					type="checkbox"
					aria-label={`${t('Shipping')}, ${suffix}`}
					checked={row.shipping}
					onChange={(event) => onChange({ shipping: event.target.checked })}
				/>
			</td>
			<td>
				<button
					type="button"
					className="button button-small"
					aria-label={`${t('Remove')}: ${suffix}`}
					onClick={onRemove}
				>
					×
				</button>
			</td>
		</tr>
	);
}
