import { DataViews, type Action, type View } from '@wordpress/dataviews';
import { useMemo, useRef, useState } from 'react';

import type { Query } from '../api/client';
import { useCollection } from '../api/collections';
import { getArguments, useDeclaration } from '../api/declarations';
import { ErrorNotice } from '../app/error-notice';
import { t } from '../app/i18n';
import { Link } from '../app/link';
import { setQuery, useContentLanguage, useLocation, withContentLanguage } from '../app/router';
import { Screen } from '../app/screen';
import { useListActions } from './actions';
import type { Collection, Item } from './collection';
import { buildFields } from './fields';
import { removeSummary, summarizeRows, useIsNarrow } from './row-summary';
import { buildQuery } from './view-query';
import { ViewTabs } from './view-tabs';

interface Props {
	collection: Collection;
	/** Buttons beside the title, besides the one that adds. */
	tools?: React.ReactNode;
	/** What stands above the list. */
	children?: React.ReactNode;
	/** Whether the rows stay where they are while the page is read again, for whoever reads them. */
	keepRows?: boolean;
	/** Keys of what was removed since the list was opened: rows that go even where rows stay. */
	gone?: ReadonlySet<unknown>;
}

const PER_PAGE = 20;
const NO_ITEMS: Item[] = [];
const NONE: ReadonlySet<unknown> = new Set();
/** What was last shown of each list, for whoever comes back from a record. */
const lastViews = new Map<string, View>();
/** What each list was last asked with, and what was typed since. */
const lastQueries = new Map<string, () => Query>();

/** Return what the list of a collection asks with, without its page: for an export of what it shows. */
export function readListQuery(collection: Collection): Query {
	return Object.fromEntries(
		Object.entries(lastQueries.get(collection.name)?.() ?? {}).filter(
			([name]) => !['page', 'per_page', '_fields'].includes(name),
		),
	);
}

/** The list of a collection: table or grid, filters, orders, saved views, actions for one or many. */
export function ListView({ collection, tools, children, keepRows = false, gone = NONE }: Props) {
	const language = useContentLanguage();
	const { value: declaration, error: refused } = useDeclaration(collection.path);
	const { query: address } = useLocation();
	const presetName = address.get('view') ?? collection.presets?.[0]?.name ?? '';
	const preset = collection.presets?.find((one) => one.name === presetName);
	const untranslated = address.get('untranslated_in');
	const [view, setView] = useState<View>(() =>
		untranslated
			? withFilter(buildDefaultView(collection), 'untranslated_in', untranslated)
			: (lastViews.get(collection.name) ?? buildDefaultView(collection)),
	);
	const [selection, setSelection] = useState<string[]>([]);

	/** What the field of the search says until the list asks for it, which waits for more letters. */
	const typed = useRef<string | null>(null);
	const changeView = (changed: View): void => {
		typed.current = null;
		const next = removeSummary(changed);
		lastViews.set(collection.name, next);
		setView(next);
		if (untranslated) {
			// From here on the view says it.
			setQuery({ untranslated_in: '' });
		}
	};
	const args = useMemo(() => (declaration ? getArguments(declaration, 'GET') : {}), [declaration]);
	const fields = useMemo(
		() => (declaration?.schema ? buildFields(collection, declaration.schema.properties, args) : []),
		[collection, declaration, args],
	);
	const query = buildQuery(collection, view, preset, args);
	lastQueries.set(collection.name, () =>
		typed.current === null ? query : buildQuery(collection, { ...view, search: typed.current }, preset, args),
	);
	const { value, error } = useCollection<Item>(
		declaration ? collection.path : null,
		query,
		collection.multilingual ? language : undefined,
	);
	const key = collection.key ?? 'id';
	const rows = useRows(value?.items ?? NO_ITEMS, key, keepRows, gone, JSON.stringify(query));
	const actions: Action<Item>[] = useListActions(collection, preset?.name === 'trash', () => setSelection([]));
	const isSummed = useIsNarrow() && view.type === 'table';
	const drawn = useMemo(() => (isSummed ? summarizeRows(fields, view) : { fields, view }), [isSummed, fields, view]);
	const problem = refused ?? error;
	const search = view.search ?? '';

	return (
		<Screen
			title={collection.title}
			actions={
				<>
					{tools}
					{collection.addPath && (
						<Link className="button button-primary" to={withContentLanguage(collection.addPath, language)}>
							{t('Add')}
						</Link>
					)}
				</>
			}
		>
			{children}
			<ViewTabs
				collection={collection}
				preset={presetName}
				view={view}
				onChoose={(name, saved) => {
					setSelection([]);
					changeView(saved ?? buildDefaultView(collection));
					setQuery({ view: name === collection.presets?.[0]?.name ? '' : name });
				}}
			/>
			<ErrorNotice error={problem} />
			{/* The list is large: it is drawn once, when there is something to show. */}
			{value === undefined && !problem ? (
				<p className="loading" role="status">
					{t('Loading …')}
				</p>
			) : (
				<div
					className={isSummed ? 'list list-summed' : 'list'}
					onInput={({ target }) => {
						if (target instanceof HTMLInputElement && target.closest('.dataviews-search')) {
							typed.current = target.value;
						}
					}}
				>
					<DataViews<Item>
						data={rows}
						fields={drawn.fields}
						view={drawn.view}
						onChangeView={changeView}
						actions={actions}
						paginationInfo={{ totalItems: value?.total ?? 0, totalPages: value?.pages ?? 0 }}
						getItemId={(item) => String(item[key] as string | number)}
						selection={selection}
						onChangeSelection={setSelection}
						search={'search' in args}
						searchLabel={t('Search')}
						isItemClickable={(item) => collection.getItemPath(item) !== null}
						renderItemLink={({ item, ...rest }) => (
							<Link {...rest} to={withContentLanguage(collection.getItemPath(item) ?? '', language)} />
						)}
						defaultLayouts={collection.grid ? { table: {}, grid: {} } : { table: {} }}
						empty={
							<EmptyList
								text={
									search || view.filters?.length
										? t('Nothing fits this search.')
										: (preset?.empty ?? collection.empty ?? t('There is nothing here yet.'))
								}
								addPath={
									search || view.filters?.length || preset !== collection.presets?.[0] ? null : collection.addPath
								}
								language={language}
							/>
						}
						config={{ perPageSizes: [10, 20, 50, 100] }}
					/>
				</div>
			)}
		</Screen>
	);
}

/** What stands in the place of rows: why there are none, and what to do first. */
function EmptyList({ text, addPath, language }: { text: string; addPath: string | null; language: string }) {
	return (
		<div className="empty-list">
			<p>{text}</p>
			{addPath && (
				<Link className="button" to={withContentLanguage(addPath, language)}>
					{t('Add the first')}
				</Link>
			)}
		</div>
	);
}

/** Return the rows to show: those of before that are not gone, with what is known of them now, as long as they are kept. */
function useRows(items: Item[], key: string, keep: boolean, gone: ReadonlySet<unknown>, page: string): Item[] {
	const shown = useRef({ page, items });
	if (!keep || shown.current.page !== page) {
		shown.current = { page, items };
		return items;
	}
	const now = new Map(items.map((item) => [item[key], item]));
	return shown.current.items.flatMap((item) => now.get(item[key]) ?? (gone.has(item[key]) ? [] : [item]));
}

function buildDefaultView(collection: Collection): View {
	const common = {
		search: '',
		filters: [],
		page: 1,
		perPage: PER_PAGE,
		titleField: collection.titleField,
		...(collection.mediaField ? { mediaField: collection.mediaField, showMedia: true } : {}),
		fields: collection.columns,
		...(collection.sort ? { sort: collection.sort } : {}),
	};
	return collection.grid === 'first'
		? { ...common, type: 'grid', layout: { previewSize: window.innerWidth < 600 ? 120 : 170 } }
		: { ...common, type: 'table', layout: { density: 'compact', styles: alignRelations(collection) } };
}

function withFilter(view: View, field: string, value: string): View {
	return { ...view, filters: [...(view.filters ?? []), { field, operator: 'is', value }] };
}

/** Names of related records are read like texts, though their values are numbers. */
function alignRelations(collection: Collection): Record<string, { align: 'start' }> {
	return Object.fromEntries(Object.keys(collection.relations ?? {}).map((name) => [name, { align: 'start' }]));
}
