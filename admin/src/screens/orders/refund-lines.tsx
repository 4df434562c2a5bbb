import { writeAmount } from '../../app/decimals';
import { sprintf, t } from '../../app/i18n';
import { formatMoney, shopDecimals } from '../../app/money';
import { proposeChoice, sumChoice, type RefundableLine, type RefundChoice } from './refund-sums';

interface Props {
	lines: RefundableLine[];
	choices: ReadonlyMap<number, RefundChoice>;
	currency: string;
	onChange: (id: number, choice: RefundChoice) => void;
}

const NOTHING: RefundChoice = { quantity: 0, total: '', taxes: {} };

/** The lines of an order with what goes back of each: pieces, amount, tax by rate. */
export function RefundLines({ lines, choices, currency, onChange }: Props) {
	return (
		<ul className="item-list">
			{lines.map((line) => {
				const choice = choices.get(line.id) ?? NOTHING;
				const sum = sumChoice(choice);
				return (
					<li key={line.id}>
						<span className="item-title">
							{line.name}
							<span className="quiet block">
								{sprintf(t('left: %s and its tax'), formatMoney(writeAmount(line.total, shopDecimals), currency))}
							</span>
						</span>
						{line.quantity > 0 && (
							<label>
								<span>
									{/* translators: %d: pieces that have not gone back yet */}
									{sprintf(t('Pieces (of %d)'), line.quantity)}
								</span>
								<input
									className="input"
									type="number"
									min={0}
									max={line.quantity}
									value={choice.quantity}
									aria-label={`${sprintf(t('Pieces (of %d)'), line.quantity)}: ${line.name}`}
									onChange={(event) => {
										const pieces = Math.min(Math.max(0, Math.floor(Number(event.target.value))), line.quantity);
										onChange(line.id, proposeChoice(line, pieces, shopDecimals));
									}}
								/>
							</label>
						)}
						<label>
							<span>{t('Amount')}</span>
							<input
								className="input"
								inputMode="decimal"
								value={choice.total}
								placeholder={writeAmount(0n, shopDecimals)}
								aria-label={`${t('Amount')}: ${line.name}`}
								onChange={(event) => onChange(line.id, { ...choice, total: event.target.value })}
							/>
						</label>
						{line.taxes.map(({ id, label }) => (
							<label key={id}>
								<span>{label || t('Tax')}</span>
								<input
									className="input"
									inputMode="decimal"
									value={choice.taxes[id] ?? ''}
									placeholder={writeAmount(0n, shopDecimals)}
									aria-label={`${label || t('Tax')}: ${line.name}`}
									onChange={(event) =>
										onChange(line.id, { ...choice, taxes: { ...choice.taxes, [id]: event.target.value } })
									}
								/>
							</label>
						))}
						<span className="item-sum amount">
							{sum === null ? '–' : formatMoney(writeAmount(sum, shopDecimals), currency)}
						</span>
					</li>
				);
			})}
		</ul>
	);
}
