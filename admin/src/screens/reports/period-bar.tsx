/** The choices that all reports share: which days, and what they are compared with. */
import { t } from '../../app/i18n';
import { formatSpan } from './calendar';
import { choose, type Choices } from './choices';
import { COMPARISONS, PERIODS, type Comparison } from './periods';

export function PeriodBar({ choices, children }: { choices: Choices; children?: React.ReactNode }) {
	const { period, comparison, span, compared } = choices;
	return (
		<div className="report-bar">
			<label>
				{t('Period')}
				<select
					value={period}
					onChange={({ target }) =>
						choose(
							target.value === 'custom'
								? { period: 'custom', from: span.from, until: span.until, interval: '' }
								: { period: target.value, from: '', until: '', interval: '' },
						)
					}
				>
					{Object.entries(PERIODS).map(([name, { label }]) => (
						<option key={name} value={name}>
							{label()}
						</option>
					))}
				</select>
			</label>
			{period === 'custom' && (
				<>
					<label>
						{t('From')}
						<input
							type="date"
							value={span.from}
							max={span.until}
							onChange={({ target }) => target.value && choose({ from: target.value, until: span.until })}
						/>
					</label>
					<label>
						{t('Until')}
						<input
							type="date"
							value={span.until}
							min={span.from}
							onChange={({ target }) => target.value && choose({ from: span.from, until: target.value })}
						/>
					</label>
				</>
			)}
			<label>
				{t('Compared with')}
				<select
					value={comparison}
					onChange={({ target }) => choose({ compare: target.value === 'previous' ? '' : target.value })}
				>
					{(Object.keys(COMPARISONS) as Comparison[]).map((name) => (
						<option key={name} value={name}>
							{COMPARISONS[name]()}
						</option>
					))}
				</select>
			</label>
			{children}
			<p className="quiet report-days">
				{formatSpan(span.from, span.until)}
				{compared && (
					<>
						<br />
						{t('against')} {formatSpan(compared.from, compared.until)}
					</>
				)}
			</p>
		</div>
	);
}
