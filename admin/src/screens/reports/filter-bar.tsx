/** The filters of a report: those that are set, and a way to set another. */
import { useEffect, useState } from 'react';

import { requestPage } from '../../api/client';
import { showError } from '../../app/toasts';
import { sprintf, t } from '../../app/i18n';
import { readText, type Item } from '../../list/collection';
import { TokenInput } from '../../form/token-input';
import { chooseFilter } from './choices';
import type { Filter, Lookup } from './filters';
import { labelReportValue } from './values';

interface Props {
	filters: Filter[];
	chosen: Record<string, string>;
}

export default function FilterBar({ filters, chosen }: Props) {
	const [added, setAdded] = useState<string[]>([]);
	const shown = filters.filter(({ name }) => chosen[name] || added.includes(name));
	const others = filters.filter((one) => !shown.includes(one));
	if (filters.length === 0) {
		return null;
	}
	return (
		<div className="report-filters">
			{shown.map((filter) => (
				<div key={filter.name} className="report-filter" data-filter={filter.name}>
					<Control filter={filter} value={chosen[filter.name] ?? ''} />
					<button
						type="button"
						className="button"
						aria-label={sprintf(t('Remove the filter: %s'), filter.label)}
						onClick={() => {
							setAdded(added.filter((one) => one !== filter.name));
							chooseFilter(filter.name, '');
						}}
					>
						×
					</button>
				</div>
			))}
			{others.length > 0 && (
				<select
					aria-label={t('Add a filter')}
					value=""
					onChange={({ target }) => target.value && setAdded([...added, target.value])}
				>
					<option value="">{t('Add a filter …')}</option>
					{others.map(({ name, label }) => (
						<option key={name} value={name}>
							{label}
						</option>
					))}
				</select>
			)}
		</div>
	);
}

function Control({ filter, value }: { filter: Filter; value: string }) {
	const { name, label, control, options } = filter;
	if (control === 'tokens') {
		return <TokenControl filter={filter} value={value} />;
	}
	if (control === 'choice') {
		return (
			<label>
				{label}
				<select value={value} onChange={({ target }) => chooseFilter(name, target.value)}>
					<option value="">{t('Any')}</option>
					{(options ?? []).map((one) => (
						<option key={one} value={one}>
							{labelReportValue(one)}
						</option>
					))}
				</select>
			</label>
		);
	}
	return <TypedControl filter={filter} value={value} />;
}

/** What is typed counts when the field is left, or with Enter. */
function TypedControl({ filter: { name, label, control }, value }: { filter: Filter; value: string }) {
	const [text, setText] = useState(value);
	useEffect(() => setText(value), [value]);
	return (
		<label>
			{label}
			<input
				type={control === 'text' ? 'text' : control}
				min={control === 'number' ? 0 : undefined}
				step={control === 'number' ? 'any' : undefined}
				value={text}
				onChange={({ target }) => setText(target.value)}
				onBlur={() => text !== value && chooseFilter(name, text)}
				onKeyDown={({ key }) => key === 'Enter' && chooseFilter(name, text)}
			/>
		</label>
	);
}

/** Several values: of a declared choice, of things that are looked for by name, or numbers. */
function TokenControl({ filter: { name, label, options, lookup, numeric }, value }: { filter: Filter; value: string }) {
	const values = value ? value.split(',') : [];
	const [search, setSearch] = useState('');
	const { names, found } = useLookup(lookup, values, search);
	const write = (one: string): string =>
		options ? labelReportValue(one) : lookup ? (names.get(one) ?? `#${one}`) : one;
	const read = new Map((options ?? found).map((one) => [write(one), one]));
	const change = (names: string[]): void => {
		const next = names.map(
			(text) => read.get(text) ?? values.find((one) => write(one) === text) ?? text.replace(/^#/, ''),
		);
		chooseFilter(name, next.filter((one) => !(numeric || lookup) || /^\d+$/.test(one)).join(','));
	};
	return (
		<div className="token-filter">
			<TokenInput
				label={label}
				value={values.map(write)}
				suggestions={[...read.keys()]}
				onSearch={setSearch}
				onChange={change}
				isOpenAtOnce
			/>
		</div>
	);
}

/** Find things by their names. names: those of every number that is known. found: the numbers of what fits. */
function useLookup(lookup: Lookup | undefined, values: string[], search: string) {
	const [names, setNames] = useState(new Map<string, string>());
	const [found, setFound] = useState<string[]>([]);
	const missing = lookup ? values.filter((one) => !names.has(one)).join(',') : '';
	useEffect(() => {
		if (!lookup) {
			return undefined;
		}
		const stop = new AbortController();
		const load = async (query: Record<string, string>): Promise<string[]> => {
			const { items } = await requestPage<Item>(lookup.path, {
				query: { per_page: 20, _fields: `id,${lookup.label}`, ...query },
				signal: stop.signal,
			});
			setNames((before) => {
				const next = new Map(before);
				for (const item of items) {
					next.set(String(item.id), nameItem(item, lookup, next));
				}
				return next;
			});
			return items.map(({ id }) => String(id));
		};
		const timer = window.setTimeout(
			() => {
				Promise.all([missing ? load({ include: missing }) : null, load(search ? { search } : {})]).then(
					([, fitting]) => setFound(fitting),
					(error: unknown) => stop.signal.aborted || showError(error),
				);
			},
			search ? 200 : 0,
		);
		return () => {
			window.clearTimeout(timer);
			stop.abort();
		};
		// What is missing is asked for once; that it has come asks for nothing.
		// eslint-disable-next-line react-hooks/exhaustive-deps
	}, [lookup, search]);
	return { names, found };
}

/** Return the name of a thing; with its number where another has the same. */
function nameItem(item: Item, { label }: Lookup, known: Map<string, string>): string {
	const id = String(item.id);
	const name = readText(item[label]) || `#${id}`;
	const isTaken = [...known].some(([other, text]) => other !== id && text === name);
	return isTaken ? `${name} (#${id})` : name;
}
