/** The list of accounts. */
import type { Option } from '@wordpress/dataviews';

import { boot, can } from '../../app/boot';
import { t } from '../../app/i18n';
import { CheckboxList } from '../../form/checkbox-list';
import type { Collection } from '../../list/collection';
import { labelValue } from '../../list/labels';

/** Return the roles that a person can be given. */
export function listRoles(): Option[] {
	return boot.roles.map(({ name, label }) => ({ value: name, label: labelRole(name, label) }));
}

/** Return how a role is called: a built-in one in the person's language, another one as the site calls it. */
function labelRole(name: string, label = boot.roles.find((one) => one.name === name)?.label): string {
	const builtIn = labelValue(name);
	return label === undefined || label.toLowerCase() === name.replaceAll('_', ' ') ? builtIn : label;
}

export function buildPeopleCollection(): Collection {
	const roles = can('promote_users') ? ['roles'] : [];
	return {
		name: 'users',
		path: '/wp/v2/users',
		title: t('People'),
		singular: t('Person'),
		titleField: 'name',
		columns: ['username', 'email', ...roles, 'registered_date'],
		form: [
			'username',
			'email',
			'password',
			'name',
			'first_name',
			'last_name',
			...roles,
			'locale',
			'url',
			'description',
		],
		query: { context: 'edit', _fields: 'id,name,username,email,roles,registered_date,link' },
		fields: {
			roles: {
				type: 'array',
				elements: listRoles(),
				Edit: CheckboxList,
				filterBy: { operators: ['isAny'] },
				render: ({ item }) => <>{(item['roles'] as string[]).map((name) => labelRole(name)).join(', ')}</>,
			},
			password: { type: 'password' },
		},
		faultMembers: { existing_user_login: 'username', existing_user_email: 'email' },
		sort: { field: 'name', direction: 'asc' },
		getItemPath: (item) => (can('edit_users') ? `/records/users/${String(item.id)}` : null),
		addPath: can('create_users') ? '/records/users/new' : null,
		// What they wrote goes to the person who removes them.
		removeQuery: { reassign: boot.user.id },
	};
}
