import { useState } from 'react';
import { flushSync } from 'react-dom';

import { request } from '../../api/client';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { navigate } from '../../app/router';
import { Screen } from '../../app/screen';
import { showDone } from '../../app/toasts';
import { ConflictNotice } from '../../form/conflict-notice';
import { FormButtons } from '../../form/form-buttons';
import { useGuardedRecord } from '../../form/guarded-record';
import { useLeaveWarning } from '../../form/record-form';
import { useEdits } from '../../form/schema-form';
import { Trial } from '../catalogue/trial';
import { buildCouponBody, COUPONS, listCouponFaults, NEW_COUPON, type Coupon } from './coupon';
import { ConditionsGroup, DiscountGroup, LimitsGroup } from './coupon-groups';

/** The form of a coupon, and what it would take off. id: `new` for one that is not there yet. */
export function CouponForm({ id }: { id: string }) {
	const isNew = id === 'new';
	const path = `${COUPONS}/${id}`;
	const guarded = useGuardedRecord<Coupon>(isNew ? null : path);
	const stored = isNew ? NEW_COUPON : guarded.record;
	const { item, edits, change, clear } = useEdits(stored);
	const coupon = item as Coupon | undefined;
	const [error, setError] = useState<unknown>(null);
	const [making, setMaking] = useState(false);
	const saving = making || guarded.saving;
	const isChanged = Object.keys(edits).length > 0;
	const isOutdated = guarded.findConflict(isChanged && !isNew);
	useLeaveWarning(isChanged && !saving);
	const faults = listCouponFaults(coupon, error);

	const save = async (overwrite = false): Promise<void> => {
		setMaking(isNew);
		try {
			const body = buildCouponBody(edits as Partial<Coupon>);
			const saved = isNew
				? await request<Coupon>(COUPONS, {
						method: 'POST',
						body: { discount_type: NEW_COUPON.discount_type, ...body },
					})
				: await guarded.save(body, overwrite);
			setError(null);
			if (!saved) {
				return;
			}
			flushSync(clear);
			showDone(t('The coupon is saved.'));
			if (isNew) {
				navigate(`/coupons/${String(saved.id)}`, { replace: true });
			}
		} catch (problem) {
			setError(problem);
		} finally {
			setMaking(false);
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
			<ErrorNotice error={guarded.missing} />
			<ErrorNotice error={error} />
			{isOutdated && (
				<ConflictNotice
					savedGmt={stored?.date_modified_gmt}
					saving={saving}
					onTakeTheirs={() => {
						clear();
						guarded.takeTheirs();
					}}
					onKeepMine={() => void save(true)}
				/>
			)}
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
							ready={!isOutdated && isChanged && Object.values(listCouponFaults(coupon, null)).length === 0}
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
