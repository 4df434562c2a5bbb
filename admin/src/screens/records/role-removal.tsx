/** Removing a role, with what becomes of the accounts that have it. */
import type { Action } from '@wordpress/dataviews';
import { useState } from 'react';

import { request } from '../../api/client';
import { sprintf, t, tn } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { SelectInput } from '../../form/inputs';
import type { Item } from '../../list/collection';
import { labelRole, ROLES_PATH, useRoles, type Role } from './role-names';

export function buildRoleActions(): Action<Item>[] {
	return [
		{
			id: 'remove-role',
			label: t('Remove'),
			isEligible: (item) => Boolean(item['editable']) && item['origin'] === 'stored',
			RenderModal: ({ items, closeModal }) => (
				<RoleRemoval role={items[0] as unknown as Role} onClose={() => closeModal?.()} />
			),
		},
		{
			id: 'reset-role',
			label: t('As it was at first'),
			isEligible: (item) => Boolean(item['editable'] && item['changed']),
			RenderModal: ({ items, closeModal }) => (
				<RoleRemoval role={items[0] as unknown as Role} onClose={() => closeModal?.()} />
			),
		},
	];
}

function RoleRemoval({ role, onClose }: { role: Role; onClose: () => void }) {
	const others = useRoles().filter((one) => one.name !== role.name);
	const [instead, setInstead] = useState('');
	const leaves = role.origin === 'stored';
	const asks = leaves && role.accounts > 0;
	const remove = async (): Promise<void> => {
		try {
			await request(`${ROLES_PATH}/${role.name}`, { method: 'DELETE', query: { reassign: instead } });
			showDone(leaves ? t('The role is removed.') : t('The role is as it was at first.'));
			onClose();
		} catch (problem) {
			showError(problem);
		}
	};
	return (
		<form
			className="confirm"
			onSubmit={(event) => {
				event.preventDefault();
				void remove();
			}}
		>
			<p>
				{leaves
					? sprintf(t('Remove the role “%s”?'), labelRole(role.name, role.label))
					: t('The role allows again what it allowed before anybody here changed it.')}
			</p>
			{asks && (
				<SelectInput
					label={t('Role that its accounts get instead')}
					help={sprintf(tn('%d account has it.', '%d accounts have it.', role.accounts), role.accounts)}
					value={instead}
					options={[
						{ value: '', label: t('Choose a role …') },
						...others.map(({ name, label }) => ({ value: name, label: labelRole(name, label) })),
					]}
					onChange={setInstead}
				/>
			)}
			<div className="confirm-buttons">
				<button type="button" className="button" onClick={onClose}>
					{t('Cancel')}
				</button>
				<button type="submit" className="button button-danger" disabled={asks && !instead}>
					{leaves ? t('Remove') : t('As it was at first')}
				</button>
			</div>
		</form>
	);
}
