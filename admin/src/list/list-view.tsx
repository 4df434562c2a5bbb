import { DataViews, type Action, type View } from '@wordpress/dataviews';
import { useMemo, useState } from 'react';

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
import { buildQuery } from './view-query';
import { ViewTabs } from './view-tabs';

interface Props {
	collection: Collection;
	/** Buttons beside the title, besides the one that adds. */
	tools?: React.ReactNode;
	/** What stands above the list. */
	children?: React.ReactNode;
}

const PER_PAGE = 20;
/** What was last shown of each list, for whoever comes back from a record. */
const lastViews = new Map<string, View>();

/** The list of a collection: table or grid, filters, orders, saved views, actions for one or many. */
export function ListView({ collection, tools, children }: Props) {
	const language = useContentLanguage();
	const { value: declaration, error: refused } = useDeclaration(collection.path);
	const { query: address } = useLocation();
	const presetName = address.get('view') ?? collection.presets?.[0]?.name ?? '';
	const preset = collection.presets?.find((one) => one.name === presetName);
	const [view, setView] = useState<View>(() => lastViews.get(collection.name) ?? buildDefaultView(collection));
	const [selection, setSelection] = useState<string[]>([]);

	const changeView = (next: View): void => {
		lastViews.set(collection.name, next);
		setView(next);
	};
	const args = useMemo(() => (declaration ? getArguments(declaration, 'GET') : {}), [declaration]);
	const fields = useMemo(
		() => (declaration?.schema ? buildFields(collection, declaration.schema.properties, args) : []),
		[collection, declaration, args],
	);
	const query = buildQuery(collection, view, preset, args);
	const { value, error } = useCollection<Item>(
		declaration ? collection.path : null,
		query,
		collection.multilingual ? language : undefined,
	);
	const key = collection.key ?? 'id';
	const actions: Action<Item>[] = useListActions(collection, preset?.name === 'trash', () => setSelection([]));
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
				<div className="list">
					<DataViews<Item>
						data={value?.items ?? []}
						fields={fields}
						view={view}
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
							<p>{search || view.filters?.length ? t('Nothing fits this search.') : t('There is nothing here yet.')}</p>
						}
						config={{ perPageSizes: [10, 20, 50, 100] }}
					/>
				</div>
			)}
		</Screen>
	);
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
		? { ...common, type: 'grid', layout: { previewSize: 170 } }
		: { ...common, type: 'table', layout: { density: 'compact', styles: alignRelations(collection) } };
}

/** Names of related records are read like texts, though their values are numbers. */
function alignRelations(collection: Collection): Record<string, { align: 'start' }> {
	return Object.fromEntries(Object.keys(collection.relations ?? {}).map((name) => [name, { align: 'start' }]));
}
