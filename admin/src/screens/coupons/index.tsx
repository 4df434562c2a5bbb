import { useMemo } from 'react';

import type { ScreenProps } from '../../app/routes';
import { ListView } from '../../list/list-view';
import { buildCouponCollection } from './collection';
import { CouponForm } from './coupon-form';

/** The coupons of the shop: their list, and the form of one with its trial. */
export default function Coupons({ params }: ScreenProps) {
	const id = params['id'];
	const collection = useMemo(buildCouponCollection, []);
	return id === undefined ? <ListView collection={collection} /> : <CouponForm key={id} id={id} />;
}
