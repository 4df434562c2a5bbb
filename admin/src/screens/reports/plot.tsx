/** A plot: lines or bars by interval, with the compared span beside them, values by pointer and by keyboard. */
import { axisX, axisY, barY, dot, gridY, lineY, plot, ruleY } from '@observablehq/plot';
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';

import { sprintf, t } from '../../app/i18n';
import { describeInterval, writeValue } from './description';
import { formatShortly, type FigureKind } from './figures';
import type { PlotData, PlotInterval } from './stats';

interface Props {
	data: PlotData;
	kind: FigureKind;
	chart: 'line' | 'bar';
	/** What is drawn, as readers of the screen hear it. */
	label: string;
	/** Id of the text that says the same. */
	describedBy: string;
	height?: number;
}

/** A value as it is drawn. */
interface Point {
	x: number;
	y: number;
	series: number;
}

const TICK_WIDTH = 64;
const MAX_DOTS = 45;

export default function Plot({ data, kind, chart, label, describedBy, height = 280 }: Props) {
	const frame = useRef<HTMLDivElement>(null);
	const canvas = useRef<HTMLDivElement>(null);
	const positions = useRef<number[]>([]);
	const [width, setWidth] = useState(0);
	const [chosen, setChosen] = useState<number | null>(null);
	const last = data.intervals.length - 1;
	const at = chosen === null ? null : Math.min(chosen, last);

	useEffect(() => {
		const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
		if (frame.current) {
			observer.observe(frame.current);
		}
		return () => observer.disconnect();
	}, []);

	useEffect(() => {
		if (width === 0) {
			return;
		}
		const drawn = draw(data, kind, chart, width, height);
		const scale = drawn.scale('x');
		positions.current = data.intervals.map(
			(_, index) => ((scale?.apply(index) as number | undefined) ?? 0) + (scale?.bandwidth ?? 0) / 2,
		);
		canvas.current?.replaceChildren(drawn);
	}, [data, kind, chart, width, height]);

	const follow = (event: PointerEvent<HTMLDivElement>): void => {
		const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
		let nearest = 0;
		positions.current.forEach((one, index) => {
			if (Math.abs(one - x) < Math.abs((positions.current[nearest] ?? 0) - x)) {
				nearest = index;
			}
		});
		setChosen(nearest);
	};
	const step = (event: KeyboardEvent): void => {
		const from = at ?? -1;
		const steps: Record<string, number> = {
			ArrowRight: from + 1,
			ArrowUp: from + 1,
			ArrowLeft: from - 1,
			ArrowDown: from - 1,
			PageUp: from + 7,
			PageDown: from - 7,
			Home: 0,
			End: last,
		};
		if (event.key === 'Escape') {
			setChosen(null);
		} else if (event.key in steps) {
			event.preventDefault();
			setChosen(Math.max(0, Math.min(last, steps[event.key] ?? 0)));
		}
	};
	const shown = at === null ? undefined : data.intervals[at];
	return (
		<div className="plot" ref={frame}>
			<div
				className="plot-area"
				role="slider"
				tabIndex={0}
				aria-label={label}
				aria-describedby={describedBy}
				aria-valuemin={0}
				aria-valuemax={Math.max(last, 0)}
				aria-valuenow={at ?? 0}
				aria-valuetext={
					shown && at !== null ? describeInterval(data, shown, at, kind) : t('Arrow keys read the values.')
				}
				onPointerMove={follow}
				onPointerDown={follow}
				onPointerLeave={() => setChosen(null)}
				onBlur={() => setChosen(null)}
				onKeyDown={step}
				style={{ minHeight: height }}
			>
				<div ref={canvas} aria-hidden="true" />
				{at !== null && shown && (
					<>
						<div className="plot-cursor" style={{ insetInlineStart: positions.current[at] }} />
						<Readout
							data={data}
							interval={shown}
							at={at}
							kind={kind}
							before={(positions.current[at] ?? 0) > width / 2}
						/>
					</>
				)}
			</div>
		</div>
	);
}

/** The values of an interval, beside the pointer. */
function Readout({
	data,
	interval,
	at,
	kind,
	before,
}: {
	data: PlotData;
	interval: PlotInterval;
	at: number;
	kind: FigureKind;
	before: boolean;
}) {
	return (
		<div className={`plot-readout ${before ? 'plot-readout-start' : 'plot-readout-end'}`} aria-hidden="true">
			<strong>{interval.label || interval.comparedLabel}</strong>
			{data.series.map((one, index) => (
				<span key={one.id} className={`series-${String(index + 1)}`}>
					<i className="swatch" /> {one.label && `${one.label}: `}
					{writeValue(one.values[at], kind)}
					{one.compared && <em> {sprintf(t('before: %s'), writeValue(one.compared.values[at], kind))}</em>}
				</span>
			))}
		</div>
	);
}

function draw(
	data: PlotData,
	kind: FigureKind,
	chart: 'line' | 'bar',
	width: number,
	height: number,
): ReturnType<typeof plot> {
	const own = data.series.flatMap((one, index) => listPoints(one.values, index));
	const compared = data.series.flatMap((one, index) => listPoints(one.compared?.values ?? [], index));
	const isStacked = chart === 'bar' && data.series.length > 1;
	const tops = [own, compared].flatMap((points) => (isStacked ? sumByInterval(points) : points.map(({ y }) => y)));
	const domain = [Math.min(0, ...tops), Math.max(0, ...tops)];
	const highest = domain[0] === 0 && domain[1] === 0 ? 1 : (domain[1] ?? 1);
	const every = Math.max(1, Math.ceil(data.intervals.length / Math.max(2, Math.floor((width - 60) / TICK_WIDTH))));
	const indices = data.intervals.map((_, index) => index);
	const common = { x: 'x', y: 'y' } as const;
	const before = {
		...common,
		z: 'series',
		stroke: data.series.length > 1 ? colorOf : 'var(--series-before)',
		strokeDasharray: '5 4',
		strokeWidth: 1.5,
		strokeOpacity: 0.8,
	};
	const marginLeft =
		12 + 7 * Math.max(...[domain[0] ?? 0, highest, highest / 3].map((one) => formatShortly(kind, one).length));
	// Bars of both spans share the place of their interval.
	const half = compared.length ? ((width - marginLeft - 12) / Math.max(indices.length, 1)) * 0.375 : 0;
	return plot({
		width,
		height,
		marginLeft,
		marginRight: 12,
		marginBottom: 30,
		className: 'plot-svg',
		style: { background: 'none', fontSize: '12px', overflow: 'visible' },
		x: { type: chart === 'bar' ? 'band' : 'point', domain: indices, padding: chart === 'bar' ? 0.25 : 0.1 },
		y: { domain: [domain[0] ?? 0, highest], nice: true },
		marks: [
			gridY({ stroke: 'var(--line)', strokeOpacity: 1 }),
			axisY({
				label: null,
				tickSize: 0,
				ticks: 5,
				tickFormat: (value: number) => (kind === 'count' && !Number.isInteger(value) ? '' : formatShortly(kind, value)),
			}),
			axisX({
				label: null,
				tickSize: 4,
				ticks: indices.filter((index) => index % every === 0),
				tickFormat: (index: number) => data.intervals[index]?.short ?? '',
			}),
			ruleY([0], { stroke: 'var(--quiet)' }),
			...(chart === 'bar'
				? [
						barY(own, { ...common, fill: colorOf, z: 'series', insetLeft: half }),
						barY(compared, { ...before, fill: before.stroke, fillOpacity: 0.3, strokeDasharray: '', insetRight: half }),
					]
				: [
						lineY(compared, before),
						lineY(own, { ...common, z: 'series', stroke: colorOf, strokeWidth: 2 }),
						...(data.intervals.length <= MAX_DOTS
							? [
									dot(own, { ...common, fill: colorOf, r: 3 }),
									dot(compared, { ...common, stroke: before.stroke, r: 2.5 }),
								]
							: []),
					]),
		],
		color: { type: 'identity' },
	});
}

function colorOf({ series }: Point): string {
	return `var(--series-${String(series + 1)})`;
}

function listPoints(values: (number | null)[], series: number): Point[] {
	return values.flatMap((y, x) => (y === null ? [] : [{ x, y, series }]));
}

function sumByInterval(points: Point[]): number[] {
	const sums = new Map<number, number>();
	for (const { x, y } of points) {
		sums.set(x, (sums.get(x) ?? 0) + y);
	}
	return [...sums.values()];
}
