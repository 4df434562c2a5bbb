/** How the shop goes at a glance: figures with their change, two plots, and who and what leads. */
import { useMemo } from 'react';

import { request } from '../../api/client';
import { ErrorNotice } from '../../app/error-notice';
import { formatNumber } from '../../app/formats';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import { formatMoney } from '../../app/money';
import { Screen } from '../../app/screen';
import { SELDOM, useAnswer } from './answers';
import { useChoices, useReportPath } from './choices';
import { LinkCard } from './figure-cards';
import { getFigureKind, labelFigure } from './figures';
import type { Span } from './periods';
import { PeriodBar } from './period-bar';
import { PlotPanel } from './plot-panel';
import { REPORTS } from './reports';
import { pairSpans, useSpanStats } from './span-stats';
import { API, buildPlotData, buildSpanQuery } from './stats';

interface Indicator {
	stat: string;
	value: number | null;
}

interface Cell {
	value: string | number;
	format?: 'number' | 'currency';
}

interface Leaderboard {
	id: string;
	label: string;
	headers: { label: string }[];
	rows: Cell[][];
}

/** Indicators by the interface's names: a report and a figure of it. */
const INDICATORS = [
	'revenue/total_sales',
	'revenue/net_revenue',
	'orders/orders_count',
	'orders/avg_order_value',
	'products/items_sold',
	'revenue/refunds',
	'coupons/amount',
	'taxes/total_tax',
	'revenue/shipping',
	'downloads/download_count',
];
const PLOTS = ['net_revenue', 'orders_count'];
const LEADERBOARDS: Record<string, { title: () => string; headers: () => [string, string, string] }> = {
	customers: { title: () => t('Best customers'), headers: () => [t('Customer'), t('Orders'), t('Spent')] },
	coupons: { title: () => t('Most used coupons'), headers: () => [t('Coupon'), t('Orders'), t('Discounts')] },
	categories: { title: () => t('Best categories'), headers: () => [t('Category'), t('Items sold'), t('Net sales')] },
	products: { title: () => t('Best products'), headers: () => [t('Product'), t('Items sold'), t('Net sales')] },
};

export function Overview() {
	const choices = useChoices();
	const { span, compared } = choices;
	const path = useReportPath();
	const stats = useSpanStats('revenue', span, choices, {}, '');
	const before = useSpanStats('revenue', compared, choices, {}, '', SELDOM);
	const drawn = pairSpans(stats.value, before.value, choices);
	const now = useIndicators(span);
	const then = useIndicators(compared, SELDOM);
	// The plot comes first: what stands below it is asked for once it is there.
	const boards = useAnswer(stats.value ? JSON.stringify(span) : null, (signal) =>
		request<Leaderboard[]>(`${API}/leaderboards`, { query: { ...buildSpanQuery(span), per_page: 5 }, signal }),
	);
	const plots = useMemo(
		() =>
			PLOTS.map((figure) => ({
				figure,
				data: drawn.stats && buildPlotData(drawn.interval, figure, drawn.stats, drawn.compared),
			})),
		[drawn.stats, drawn.compared, drawn.interval],
	);
	return (
		<Screen title={t('Reports')}>
			<PeriodBar choices={choices} />
			<ErrorNotice error={stats.error ?? before.error ?? now.error ?? then.error ?? boards.error} />
			<ul className="figure-cards">
				{INDICATORS.map((stat) => {
					const [report = '', figure = ''] = stat.split('/');
					return (
						<LinkCard
							key={stat}
							name={stat}
							to={path(report, { figure })}
							label={labelFigure(figure)}
							kind={getFigureKind(figure)}
							value={now.value?.get(stat)}
							before={compared ? then.value?.get(stat) : undefined}
						/>
					);
				})}
			</ul>
			<div className="report-columns">
				{plots.map(({ figure, data }) => (
					<PlotPanel
						key={figure}
						figure={figure}
						data={data}
						chart="line"
						spans={drawn.spans}
						stale={stats.loading}
						height={220}
						tools={<Link to={path('revenue', { figure })}>{t('Report')}</Link>}
					/>
				))}
			</div>
			<div className="report-columns">
				{boards.value?.map((board) => (
					<Board key={board.id} board={board} to={path(board.id)} />
				))}
			</div>
			<nav className="report-links" aria-label={t('All reports')}>
				<h2>{t('All reports')}</h2>
				<ul>
					{REPORTS.map(({ name, title }) => (
						<li key={name}>
							<Link to={path(name)}>{title()}</Link>
						</li>
					))}
				</ul>
			</nav>
		</Screen>
	);
}

function useIndicators(span: Span | null, pause?: number) {
	return useAnswer(
		span && JSON.stringify(span),
		async (signal) => {
			const found = await request<Indicator[]>(`${API}/reports/performance-indicators`, {
				query: { stats: INDICATORS, ...(span ? buildSpanQuery(span) : {}) },
				signal,
			});
			return new Map(found.map(({ stat, value }) => [stat, value ?? 0]));
		},
		pause,
	);
}

function Board({ board, to }: { board: Leaderboard; to: string }) {
	const own = LEADERBOARDS[board.id];
	const title = own?.title() ?? board.label;
	const headers = own?.headers() ?? board.headers.map(({ label }) => label);
	return (
		<section className="panel leaderboard" aria-label={title}>
			<header>
				<h2>{title}</h2>
				<Link to={to}>{t('Report')}</Link>
			</header>
			{board.rows.length === 0 ? (
				<p className="quiet">{t('There is nothing in this period.')}</p>
			) : (
				<table>
					<thead>
						<tr>
							{headers.map((header, at) => (
								<th key={header} scope="col" className={at > 0 ? 'number' : undefined}>
									{header}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{board.rows.map((cells, row) => (
							<tr key={row}>
								{cells.map((cell, at) => (
									<td key={at} className={at > 0 ? 'number' : undefined}>
										{writeCell(cell)}
									</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			)}
		</section>
	);
}

function writeCell({ value, format }: Cell): string {
	if (format === 'currency') {
		return formatMoney(value);
	}
	return format === 'number' ? formatNumber(Number(value)) : String(value);
}
