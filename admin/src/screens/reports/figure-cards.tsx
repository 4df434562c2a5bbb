/** Figures with their change; in a report each draws itself in the plot, in the overview each leads to its report. */
import { sprintf, t } from '../../app/i18n';
import { Link } from '../../app/link';
import { formatChange, formatFigure, getFigureKind, labelFigure, type FigureKind } from './figures';

interface CardProps {
	label: string;
	kind: FigureKind;
	value: number | undefined;
	before: number | undefined;
}

/** What one card says. */
function CardText({ label, kind, value, before }: CardProps) {
	const change = value !== undefined && before !== undefined ? formatChange(value, before) : null;
	return (
		<>
			<span className="card-label">{label}</span>
			<span className="card-value">{value === undefined ? '…' : formatFigure(kind, value)}</span>
			<span className="card-change">
				{before === undefined ? (
					' '
				) : (
					<>
						{change && <strong>{change} </strong>}
						{sprintf(t('before: %s'), formatFigure(kind, before))}
					</>
				)}
			</span>
		</>
	);
}

export function FigureCards({
	figures,
	totals,
	before,
	chosen,
	onChoose,
}: {
	figures: string[];
	totals: Record<string, unknown> | undefined;
	before: Record<string, unknown> | undefined;
	/** The figure that is drawn; none where nothing is. */
	chosen?: string;
	onChoose?: (figure: string) => void;
}) {
	return (
		<ul className="figure-cards">
			{figures.map((figure) => {
				const text = (
					<CardText
						label={labelFigure(figure)}
						kind={getFigureKind(figure)}
						value={totals && Number(totals[figure] ?? 0)}
						before={before && Number(before[figure] ?? 0)}
					/>
				);
				return (
					<li key={figure} data-figure={figure}>
						{onChoose ? (
							<button type="button" className="card" aria-pressed={figure === chosen} onClick={() => onChoose(figure)}>
								{text}
							</button>
						) : (
							<div className="card">{text}</div>
						)}
					</li>
				);
			})}
		</ul>
	);
}

export function LinkCard({ to, name, ...card }: CardProps & { to: string; name: string }) {
	return (
		<li data-figure={name}>
			<Link className="card" to={to}>
				<CardText {...card} />
			</Link>
		</li>
	);
}
