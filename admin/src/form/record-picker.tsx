/** Chooses records by what is typed of their names: there may be any number of them. */
import { BaseControl, Button, ComboboxControl } from '@wordpress/components';
import { useDebounce } from '@wordpress/compose';
import { useState, type ReactNode } from 'react';

import type { Query } from '../api/client';
import { useCollection } from '../api/collections';
import { sprintf, t } from '../app/i18n';

interface Named {
	id: number | string;
}

interface Props<Record extends Named> {
	label: string;
	hideLabel?: boolean;
	help?: ReactNode;
	/** Those that are chosen. */
	ids: readonly number[];
	/** Whether there may be several. */
	several: boolean;
	/** Whether there is always one, so that it is changed and not taken away. */
	required?: boolean;
	onChange: (ids: number[]) => void;
	/** Where they are looked for, null as long as that is not known. */
	path: string | null;
	query: Query;
	/** Language of the records. */
	language?: string | undefined;
	getName: (record: Record) => string;
	/** Called with the names that were read. */
	onNames?: (names: ReadonlyMap<number, string>) => void;
}

const SHOWN = 20;
const PAUSE = 250;

export function RecordPicker<Record extends Named>(props: Props<Record>) {
	const { label, hideLabel = false, help, ids, several, required = false, onChange, path, query, language } = props;
	const { getName, onNames } = props;
	const [search, setSearch] = useState('');
	const searchLater = useDebounce(setSearch, PAUSE);
	const found = useCollection<Record>(
		path,
		{ ...query, per_page: SHOWN, ...(search ? { search } : {}) },
		language,
	).value;
	const chosen = useCollection<Record>(
		ids.length ? path : null,
		{ ...query, include: ids.slice(0, 100), per_page: 100 },
		language,
	).value;
	const names = new Map(
		[...(chosen?.items ?? []), ...(found?.items ?? [])].map((one) => [Number(one.id), getName(one)]),
	);
	onNames?.(names);
	const name = (id: number): string => names.get(id) || `#${String(id)}`;
	const offered = [...new Set([...(several ? [] : ids), ...(found?.items ?? []).map(({ id }) => Number(id))])].filter(
		(id) => !several || !ids.includes(id),
	);
	const rest = (found?.total ?? 0) - (found?.items.length ?? 0);
	const more = rest > 0 ? sprintf(t('Type to find more: %d are not shown.'), rest) : '';
	const listed = several && ids.length > 0;
	return (
		<div className="record-picker">
			{listed && (
				<BaseControl>
					{!hideLabel && <BaseControl.VisualLabel>{label}</BaseControl.VisualLabel>}
					<ul className="schema-files">
						{ids.map((id) => (
							<li key={id}>
								<span>{name(id)}</span>
								<Button
									size="small"
									variant="tertiary"
									isDestructive
									aria-label={sprintf(t('Remove: %s'), name(id))}
									onClick={() => onChange(ids.filter((one) => one !== id))}
								>
									{t('Remove')}
								</Button>
							</li>
						))}
					</ul>
				</BaseControl>
			)}
			<ComboboxControl
				__next40pxDefaultSize
				label={label}
				hideLabelFromVision={hideLabel || listed}
				help={
					help || more ? (
						<>
							{help} {more}
						</>
					) : undefined
				}
				value={several || ids[0] === undefined ? null : String(ids[0])}
				options={offered.map((id) => ({ value: String(id), label: name(id) }))}
				// Its own button for that is passed over by the keyboard.
				allowReset={false}
				onFilterValueChange={searchLater}
				onChange={(next) => {
					const id = next ? [Number(next)] : [];
					onChange(several ? [...ids, ...id] : id);
				}}
			/>
			{!several && !required && ids.length > 0 && (
				<Button
					size="small"
					variant="tertiary"
					aria-label={sprintf(t('Remove: %s'), label)}
					onClick={() => onChange([])}
				>
					{t('Remove')}
				</Button>
			)}
		</div>
	);
}
