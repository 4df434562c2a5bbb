import { useState } from 'react';

import { request } from '../../api/client';
import { parseAmount, readAmount, sumAmounts, writeAmount, type Amount } from '../../app/decimals';
import { Dialog } from '../../app/dialog';
import { ErrorNotice } from '../../app/error-notice';
import { sprintf, t } from '../../app/i18n';
import { formatMoney, shopDecimals } from '../../app/money';
import { showDone, showError } from '../../app/toasts';
import { Field } from '../../form/field';
import { getOrderPath, type Order, type Refund } from './order';
import { usePaymentMethods } from './payment-panel';
import { RefundLines } from './refund-lines';
import {
	buildRefundLines,
	countLeft,
	listRefundableLines,
	sumChoice,
	takeWhole,
	type RefundChoice,
} from './refund-sums';

interface Props {
	order: Order;
	refunds: Refund[];
	onClose: () => void;
}

/** A refund in the making: by line, or an amount alone; what it comes to is shown before it is made. */
export function RefundDialog({ order, refunds, onClose }: Props) {
	const lines = listRefundableLines(order, refunds, shopDecimals);
	const [choices, setChoices] = useState(new Map<number, RefundChoice>());
	const [amount, setAmount] = useState('');
	const [reason, setReason] = useState('');
	const [restock, setRestock] = useState(true);
	const [byGateway, setByGateway] = useState(false);
	const gateway = usePaymentMethods().value?.items.find(
		({ id, method_supports }) => id === order.payment_method && method_supports.includes('refunds'),
	);
	const [error, setError] = useState<unknown>(null);
	const [sending, setSending] = useState(false);

	const left = countLeft(order);
	const sums = [...choices.values()].map(sumChoice);
	const byLines: Amount | null = sums.includes(null) ? null : sumAmounts(sums as Amount[]);
	const typed: Amount | null = amount.trim() ? parseAmount(amount) : 0n;
	const isByLine = choices.size > 0;
	const sum = isByLine ? byLines : typed;
	const fault =
		sum === null
			? t('This is no amount.')
			: sum < 0n
				? t('A refund is not below nothing.')
				: sum > left
					? sprintf(t('At most %s is left of this order.'), money(left, order))
					: '';

	const send = async (): Promise<void> => {
		if (sum === null) {
			return;
		}
		setSending(true);
		const wanted = writeAmount(sum, shopDecimals);
		try {
			const made = await request<Refund>(`${getOrderPath(order.id)}/refunds`, {
				method: 'POST',
				body: {
					amount: wanted,
					reason: reason.trim(),
					api_refund: byGateway,
					api_restock: restock,
					...(isByLine ? { line_items: buildRefundLines(choices, shopDecimals) } : {}),
				},
			});
			onClose();
			if (readAmount(made.amount) === sum) {
				showDone(sprintf(t('%s is refunded.'), formatMoney(made.amount, order.currency)));
			} else {
				showError(
					new Error(
						/* translators: both are amounts */
						sprintf(t('The refund came to %1$s, not to %2$s.'), made.amount, wanted),
					),
				);
			}
		} catch (problem) {
			setError(problem);
		} finally {
			setSending(false);
		}
	};

	return (
		<Dialog title={sprintf(t('Refund of order %s'), `#${order.number}`)} onClose={onClose} wide>
			<form
				className="refund-form"
				onSubmit={(event) => {
					event.preventDefault();
					void send();
				}}
			>
				<ErrorNotice error={error} />
				<div className="entry-buttons">
					<button
						type="button"
						className="button"
						onClick={() => setChoices(new Map(lines.map((line) => [line.id, takeWhole(line, shopDecimals)])))}
					>
						{t('Everything that is left')}
					</button>
					<button type="button" className="button" disabled={!isByLine} onClick={() => setChoices(new Map())}>
						{t('Nothing')}
					</button>
				</div>
				<RefundLines
					lines={lines}
					choices={choices}
					currency={order.currency}
					onChange={(id, choice) => setChoices(new Map(choices).set(id, choice))}
				/>
				{!isByLine && (
					<Field label={t('Or an amount alone')} help={t('Nothing is taken back; the reports know no line of it.')}>
						{(control) => (
							<input
								{...control}
								inputMode="decimal"
								value={amount}
								onChange={(event) => setAmount(event.target.value)}
							/>
						)}
					</Field>
				)}
				<Field label={t('Reason')}>
					{(control) => <input {...control} value={reason} onChange={(event) => setReason(event.target.value)} />}
				</Field>
				<label className="check-field">
					<input type="checkbox" checked={restock} onChange={(event) => setRestock(event.target.checked)} />
					{t('Put the pieces back into stock')}
				</label>
				{gateway && (
					<label className="check-field">
						<input type="checkbox" checked={byGateway} onChange={(event) => setByGateway(event.target.checked)} />
						{sprintf(t('Pay the money back by %s'), gateway.title)}
					</label>
				)}
				{!byGateway && (
					<p className="quiet">
						{t('This notes the refund; the money itself goes back by the bank or the gateway’s own page.')}
					</p>
				)}
				<div className="refund-sum">
					<p>
						{t('Refunded will be')} <output aria-live="polite">{sum === null ? '–' : money(sum, order)}</output>{' '}
						<span className="quiet">{sprintf(t('of %s that is left'), money(left, order))}</span>
					</p>
					{fault && (
						<p className="field-fault" role="alert">
							{fault}
						</p>
					)}
				</div>
				<div className="form-buttons">
					<button
						type="submit"
						className="button button-primary"
						disabled={sending || Boolean(fault) || (!isByLine && !amount.trim())}
					>
						{t('Refund')}
					</button>
					<button type="button" className="button" onClick={onClose}>
						{t('Cancel')}
					</button>
				</div>
			</form>
		</Dialog>
	);
}

function money(amount: Amount, order: Order): string {
	return formatMoney(writeAmount(amount, shopDecimals), order.currency);
}
