/** A figure over time: its plot, the same in words, and the same as a table. */
import { lazy, Suspense, useId } from 'react';

import { sprintf, t, tn } from '../../app/i18n';
import { describePlot, writeValue } from './description';
import { formatChange, formatFigure, getFigureKind, labelFigure, type FigureKind } from './figures';
import type { Span } from './periods';
import type { PlotData } from './stats';

// It is fetched while the figures are asked for, not after them.
const drawing = import('./plot');
const Plot = lazy(() => drawing);

interface Props {
	figure: string;
	/** Undefined until it is there. */
	data: PlotData | undefined;
	chart: 'line' | 'bar';
	spans: { span: Span; compared: Span | null };
	/** Whether the figures are of earlier choices, and others on their way. */
	stale?: boolean;
	tools?: React.ReactNode;
	height?: number;
}

export function PlotPanel({ figure, data, chart, spans, stale = false, tools, height = 280 }: Props) {
	const id = useId();
	const kind = getFigureKind(figure);
	const label = labelFigure(figure);
	return (
		<section className="panel plot-panel" aria-labelledby={`${id}-title`} aria-busy={stale || !data}>
			<header>
				<h2 id={`${id}-title`}>{label}</h2>
				{tools}
			</header>
			{data ? (
				<>
					<p id={`${id}-text`} className="plot-text">
						{describePlot(label, data, kind, spans)}
					</p>
					<Legend data={data} kind={kind} />
					<Suspense fallback={<div className="plot-empty" style={{ height }} />}>
						<Plot data={data} kind={kind} chart={chart} label={label} describedBy={`${id}-text`} height={height} />
					</Suspense>
					<details className="plot-table">
						<summary>{t('The plot as a table')}</summary>
						<PlotTable data={data} kind={kind} label={label} />
					</details>
				</>
			) : (
				<div className="plot-empty" style={{ height: height + 90 }} role="status">
					<span className="loading">{t('Loading …')}</span>
				</div>
			)}
		</section>
	);
}

/** What each colour and line is, with what it came to. */
function Legend({ data, kind }: { data: PlotData; kind: FigureKind }) {
	const [only, ...others] = data.series;
	if (only && others.length === 0 && !only.label) {
		return only.compared ? (
			<ul className="legend">
				<li className="series-1">
					<i className="swatch" /> {t('Now')}
				</li>
				<li className="series-before">
					<i className="swatch swatch-dashed" /> {t('Compared')}
				</li>
			</ul>
		) : null;
	}
	return (
		<ul className="legend">
			{data.series.map((one, index) => (
				<li key={one.id} className={`series-${String(index + 1)}`}>
					<i className="swatch" /> {one.label}: <strong>{formatFigure(kind, one.total)}</strong>
					{one.compared && (
						<em>
							{' '}
							{formatChange(one.total, one.compared.total) ??
								sprintf(t('before: %s'), formatFigure(kind, one.compared.total))}
						</em>
					)}
				</li>
			))}
			{data.series.length === 0 && <li>{t('There is nothing in this period.')}</li>}
			{data.left > 0 && <li className="quiet">{sprintf(tn('%d more', '%d more', data.left), data.left)}</li>}
		</ul>
	);
}

function PlotTable({ data, kind, label }: { data: PlotData; kind: FigureKind; label: string }) {
	const compares = data.series.some((one) => one.compared);
	return (
		// What scrolls is reached by keyboard.
		// eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
		<div className="table-scroll" tabIndex={0} role="region" aria-label={sprintf(t('%s as a table'), label)}>
			<table>
				<thead>
					<tr>
						<th scope="col">{t('Date')}</th>
						{data.series.map((one) => (
							<th key={one.id} scope="col" className="number">
								{one.label || label}
							</th>
						))}
						{compares && <th scope="col">{t('Compared with')}</th>}
						{compares &&
							data.series.map((one) => (
								<th key={one.id} scope="col" className="number">
									{sprintf(t('%s before'), one.label || label)}
								</th>
							))}
					</tr>
				</thead>
				<tbody>
					{data.intervals.map((interval, at) => (
						<tr key={at}>
							<th scope="row">{interval.label || '–'}</th>
							{data.series.map((one) => (
								<td key={one.id} className="number">
									{writeValue(one.values[at], kind)}
								</td>
							))}
							{compares && <td>{interval.comparedLabel || '–'}</td>}
							{compares &&
								data.series.map((one) => (
									<td key={one.id} className="number">
										{writeValue(one.compared?.values[at], kind)}
									</td>
								))}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}
