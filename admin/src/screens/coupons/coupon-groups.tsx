/** The groups of a coupon's form. */
import { t, tx } from '../../app/i18n';
import { CheckInput, SelectInput, TextInput } from '../../form/inputs';
import { ChosenProducts } from '../catalogue/chosen-products';
import { listStatuses, PRODUCTS } from '../catalogue/product';
import { TermTree } from '../catalogue/terms';
import { listDiscountTypes, type Coupon } from './coupon';

interface GroupProps {
	coupon: Coupon;
	faults: Record<string, string>;
	change: (edits: Partial<Coupon>) => void;
}

/** What it is called and what it takes off. */
export function DiscountGroup({ coupon, faults, change }: GroupProps) {
	return (
		<section className="panel" aria-labelledby="coupon-discount">
			<h2 id="coupon-discount">{t('Discount')}</h2>
			<TextInput
				label={t('Code')}
				help={t('What customers type, in capitals or not.')}
				required
				fault={faults['code']}
				value={coupon.code}
				onChange={(code) => change({ code })}
			/>
			<div className="field-pair">
				<SelectInput
					label={t('Kind')}
					options={listDiscountTypes()}
					fault={faults['discount_type']}
					value={coupon.discount_type}
					onChange={(kind) => change({ discount_type: kind })}
				/>
				<TextInput
					label={t('Amount')}
					inputMode="decimal"
					fault={faults['amount']}
					value={coupon.amount}
					onChange={(amount) => change({ amount })}
				/>
			</div>
			<CheckInput
				label={t('Free shipping')}
				help={t('Where a zone has free shipping that asks for a coupon.')}
				checked={coupon.free_shipping}
				onChange={(checked) => change({ free_shipping: checked })}
			/>
			<div className="field-pair">
				<TextInput
					label={t('Good until')}
					type="date"
					help={t('From the beginning of this day on it is over.')}
					fault={faults['date_expires']}
					value={coupon.date_expires?.slice(0, 10) ?? ''}
					onChange={(day) => change({ date_expires: day ? `${day}T00:00:00` : null })}
				/>
				<SelectInput
					label={t('Status')}
					options={listStatuses()}
					fault={faults['status']}
					value={coupon.status}
					onChange={(status) => change({ status })}
				/>
			</div>
			<TextInput
				label={t('Note')}
				help={t('For you; customers do not see it.')}
				rows={2}
				value={coupon.description}
				onChange={(text) => change({ description: text })}
			/>
		</section>
	);
}

/** For what and for whom it is. */
export function ConditionsGroup({ coupon, faults, change }: GroupProps) {
	const asTerms = (ids: number[]): { id: number }[] => ids.map((id) => ({ id }));
	return (
		<section className="panel" aria-labelledby="coupon-conditions">
			<h2 id="coupon-conditions">{t('Conditions')}</h2>
			<div className="field-pair">
				<TextInput
					label={t('Goods for at least')}
					inputMode="decimal"
					fault={faults['minimum_amount']}
					value={coupon.minimum_amount}
					onChange={(amount) => change({ minimum_amount: amount })}
				/>
				<TextInput
					label={t('Goods for at most')}
					inputMode="decimal"
					fault={faults['maximum_amount']}
					value={coupon.maximum_amount}
					onChange={(amount) => change({ maximum_amount: amount })}
				/>
			</div>
			<CheckInput
				label={t('Not together with other coupons')}
				checked={coupon.individual_use}
				onChange={(checked) => change({ individual_use: checked })}
			/>
			<CheckInput
				label={t('Not for what is on sale')}
				checked={coupon.exclude_sale_items}
				onChange={(checked) => change({ exclude_sale_items: checked })}
			/>
			<ChosenProducts
				label={t('Only these products')}
				ids={coupon.product_ids}
				onChange={(ids) => change({ product_ids: ids })}
			/>
			<ChosenProducts
				label={t('Not these products')}
				ids={coupon.excluded_product_ids}
				onChange={(ids) => change({ excluded_product_ids: ids })}
			/>
			<TermTree
				label={t('Only these categories')}
				path={`${PRODUCTS}/categories`}
				chosen={asTerms(coupon.product_categories)}
				onChange={(chosen) => change({ product_categories: chosen.map((one) => one.id) })}
			/>
			<TermTree
				label={t('Not these categories')}
				path={`${PRODUCTS}/categories`}
				chosen={asTerms(coupon.excluded_product_categories)}
				onChange={(chosen) => change({ excluded_product_categories: chosen.map((one) => one.id) })}
			/>
			<TextInput
				label={t('Only for these e-mail addresses')}
				help={t('One a line; * stands for anything: *@example.org.')}
				rows={2}
				fault={faults['email_restrictions']}
				value={coupon.email_restrictions.join('\n')}
				onChange={(text) => change({ email_restrictions: text === '' ? [] : text.split('\n') })}
			/>
		</section>
	);
}

/** How often it can be used. */
export function LimitsGroup({ coupon, faults, change }: GroupProps) {
	return (
		<section className="panel" aria-labelledby="coupon-limits">
			<h2 id="coupon-limits">{t('Limits')}</h2>
			<div className="field-triple">
				<TextInput
					label={tx('Times in all', 'coupon')}
					type="number"
					fault={faults['usage_limit']}
					value={showLimit(coupon.usage_limit)}
					onChange={(text) => change({ usage_limit: readLimit(text) })}
				/>
				<TextInput
					label={tx('Times a customer', 'coupon')}
					type="number"
					fault={faults['usage_limit_per_user']}
					value={showLimit(coupon.usage_limit_per_user)}
					onChange={(text) => change({ usage_limit_per_user: readLimit(text) })}
				/>
				<TextInput
					label={tx('Pieces a cart', 'coupon')}
					type="number"
					fault={faults['limit_usage_to_x_items']}
					value={showLimit(coupon.limit_usage_to_x_items)}
					onChange={(text) => change({ limit_usage_to_x_items: readLimit(text) })}
				/>
			</div>
			<p className="quiet">{t('Empty: without a limit.')}</p>
		</section>
	);
}

function showLimit(limit: number | null): string {
	return limit ? String(limit) : '';
}

function readLimit(text: string): number | null {
	return text === '' ? null : Math.max(0, Math.trunc(Number(text)));
}
