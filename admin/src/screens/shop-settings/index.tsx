import { useMemo, useState } from 'react';

import { IN_OWN_LANGUAGE, request } from '../../api/client';
import { useResource } from '../../api/collections';
import { ApiError } from '../../api/errors';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import type { ScreenProps } from '../../app/routes';
import { Screen } from '../../app/screen';
import { showDone } from '../../app/toasts';
import { FormButtons } from '../../form/form-buttons';
import { useLeaveWarning } from '../../form/record-form';
import { dropSaved } from '../../form/schema-form';
import { DeclaredField, type DeclaredSetting } from '../catalogue/declared-field';
import { labelGroup } from './group-labels';
import { PaymentGateways } from './payment-gateways';

interface SettingsGroup {
	id: string;
	label: string;
	description: string;
	parent_id: string;
	sub_groups: string[];
}

const SETTINGS = '/wc/v3/settings';
/** The group whose settings are those of the ways of paying. */
const PAYMENTS = 'checkout';
/** Groups without settings of their own, or for programs. */
const LEFT_OUT = new Set(['wc_admin', 'integration']);

/** The settings of the shop: a group a screen, made from what the interface declares. */
export default function ShopSettings({ params }: ScreenProps) {
	const name = params['group'] ?? 'general';
	const { value: groups, error } = useResource<SettingsGroup[]>(SETTINGS, IN_OWN_LANGUAGE);
	const current = groups?.find((one) => one.id === name);
	const shown = (groups ?? []).filter((one) => one.parent_id === '' && !LEFT_OUT.has(one.id));
	const parent = current?.parent_id ? groups?.find((one) => one.id === current.parent_id) : current;
	const below = (groups ?? []).filter((one) => one.parent_id !== '' && one.parent_id === parent?.id);
	return (
		<Screen title={t('Settings of the shop')}>
			<ErrorNotice error={error} />
			<div className="view-tabs">
				<nav aria-label={t('Groups of settings')}>
					{shown.map((one) => (
						<Link
							key={one.id}
							className="tab-link"
							aria-current={one.id === parent?.id ? 'page' : undefined}
							to={`/shop-settings/${one.id}`}
						>
							{labelGroup(one.id, one.label)}
						</Link>
					))}
				</nav>
			</div>
			{below.length > 0 && (
				<nav className="panel options-pages" aria-label={t('Parts of this group')}>
					{below.map((one) => (
						<Link
							key={one.id}
							className="button"
							aria-current={one.id === name ? 'page' : undefined}
							to={`/shop-settings/${one.id}`}
						>
							{labelGroup(one.id, one.label)}
						</Link>
					))}
				</nav>
			)}
			{groups && !current && <p>{t('There is no such group of settings.')}</p>}
			{current && name === PAYMENTS && <PaymentGateways />}
			{current && name !== PAYMENTS && (
				<GroupForm key={name} name={name} title={labelGroup(current.id, current.label)} />
			)}
		</Screen>
	);
}

function GroupForm({ name, title }: { name: string; title: string }) {
	const path = `${SETTINGS}/${name}`;
	const { value: settings, error: missing } = useResource<DeclaredSetting[]>(path, IN_OWN_LANGUAGE);
	const [edits, setEdits] = useState<Record<string, unknown>>({});
	const [faults, setFaults] = useState<Record<string, string>>({});
	const [error, setError] = useState<unknown>(null);
	const [saving, setSaving] = useState(false);
	const isChanged = Object.keys(edits).length > 0;
	useLeaveWarning(isChanged && !saving);
	const known = useMemo(() => settings ?? [], [settings]);

	const save = async (): Promise<void> => {
		setSaving(true);
		try {
			const { update } = await request<{ update: { id: string; error?: { code: string; message: string } }[] }>(
				`${path}/batch`,
				{ method: 'POST', body: { update: Object.entries(edits).map(([id, value]) => ({ id, value })) } },
			);
			const refused = update.filter((one) => one.error);
			setFaults(Object.fromEntries(refused.map((one) => [one.id, one.error?.message ?? ''])));
			const names = new Set(refused.map(({ id }) => id));
			const saved = Object.fromEntries(Object.entries(edits).filter(([id]) => !names.has(id)));
			setEdits((now) => dropSaved(now, saved));
			setError(refused.length ? new ApiError('', t('Some settings were refused; each says why.'), 400) : null);
			if (!refused.length) {
				showDone(t('The settings are saved.'));
			}
		} catch (problem) {
			setError(problem);
		} finally {
			setSaving(false);
		}
	};
	return (
		<form
			className="settings-form"
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			<ErrorNotice error={missing} />
			<ErrorNotice error={error} />
			<section className="panel" aria-labelledby="settings-group">
				<h2 id="settings-group">{title}</h2>
				{settings?.length === 0 && <p className="quiet">{t('There is nothing to set here.')}</p>}
				{known.map((one) => (
					<DeclaredField
						key={one.id}
						setting={one}
						value={one.id in edits ? edits[one.id] : one.value}
						fault={faults[one.id]}
						onChange={(value) => {
							setEdits((before) => ({ ...before, [one.id]: value }));
							setFaults(Object.fromEntries(Object.entries(faults).filter(([id]) => id !== one.id)));
						}}
					/>
				))}
			</section>
			<FormButtons changed={isChanged} saving={saving} label={t('Save the settings')} sticky />
		</form>
	);
}
