import { useState } from 'react';

import { ErrorNotice } from '../../app/error-notice';
import { boot } from '../../app/boot';
import { t } from '../../app/i18n';
import { TextInput } from '../../form/inputs';
import { AddressFields } from './address-fields';
import { ProductSearch } from './product-search';
import { TrialResult } from './trial-result';
import { tryCart, type Trial as TrialAnswer, type TrialLine } from './visitors-cart';

interface Props {
	title: string;
	/** What the answer is good for. */
	help: string;
	/** Code of a coupon that is tried with it. */
	coupon?: string;
}

/** Asks what a buyer would pay: products, an address, and for a coupon whose it is. */
export function Trial({ title, help, coupon }: Props) {
	const [country = '', state = ''] = (boot.moduleData.shop?.country ?? '').split(':');
	const [lines, setLines] = useState<TrialLine[]>([]);
	const [email, setEmail] = useState('');
	const [address, setAddress] = useState({ country, state, postcode: '', city: '' });
	const [answer, setAnswer] = useState<TrialAnswer | null>(null);
	const [error, setError] = useState<unknown>(null);
	const [asking, setAsking] = useState(false);

	const ask = async (): Promise<void> => {
		setAsking(true);
		setError(null);
		try {
			setAnswer(await tryCart({ lines, address, email, ...(coupon === undefined ? {} : { coupon }) }));
		} catch (problem) {
			setAnswer(null);
			setError(problem);
		} finally {
			setAsking(false);
		}
	};
	const setQuantity = (id: number, quantity: number): void =>
		setLines(lines.map((one) => (one.id === id ? { ...one, quantity: Math.max(1, Math.trunc(quantity)) } : one)));
	return (
		<section className="panel trial" aria-labelledby="trial-title">
			<h2 id="trial-title">{title}</h2>
			<p className="quiet">{help}</p>
			<div className="field">
				<ProductSearch
					label={t('What is bought')}
					variations
					without={lines.map((one) => one.id)}
					onChoose={({ id, name }) => setLines([...lines, { id, name, quantity: 1 }])}
				/>
				{lines.length > 0 && (
					<ul className="plain-list">
						{lines.map((one) => (
							<li key={one.id}>
								<span>{one.name}</span>
								<span className="trial-quantity">
									<input
										className="input"
										type="number"
										min={1}
										aria-label={`${t('Pieces')}: ${one.name}`}
										value={one.quantity}
										onChange={(event) => setQuantity(one.id, Number(event.target.value))}
									/>
									<button
										type="button"
										className="button button-small"
										aria-label={`${t('Take away')}: ${one.name}`}
										onClick={() => setLines(lines.filter((other) => other.id !== one.id))}
									>
										×
									</button>
								</span>
							</li>
						))}
					</ul>
				)}
			</div>
			<AddressFields address={address} onChange={setAddress} />
			{coupon !== undefined && (
				<TextInput
					label={t('E-mail address of the customer')}
					help={t('Where the coupon is for some, or counts how often each used it.')}
					type="email"
					value={email}
					onChange={setEmail}
				/>
			)}
			<button
				type="button"
				className="button button-primary"
				disabled={asking || lines.length === 0}
				onClick={() => void ask()}
			>
				{asking ? t('Asking …') : t('What would it cost?')}
			</button>
			<div role="status" className="trial-answer">
				<ErrorNotice error={error} />
				{answer && <TrialResult trial={answer} coupon={coupon} />}
			</div>
		</section>
	);
}
