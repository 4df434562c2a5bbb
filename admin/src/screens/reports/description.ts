/** A plot in words. */
import { sprintf, t } from '../../app/i18n';
import { formatSpan } from './calendar';
import { formatChange, formatFigure, type FigureKind } from './figures';
import type { Span } from './periods';
import type { PlotData, PlotInterval } from './stats';

/** Write a value of a series; a dash where there is none yet. */
export function writeValue(value: number | null | undefined, kind: FigureKind): string {
	return value === null || value === undefined ? '–' : formatFigure(kind, value);
}

/** Say what a figure came to in a span, how that compares, and where it was highest. */
export function describePlot(
	label: string,
	data: PlotData,
	kind: FigureKind,
	{ span, compared }: { span: Span; compared: Span | null },
): string {
	const values: [string, string, string] = [label, formatSpan(span.from, span.until), formatFigure(kind, data.total)];
	const sentences: string[] = [];
	if (compared && data.comparedTotal !== null) {
		const before = formatSpan(compared.from, compared.until);
		const amount = formatFigure(kind, data.comparedTotal);
		const change = formatChange(data.total, data.comparedTotal);
		sentences.push(
			change
				? sprintf(t('%1$s, %2$s: %3$s; %4$s against %5$s (%6$s).'), ...values, change, before, amount)
				: sprintf(t('%1$s, %2$s: %3$s; %4$s: %5$s.'), ...values, before, amount),
		);
	} else {
		sentences.push(sprintf(t('%1$s, %2$s: %3$s.'), ...values));
	}
	sentences.push(describeHighest(data, kind));
	return sentences.filter(Boolean).join(' ');
}

/** Say what all series are in one interval. */
export function describeInterval(data: PlotData, interval: PlotInterval, at: number, kind: FigureKind): string {
	const values = data.series.map(({ label, values: own, compared }) => {
		const before = compared ? `, ${sprintf(t('before: %s'), writeValue(compared.values[at], kind))}` : '';
		return `${label && `${label}: `}${writeValue(own[at], kind)}${before}`;
	});
	return [interval.label || interval.comparedLabel, ...values].join('; ');
}

function describeHighest({ series, intervals }: PlotData, kind: FigureKind): string {
	const [only, ...others] = series;
	if (!only || others.length || intervals.length < 2) {
		return '';
	}
	const top = Math.max(...only.values.map((value) => value ?? 0));
	return top > 0
		? sprintf(t('Highest: %1$s with %2$s.'), intervals[only.values.indexOf(top)]?.label ?? '', formatFigure(kind, top))
		: '';
}
