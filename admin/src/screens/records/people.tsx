/** The list of accounts. */
import { boot, can } from '../../app/boot';
import { t } from '../../app/i18n';
import type { Collection } from '../../list/collection';
import { loadRoleOptions, RoleBoxes, RoleNames } from './role-names';

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
				getElements: loadRoleOptions,
				Edit: RoleBoxes,
				filterBy: { operators: ['isAny'] },
				render: ({ item }) => <RoleNames names={item['roles'] as string[]} />,
			},
			name: { label: t('Name that is shown') },
			username: { description: t('To sign in with; it does not change.') },
			password: {
				type: 'password',
				description: t('Long ones are good ones. Left empty, the password of an account stays as it is.'),
			},
			url: { type: 'text' },
			description: { label: t('About the person') },
		},
		faultMembers: { existing_user_login: 'username', existing_user_email: 'email' },
		sort: { field: 'name', direction: 'asc' },
		getItemPath: (item) => (can('edit_users') ? `/records/users/${String(item.id)}` : null),
		addPath: can('create_users') ? '/records/users/new' : null,
		// What they wrote goes to the person who removes them.
		removeQuery: { reassign: boot.user.id },
	};
}
