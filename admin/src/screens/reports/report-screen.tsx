/** The screen of one report: figures, plot, filters, table, file; all of it from the report's declaration. */
import { lazy, Suspense, useMemo } from 'react';

import { request, requestPage, type Query } from '../../api/client';
import { getArguments, useDeclaration } from '../../api/declarations';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { Screen } from '../../app/screen';
import { loadStylesheet } from '../../app/styles';
import { SELDOM, useAnswer } from './answers';
import { formatInterval } from './calendar';
import { choose, useChoices, type Choices } from './choices';
import { ExportButton } from './export-button';
import { FigureCards } from './figure-cards';
import { buildFilterQuery, listFilters, type Filter } from './filters';
import { INTERVALS, listIntervals } from './periods';
import { PeriodBar } from './period-bar';
import { PlotPanel } from './plot-panel';
import { readSort, type ReportDeclaration, type Row } from './reports';
import { pairSpans, useSpanStats } from './span-stats';
import { API, buildPlotData, buildSpanQuery, type Stats } from './stats';
import { labelReportValue } from './values';

const FilterBar = lazy(() => withComponents(import('./filter-bar')));
const ReportTable = lazy(() => withComponents(import('./report-table')));

/** What is made of the editor's components needs their styles. */
async function withComponents<Module>(module: Promise<Module>): Promise<Module> {
	const [loaded] = await Promise.all([module, loadStylesheet('screens')]);
	return loaded;
}

export function ReportScreen({ report }: { report: ReportDeclaration }) {
	const choices = useChoices();
	const { filters, orders, segments } = useDeclaredArguments(report);
	// An answer waits for the declarations only where there is a filter, which is understood by them.
	const isFiltered = Object.keys(choices.filters).length > 0;
	const query = isFiltered ? filters && buildFilterQuery(filters, choices.filters) : {};
	const figures = useFigures(report, choices, query ?? null);
	const table = useTable(report, choices, figures.isDrawn ? (query ?? null) : null, figures.stats);
	const figure = report.stats?.figures.find((one) => one === choices.figure) ?? report.stats?.figures[0] ?? '';
	const { stats, compared, interval } = figures;
	const data = useMemo(
		() => (stats && figure ? buildPlotData(interval, figure, stats, compared) : undefined),
		[stats, compared, figure, interval],
	);
	return (
		<Screen title={report.title()} actions={<ExportButton name={report.name} args={table.exported} />}>
			{!report.timeless && <PeriodBar choices={choices} />}
			<div className="report-filter-space">
				{filters && figures.isDrawn && (
					<Suspense fallback={null}>
						<FilterBar filters={filters} chosen={choices.filters} />
					</Suspense>
				)}
			</div>
			<ErrorNotice error={figures.error ?? table.error} />
			{report.totals && <FigureCards figures={report.totals} totals={figures.totals} before={figures.comparedTotals} />}
			{report.stats && (
				<>
					<FigureCards
						figures={report.stats.figures}
						totals={stats && (stats.totals ?? {})}
						before={compared && (compared.totals ?? {})}
						chosen={figure}
						onChoose={(name) => choose({ figure: name === report.stats?.figures[0] ? '' : name })}
					/>
					<PlotPanel
						figure={figure}
						data={data}
						chart={choices.chart}
						spans={figures.spans}
						stale={figures.loading}
						tools={<PlotTools report={report} choices={choices} segments={segments} />}
					/>
				</>
			)}
			{table.rows && (
				<Suspense fallback={<p className="loading">{t('Loading …')}</p>}>
					<ReportTable
						report={report}
						rows={table.rows}
						total={table.total}
						pages={table.pages}
						loading={table.loading}
						choices={choices}
						orders={orders}
					/>
				</Suspense>
			)}
		</Screen>
	);
}

/** How a figure is cut and drawn. */
function PlotTools({
	report,
	choices,
	segments,
}: {
	report: ReportDeclaration;
	choices: Choices;
	segments: readonly string[];
}) {
	const offered = segments.filter((one) => one !== 'variation' || canCutByVariation(report, choices));
	return (
		<div className="plot-tools">
			<label>
				{t('Interval')}
				<select value={choices.interval} onChange={({ target }) => choose({ interval: target.value })}>
					{listIntervals(choices.span).map((one) => (
						<option key={one} value={one}>
							{INTERVALS[one]()}
						</option>
					))}
				</select>
			</label>
			{offered.length > 0 && !report.stats?.segment && (
				<label>
					{t('Segments')}
					<select value={choices.segment} onChange={({ target }) => choose({ segment: target.value })}>
						<option value="">{t('All together')}</option>
						{offered.map((one) => (
							<option key={one} value={one}>
								{labelReportValue(one)}
							</option>
						))}
					</select>
				</label>
			)}
			<label>
				{t('Drawn as')}
				<select value={choices.chart} onChange={({ target }) => choose({ chart: target.value === 'bar' ? 'bar' : '' })}>
					<option value="line">{t('Lines')}</option>
					<option value="bar">{t('Bars')}</option>
				</select>
			</label>
		</div>
	);
}

/** The interface cuts orders by variation only where they are those of one product. */
function canCutByVariation(report: ReportDeclaration, { filters, segment }: Choices): boolean {
	const products = filters['product_includes'] ?? filters['products'] ?? '';
	return report.name === 'variations' || /^\d+$/.test(products) || segment === 'variation';
}

/** What the routes of a report declare: filters, orders of its list, segments of its figures. */
function useDeclaredArguments(report: ReportDeclaration): {
	filters: Filter[] | undefined;
	orders: readonly string[];
	segments: readonly string[];
} {
	const base = `${API}/reports`;
	const statsPath = report.stats ? `${base}/${report.stats.path}/stats` : null;
	const list = useDeclaration(report.byInterval ? null : `${base}/${report.name}`).value;
	const stats = useDeclaration(statsPath).value;
	return useMemo(() => {
		const listed = list && getArguments(list, 'GET');
		const drawn = stats && getArguments(stats, 'GET');
		const routes = [...(report.byInterval ? [] : [listed]), ...(statsPath && !report.stats?.unfiltered ? [drawn] : [])];
		const known = routes.filter((one) => one !== undefined);
		const all = report.byInterval ? report.columns.map(({ name }) => name) : listed?.['orderby']?.enum;
		return {
			filters: known.length === routes.length ? listFilters(known) : undefined,
			orders: (all ?? []).map(String),
			segments: (drawn?.['segmentby']?.enum ?? []).map(String),
		};
	}, [report, list, stats, statsPath]);
}

/** The figures of the chosen span and of the one that it is compared with. query: the filters, null until they are known. */
function useFigures(report: ReportDeclaration, choices: Choices, query: Query | null) {
	const { span, compared } = choices;
	const drawn = report.stats?.path;
	const path = drawn === undefined || query === null ? null : drawn;
	const asked = report.stats?.unfiltered ? {} : query;
	const segment = choices.segment || (report.stats?.segment ?? '');
	const stats = useSpanStats(path, span, choices, asked, segment);
	const before = useSpanStats(path, compared, choices, asked, segment, SELDOM);
	const totals = useTotals(report, report.timeless ? null : span, query);
	const comparedTotals = useTotals(report, compared, report.timeless || !compared ? null : query);
	return {
		...pairSpans(stats.value, before.value, choices),
		totals: totals.value,
		comparedTotals: comparedTotals.value,
		loading: stats.loading || before.loading,
		error: stats.error ?? before.error ?? totals.error ?? comparedTotals.error,
		/** Whether what the person looks at first is there. */
		isDrawn: drawn === undefined || stats.value !== undefined || stats.error !== undefined,
	};
}

/** Figures that have no intervals. span: null for those of all time. query: null asks for nothing. */
function useTotals(report: ReportDeclaration, span: Choices['span'] | null, query: Query | null) {
	const asked = { ...(span ? buildSpanQuery(span) : {}), ...query };
	const path = `${API}/reports/${report.name}/stats`;
	return useAnswer(report.totals && query ? JSON.stringify([path, asked]) : null, async (signal) => {
		const { totals } = await request<{ totals: Record<string, number> }>(path, { query: asked, signal });
		return totals;
	});
}

/** A page of the table. query: the filters, null until they are known. stats: whose intervals are the rows of some. */
function useTable(report: ReportDeclaration, choices: Choices, query: Query | null, stats: Stats | undefined) {
	const { page, perPage, span, interval } = choices;
	const { column: by, order } = readSort(report, choices);
	const column = report.columns.find(({ name }) => name === by);
	const listed: Query = {
		...(report.timeless ? {} : buildSpanQuery(span)),
		...query,
		...(report.byInterval ? { interval } : {}),
		orderby: column?.orderby ?? column?.name,
		order,
	};
	const path = `${API}/reports/${report.name}`;
	const asked = { ...listed, page, per_page: perPage, extended_info: report.extended };
	const answer = useAnswer(query === null || report.byInterval ? null : JSON.stringify([path, asked]), (signal) =>
		requestPage<Row>(path, { query: asked, signal }),
	);
	const intervals = useMemo(
		() =>
			report.byInterval && stats ? sortRows(buildIntervalRows(stats, interval), { column: by, order }) : undefined,
		[report, stats, interval, by, order],
	);
	return {
		rows: intervals ? intervals.slice((page - 1) * perPage, page * perPage) : answer.value?.items,
		total: intervals?.length ?? answer.value?.total ?? 0,
		pages: intervals ? Math.ceil(intervals.length / perPage) : (answer.value?.pages ?? 0),
		loading: answer.loading,
		error: answer.error,
		exported: listed,
	};
}

function buildIntervalRows({ intervals }: Stats, kind: Choices['interval']): Row[] {
	return intervals.map(({ date_start: start, date_end: end, subtotals }) => ({
		...subtotals,
		start,
		date: formatInterval(kind, start, end),
	}));
}

function sortRows(rows: Row[], { column, order }: { column: string; order: 'asc' | 'desc' }): Row[] {
	const member = column === 'date' ? 'start' : column;
	const sign = order === 'asc' ? 1 : -1;
	const compare = (one: Row, other: Row): number => {
		const [first, second] = [one[member], other[member]];
		return typeof first === 'number' && typeof second === 'number'
			? first - second
			: String(first as string).localeCompare(String(second as string));
	};
	return rows.sort((one, other) => sign * compare(one, other));
}
