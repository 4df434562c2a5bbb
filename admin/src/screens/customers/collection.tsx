/** The list of customers. */
import { can } from '../../app/boot';
import { formatAge, parseGmt } from '../../app/formats';
import { t } from '../../app/i18n';
import type { Collection } from '../../list/collection';
import { formatName, type Address } from '../orders/order';

export function buildCustomerCollection(): Collection {
	return {
		name: 'customers',
		path: '/wc/v3/customers',
		title: t('Customers'),
		singular: t('Customer'),
		titleField: 'name',
		columns: ['email', 'place', 'is_paying_customer', 'registered_date'],
		form: ['first_name', 'last_name', 'email', 'username', 'password'],
		fields: {
			name: {
				label: t('Name'),
				enableSorting: true,
				getValue: ({ item }) => formatName(item as Partial<Address>) || String(item['username']),
			},
			place: {
				label: t('Place'),
				render: ({ item }) => {
					const { city, country } = item['billing'] as Address;
					return <>{[city, country].filter(Boolean).join(', ')}</>;
				},
			},
			is_paying_customer: {
				label: t('Has bought'),
				filterBy: false,
				render: ({ item }) => <>{item['is_paying_customer'] === true ? t('Yes') : '–'}</>,
			},
			first_name: { description: '' },
			last_name: { description: '' },
			email: { description: '' },
			registered_date: {
				label: t('Since'),
				enableSorting: true,
				render: ({ item }) => <>{formatAge(parseGmt(String(item['date_created_gmt'])))}</>,
			},
			password: { type: 'password', description: '' },
			username: { readOnly: false, description: '' },
		},
		sort: { field: 'registered_date', direction: 'desc' },
		faultMembers: {
			'registration-error-email-exists': 'email',
			'registration-error-username-exists': 'username',
		},
		getItemPath: (item) => `/customers/${String(item.id)}`,
		canRemove: () => can('delete_users'),
		addPath: can('create_customers') ? '/customers/new' : null,
	};
}
