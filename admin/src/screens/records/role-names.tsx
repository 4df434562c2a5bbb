/** The roles that accounts can have, and what they are called. */
import type { DataFormControlProps } from '@wordpress/dataviews';

import { requestPage } from '../../api/client';
import { useCollection } from '../../api/collections';
import { CheckboxList } from '../../form/checkbox-list';
import type { Item } from '../../list/collection';
import { labelValue } from '../../list/labels';

export const ROLES_PATH = '/access/v1/roles';

/** A role as the interface shows it. */
export interface Role {
	name: string;
	label: string;
	capabilities: string[];
	origin: 'built_in' | 'profile' | 'stored';
	changed: boolean;
	editable: boolean;
	accounts: number;
}

/** Return how a role is called: a built-in one in the person's language, another one as the site calls it. */
export function labelRole(name: string, label?: string): string {
	const builtIn = labelValue(name);
	return label === undefined || label.toLowerCase() === name.replaceAll('_', ' ') ? builtIn : label;
}

/** The roles that there are now; those that were just made are among them. */
export function useRoles(): Role[] {
	return useCollection<Role>(ROLES_PATH).value?.items ?? [];
}

/** Read the roles as the values of a filter. */
export async function loadRoleOptions(): Promise<{ value: string; label: string }[]> {
	const { items } = await requestPage<Role>(ROLES_PATH);
	return items.map(({ name, label }) => ({ value: name, label: labelRole(name, label) }));
}

/** The names of the roles of an account. */
export function RoleNames({ names }: { names: string[] }) {
	const roles = useRoles();
	return <>{names.map((name) => labelRole(name, roles.find((one) => one.name === name)?.label)).join(', ')}</>;
}

/** A box for each role that an account can have. */
export function RoleBoxes(props: DataFormControlProps<Item>) {
	const elements = useRoles().map(({ name, label }) => ({ value: name, label: labelRole(name, label) }));
	return <CheckboxList {...props} field={{ ...props.field, elements }} />;
}
