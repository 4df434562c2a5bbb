import { useMemo, useState } from 'react';

import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { navigate } from '../../app/router';
import { Screen } from '../../app/screen';
import { showDone } from '../../app/toasts';
import { FormButtons } from '../../form/form-buttons';
import { useLeaveWarning } from '../../form/record-form';
import { useEdits } from '../../form/schema-form';
import { Trial } from '../catalogue/trial';
import { buildCouponBody, COUPONS, listCouponFaults, NEW_COUPON, type Coupon } from './coupon';
import { ConditionsGroup, DiscountGroup, LimitsGroup } from './coupon-groups';

/** The form of a coupon, and what it would take off. id: `new` for one that is not there yet. */
export function CouponForm({ id }: { id: string }) {
	const isNew = id === 'new';
	const path = `${COUPONS}/${id}`;
	const { value, error: missing } = useResource<Coupon>(isNew ? null : path);
	const stored = isNew ? NEW_COUPON : value;
	const start = useMemo(() => stored, [stored]);
	const { item, edits, change, clear } = useEdits(start);
	const coupon = item as Coupon | undefined;
	const [error, setError] = useState<unknown>(null);
	const [saving, setSaving] = useState(false);
	const isChanged = Object.keys(edits).length > 0;
	useLeaveWarning(isChanged && !saving);
	const faults = listCouponFaults(coupon, error);

	const save = async (): Promise<void> => {
		setSaving(true);
		try {
			const body = buildCouponBody(edits as Partial<Coupon>);
			const saved = await request<Coupon>(isNew ? COUPONS : path, {
				method: 'POST',
				body: isNew ? { discount_type: NEW_COUPON.discount_type, ...body } : body,
			});
			setError(null);
			clear();
			showDone(t('The coupon is saved.'));
			if (isNew) {
				window.setTimeout(() => navigate(`/coupons/${String(saved.id)}`, { replace: true }));
			}
		} catch (problem) {
			setError(problem);
		} finally {
			setSaving(false);
		}
	};
	const group = coupon && {
		coupon,
		faults,
		change: (next: Partial<Coupon>): void => {
			setError(null);
			change(next);
		},
	};
	return (
		<Screen
			title={isNew ? t('New coupon') : (stored?.code ?? t('Coupon'))}
			actions={
				<button type="button" className="button" onClick={() => navigate('/coupons')}>
					{t('Back to the list')}
				</button>
			}
		>
			<ErrorNotice error={missing} />
			<ErrorNotice error={error} />
			{group && (
				<div className="coupon-screen">
					<form
						className="settings-form"
						onSubmit={(event) => {
							event.preventDefault();
							void save();
						}}
					>
						<DiscountGroup {...group} />
						<ConditionsGroup {...group} />
						<LimitsGroup {...group} />
						<FormButtons
							changed={isChanged}
							saving={saving}
							label={t('Save the coupon')}
							ready={isChanged && Object.values(listCouponFaults(coupon, null)).length === 0}
							sticky
						/>
					</form>
					{isNew ? (
						<p className="panel quiet">{t('A coupon can be tried when it is saved.')}</p>
					) : (
						<Trial
							title={t('Try it')}
							help={t(
								'Computed as for a buyer, with the coupon as it is saved; what is changed and not saved yet does not count. Nothing is ordered.',
							)}
							coupon={stored?.code ?? ''}
						/>
					)}
				</div>
			)}
		</Screen>
	);
}
