import { useState } from 'react';
import { flushSync } from 'react-dom';

import { request } from '../../api/client';
import { readAmount, writeAmount } from '../../app/decimals';
import { ErrorNotice } from '../../app/error-notice';
import { sprintf, t } from '../../app/i18n';
import { Link } from '../../app/link';
import { formatMoney, shopDecimals } from '../../app/money';
import { navigate } from '../../app/router';
import { Screen } from '../../app/screen';
import { showDone, showError } from '../../app/toasts';
import { Field } from '../../form/field';
import { useLeaveWarning } from '../../form/record-form';
import { AddressForm, buildEmptyAddress } from './address-form';
import { CartTotals, fromMinorUnits } from './cart-totals';
import { CustomerSearch, type Customer } from './customer-search';
import { NewOrderItems } from './new-order-items';
import { formatName, ORDERS_PATH, writeAddress, type Address, type Order } from './order';
import { StatusSelect } from './order-status';
import { usePaymentMethods } from './payment-panel';
import { SidePanel } from './side-panel';
import { usePrices, type ShippingRate, type WantedLine } from './visitor-cart';

/** An order that a person enters, with the prices that its buyer would see. */
export default function NewOrder() {
	const [customer, setCustomer] = useState<Customer | null>(null);
	const [billing, setBilling] = useState<Address>({ ...buildEmptyAddress(), email: '' });
	const [ownShipping, setOwnShipping] = useState<Address | null>(null);
	const [lines, setLines] = useState<WantedLine[]>([]);
	const [coupons, setCoupons] = useState<string[]>([]);
	const [rate, setRate] = useState('');
	const [status, setStatus] = useState('on-hold');
	const [method, setMethod] = useState('');
	const [note, setNote] = useState('');
	const [error, setError] = useState<unknown>(null);
	const [sending, setSending] = useState(false);
	const [done, setDone] = useState(false);
	const methods = usePaymentMethods();
	useLeaveWarning(lines.length > 0 && !done);

	const shipping = ownShipping ?? withoutEmail(billing);
	const prices = usePrices({ lines, billing, shipping, coupons, rate });
	const rates = prices.cart?.shipping_rates ?? [];
	const chosen = rates.flatMap(({ shipping_rates }) => shipping_rates.filter(({ selected }) => selected));

	const choose = (one: Customer | null): void => {
		setCustomer(one);
		if (one) {
			setBilling({ ...buildEmptyAddress(), ...one.billing, email: one.billing.email ?? one.email });
			setOwnShipping(one.shipping.address_1 ? one.shipping : null);
		}
	};
	const create = async (): Promise<void> => {
		setSending(true);
		const title = methods.value?.items.find(({ id }) => id === method)?.title ?? '';
		const shown = prices.cart && fromMinorUnits(prices.cart.totals.total_price, prices.cart);
		try {
			const made = await request<Order>(ORDERS_PATH, {
				method: 'POST',
				body: {
					status,
					customer_id: customer?.id ?? 0,
					billing: writeAddress(billing),
					shipping,
					line_items: lines.map(({ product, variation, quantity }) => ({
						product_id: product,
						variation_id: variation,
						quantity,
					})),
					shipping_lines: prices.cart ? chosen.map((one) => buildShippingLine(one, prices.cart)) : [],
					coupon_lines: coupons.map((code) => ({ code })),
					payment_method: method,
					payment_method_title: title,
					customer_note: note.trim(),
					created_via: 'admin',
				},
			});
			flushSync(() => setDone(true));
			navigate(`/orders/${String(made.id)}`, { replace: true });
			if (shown !== null && readAmount(made.total) !== readAmount(shown)) {
				showError(
					new Error(
						sprintf(
							/* translators: both are amounts */
							t('The order comes to %1$s; its buyer would have paid %2$s in the shop.'),
							formatMoney(made.total, made.currency),
							formatMoney(shown, made.currency),
						),
					),
				);
			} else {
				showDone(sprintf(t('Order %s is made.'), `#${made.number}`));
			}
		} catch (problem) {
			setError(problem);
		} finally {
			setSending(false);
		}
	};

	return (
		<Screen
			title={t('New order')}
			actions={
				<Link className="button" to="/orders">
					{t('Back to the list')}
				</Link>
			}
		>
			<form
				className="order-screen"
				onSubmit={(event) => {
					event.preventDefault();
					void create();
				}}
			>
				<div className="order-main">
					<NewOrderItems lines={lines} cart={prices.cart} coupons={coupons} onLines={setLines} onCoupons={setCoupons} />
					<SidePanel title={t('Customer')}>
						{customer ? (
							<p>
								<strong>{formatName(customer) || customer.email}</strong>{' '}
								<button type="button" className="link-button" onClick={() => choose(null)}>
									{t('Somebody else')}
								</button>
							</p>
						) : (
							<CustomerSearch onChoose={choose} />
						)}
					</SidePanel>
					<SidePanel title={t('Billing address')}>
						<AddressForm address={billing} withEmail onChange={(changes) => setBilling({ ...billing, ...changes })} />
						<label className="check-field">
							<input
								type="checkbox"
								checked={ownShipping !== null}
								onChange={(event) => setOwnShipping(event.target.checked ? withoutEmail(billing) : null)}
							/>
							{t('It is sent to another address')}
						</label>
					</SidePanel>
					{ownShipping && (
						<SidePanel title={t('Shipping address')}>
							<AddressForm
								address={ownShipping}
								onChange={(changes) => setOwnShipping({ ...ownShipping, ...changes })}
							/>
						</SidePanel>
					)}
				</div>
				<div className="order-side">
					<SidePanel title={t('Shipping')}>
						{rates.length === 0 && <p className="quiet">{t('Follows from the items and the address.')}</p>}
						{rates.map(({ package_id, shipping_rates }) => (
							<fieldset key={package_id} className="shipping-rates">
								<legend className="visually-hidden">{t('Way of shipping')}</legend>
								{shipping_rates.map((one) => (
									<label key={one.rate_id} className="check-field">
										<input
											type="radio"
											name={`package-${String(package_id)}`}
											checked={one.selected}
											onChange={() => setRate(one.rate_id)}
										/>
										{one.name} <span className="quiet">{formatMoney(fromMinorUnits(one.price, prices.cart))}</span>
									</label>
								))}
							</fieldset>
						))}
					</SidePanel>
					<SidePanel title={t('What the buyer pays')}>
						<ErrorNotice error={prices.error} />
						<CartTotals cart={prices.cart} current={prices.current} />
					</SidePanel>
					<SidePanel title={t('Order')}>
						<ErrorNotice error={error} />
						<StatusSelect label={t('Status')} value={status} onChange={setStatus} />
						<Field label={t('Way of paying')}>
							{(control) => (
								<select {...control} value={method} onChange={(event) => setMethod(event.target.value)}>
									<option value="">{t('None')}</option>
									{methods.value?.items
										.filter(({ enabled }) => enabled)
										.map(({ id, title }) => (
											<option key={id} value={id}>
												{title || id}
											</option>
										))}
								</select>
							)}
						</Field>
						<Field label={t('Note of the customer')}>
							{(control) => (
								<textarea {...control} rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
							)}
						</Field>
						<div className="form-buttons">
							<button
								type="submit"
								className="button button-primary"
								disabled={sending || lines.length === 0 || !prices.current}
							>
								{sending ? t('Saving …') : t('Make the order')}
							</button>
						</div>
					</SidePanel>
				</div>
			</form>
		</Screen>
	);
}

function withoutEmail(address: Address): Address {
	const { email, ...rest } = address;
	void email;
	return rest;
}

function buildShippingLine(rate: ShippingRate, cart: Parameters<typeof fromMinorUnits>[1]): Record<string, string> {
	return {
		method_id: rate.method_id,
		method_title: rate.name,
		instance_id: String(rate.instance_id),
		total: writeAmount(readAmount(fromMinorUnits(rate.price, cart)), shopDecimals),
	};
}
