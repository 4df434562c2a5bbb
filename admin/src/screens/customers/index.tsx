import { useMemo } from 'react';

import type { ScreenProps } from '../../app/routes';
import { ListView } from '../../list/list-view';
import { buildCustomerCollection } from './collection';
import { CustomerForm } from './customer-form';

/** The customers of the shop: all of them, or one. */
export default function Customers({ params }: ScreenProps) {
	const collection = useMemo(buildCustomerCollection, []);
	const id = params['id'];
	return id === undefined ? (
		<ListView collection={collection} />
	) : (
		<CustomerForm key={id} collection={collection} id={id} />
	);
}
