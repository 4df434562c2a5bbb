import { DataViews, type Field, type View } from '@wordpress/dataviews';
import { useMemo, useState } from 'react';

import type { Query } from '../../api/client';
import { useResource } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { boot } from '../../app/boot';
import { formatDate } from '../../app/formats';
import { t } from '../../app/i18n';
import { translateName } from '../../app/kind-labels';
import { Link } from '../../app/link';
import {
	describeJobState,
	getJobNumber,
	isFree,
	isTranslatable,
	JOBS_PATH,
	type JobList,
	type TranslationJob,
} from './job';
import { useJobActions } from './job-actions';

interface Props {
	query: Query;
	onlyFree: boolean;
}

/** Columns that the interface sorts by, with its names of them. */
const ORDERS: Record<string, string> = {
	name: 'title',
	languages: 'language',
	batch: 'batch_name',
	sent: 'sent_date',
	deadline: 'deadline_date',
	state: 'status',
};

/** A list of translation jobs with what can be done with them. */
export function JobsList({ query, onlyFree }: Props) {
	const [view, setView] = useState<View>({
		type: 'table',
		page: 1,
		perPage: 20,
		search: '',
		filters: [],
		titleField: 'name',
		fields: ['languages', 'state', 'translator', 'deadline'],
		layout: {},
	});
	const [selection, setSelection] = useState<string[]>([]);
	const { value, error, loading } = useResource<JobList>(JOBS_PATH, buildJobQuery(query, view));
	const actions = useJobActions(() => setSelection([]));
	const fields = useMemo(listFields, []);
	const jobs = (value?.jobs ?? []).filter((job) => !onlyFree || isFree(job));
	const perPage = view.perPage ?? 20;
	return (
		<>
			<ErrorNotice error={error} />
			<div className="list">
				<DataViews<TranslationJob>
					data={jobs}
					fields={fields}
					view={view}
					onChangeView={setView}
					actions={actions}
					isLoading={loading && value === undefined}
					paginationInfo={{
						totalItems: value?.total ?? 0,
						totalPages: Math.ceil((value?.total ?? 0) / perPage),
					}}
					getItemId={(job) => String(job.id)}
					selection={selection}
					onChangeSelection={setSelection}
					searchLabel={t('Search')}
					isItemClickable={isTranslatable}
					renderItemLink={({ item, ...rest }) => <Link {...rest} to={`/translate/job/${String(getJobNumber(item))}`} />}
					defaultLayouts={{ table: {} }}
					empty={<p>{view.search ? t('Nothing fits this search.') : t('There is nothing here yet.')}</p>}
					config={{ perPageSizes: [10, 20, 50, 100] }}
				/>
			</div>
		</>
	);
}

function buildJobQuery(query: Query, view: View): Query {
	const perPage = view.perPage ?? 20;
	const out: Record<string, Query[string]> = {
		...query,
		limit: perPage,
		offset: ((view.page ?? 1) - 1) * perPage,
		title: view.search ?? '',
	};
	const column = ORDERS[view.sort?.field ?? ''];
	out[`sorting[${column ?? 'id'}]`] = column ? (view.sort?.direction ?? 'asc') : 'desc';
	for (const { field, value } of view.filters ?? []) {
		if (field === 'target' && Array.isArray(value) && value.length) {
			out['target_language'] = value.join(',');
		}
	}
	return out;
}

function listFields(): Field<TranslationJob>[] {
	const plain = { enableGlobalSearch: false, filterBy: false as const };
	return [
		{
			id: 'name',
			label: t('Title'),
			...plain,
			enableHiding: false,
			getValue: ({ item }) => item.element.name,
			render: ({ item }) => (
				<span>
					<span lang={item.language_codes.source}>{item.element.name}</span>{' '}
					<span className="quiet">{item.element.type ? translateName(item.element.type.label) : t('Strings')}</span>
				</span>
			),
		},
		{
			id: 'languages',
			label: t('Languages'),
			...plain,
			getValue: ({ item }) => `${item.languages.source} → ${item.languages.target}`,
		},
		{
			id: 'target',
			label: t('Into'),
			elements: boot.languages.map(({ code, name }) => ({ value: code, label: name })),
			filterBy: { operators: ['isAny'] },
			enableSorting: false,
			getValue: ({ item }) => item.language_codes.target,
		},
		{ id: 'state', label: t('State'), ...plain, getValue: ({ item }) => describeJobState(item) },
		{
			id: 'translator',
			label: t('Translator'),
			...plain,
			enableSorting: false,
			getValue: ({ item }) =>
				item.translator_name ||
				(item.automatic
					? t('A machine')
					: item.translation_service === 'Local'
						? t('Whoever takes it')
						: item.translation_service),
		},
		{ id: 'sent', label: t('Sent'), ...plain, getValue: ({ item }) => formatDay(item.sent_date) },
		{ id: 'deadline', label: t('Deadline'), ...plain, getValue: ({ item }) => formatDay(item.deadline) },
		{ id: 'batch', label: t('Batch'), ...plain, getValue: ({ item }) => item.batch.name },
	];
}

/** Return a day (`2026-12-31`) as the person writes it; it has no hour, so no zone moves it. */
function formatDay(day: string): string {
	const [year, month, date] = day.split('-').map(Number);
	return year && month && date ? formatDate(new Date(year, month - 1, date)) : '';
}
