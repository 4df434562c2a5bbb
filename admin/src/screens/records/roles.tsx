/** The list of roles. */
import { boot } from '../../app/boot';
import { t } from '../../app/i18n';
import type { Collection, Item } from '../../list/collection';
import { LanguageLimits, RoleCapabilities, TypeLimits, TypeNames } from './role-fields';
import { labelRole, ROLES_PATH } from './role-names';
import { buildRoleActions } from './role-removal';

/** Letters of a role's name, as the interface takes it. */
const MAX_NAME_LENGTH = 60;

export function buildRoleCollection(): Collection {
	const origins: Record<string, string> = {
		built_in: t('Every site'),
		profile: t('The profile of this site'),
		stored: t('Somebody here'),
	};
	const describeOrigin = (item: Item): string => {
		const origin = origins[String(item['origin'])] ?? '';
		return item['changed'] ? `${origin}, ${t('changed here')}` : origin;
	};
	const nameLanguage = (code: string): string => boot.languages.find((one) => one.code === code)?.name ?? code;
	return {
		name: 'roles',
		path: ROLES_PATH,
		title: t('Roles'),
		singular: t('Role'),
		titleField: 'label',
		columns: ['accounts', 'types', 'languages', 'origin'],
		form: ['label', 'types', 'languages', 'capabilities'],
		key: 'name',
		fields: {
			label: {
				label: t('Name'),
				render: ({ item }) => <>{labelRole(String(item['name'] as string), String(item['label'] as string))}</>,
			},
			accounts: { label: t('Accounts') },
			origin: { label: t('Comes from'), render: ({ item }) => <>{describeOrigin(item)}</> },
			types: {
				label: t('Only for'),
				Edit: TypeLimits,
				render: ({ item }) => <TypeNames names={item['types'] as string[]} />,
			},
			languages: {
				label: t('Only in'),
				Edit: LanguageLimits,
				render: ({ item }) => <>{(item['languages'] as string[]).map(nameLanguage).join(', ') || t('All languages')}</>,
			},
			capabilities: { label: t('What it allows'), Edit: RoleCapabilities, enableHiding: false },
		},
		hiddenFields: ['name', 'changed', 'editable', 'modified_gmt'],
		faultMembers: { rest_role_exists: 'label' },
		completeNew: (edits) => ({ ...edits, name: buildRoleName(String((edits['label'] as string | undefined) ?? '')) }),
		getItemPath: (item) => (item['editable'] ? `/records/roles/${String(item['name'] as string)}` : null),
		addPath: '/records/roles/new',
		// Removed by actions of their own: accounts get another role, and the profile's roles come back.
		canRemove: () => false,
		actions: buildRoleActions(),
	};
}

/** Return the name that programs know a role by, made of what people call it. */
function buildRoleName(label: string): string {
	const letters = label.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
	const name = letters.replace(/[^a-z0-9]+/g, '_').replace(/^[^a-z]+|_+$/g, '');
	return name.slice(0, MAX_NAME_LENGTH) || 'role';
}
