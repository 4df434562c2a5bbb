/** The controls of a role: what it is limited to, and what it allows. */
import type { DataFormControlProps } from '@wordpress/dataviews';

import { useResource } from '../../api/collections';
import { boot } from '../../app/boot';
import { useContentTypes } from '../../app/content-types';
import { t } from '../../app/i18n';
import { CheckboxList } from '../../form/checkbox-list';
import { SelectInput } from '../../form/inputs';
import type { Item } from '../../list/collection';
import { labelValue } from '../../list/labels';
import { groupCapabilities, type Capability, type CapabilityGroup } from './capability-groups';
import { labelRole, useRoles } from './role-names';

type Props = DataFormControlProps<Item>;

const NOTHING: Capability[] = [];
/** Their own names, by those that roles know them by. */
const RENAMED: Record<string, string> = { cms_block: 'wp_block' };

function useCapabilities(): Capability[] {
	return useResource<Capability[]>('/access/v1/capabilities').value ?? NOTHING;
}

function useTypeLabel(): (name: string) => string {
	const types = useContentTypes();
	return (name) => {
		const found = types?.find((one) => one.slug === (RENAMED[name] ?? name));
		return found ? (found.labels['name'] ?? found.name) : labelValue(name);
	};
}

/** The content types that a role is limited to. */
export function TypeNames({ names }: { names: string[] }) {
	const label = useTypeLabel();
	return <>{names.map(label).join(', ') || t('All content')}</>;
}

export function TypeLimits(props: Props) {
	const label = useTypeLabel();
	const limitable = useCapabilities().filter((one) => one.name === 'edit_posts' || one.name === 'edit_pages');
	const elements = limitable.flatMap((one) => one.types).map((value) => ({ value, label: label(value) }));
	return (
		<div>
			<CheckboxList {...props} field={{ ...props.field, elements }} />
			<p className="field-help">{t('Without a choice, it counts for everything that is written here.')}</p>
		</div>
	);
}

export function LanguageLimits(props: Props) {
	const elements = boot.languages.map(({ code, name }) => ({ value: code, label: name }));
	return (
		<div>
			<CheckboxList {...props} field={{ ...props.field, elements }} />
			<p className="field-help">
				{t('Without a choice, it counts in every language. A translator of Italian writes in Italian alone.')}
			</p>
		</div>
	);
}

function listNames(item: Item, member: string): string[] {
	return (item[member] ?? []) as string[];
}

/** Everything that a role can allow, in groups; what the person may not give, or limits leave no room for, is greyed. */
export function RoleCapabilities({ data, field, onChange }: Props) {
	const all = useCapabilities();
	const roles = useRoles();
	const given = listNames(data, 'capabilities');
	const limited = listNames(data, 'types').length > 0 || listNames(data, 'languages').length > 0;
	const change = (value: string[]): void => onChange(field.setValue({ item: data, value }) as Partial<Item>);
	const mayGive = (one: Capability): boolean => one.yours && (!limited || one.limitable);
	const begin = (name: string): void => {
		const base = roles.find((one) => one.name === name)?.capabilities ?? [];
		change(all.filter((one) => base.includes(one.name) && mayGive(one)).map((one) => one.name));
	};
	const stuck = all.filter((one) => given.includes(one.name) && limited && !one.limitable);
	return (
		<div className="role-capabilities">
			<h2>{field.label}</h2>
			<SelectInput
				label={t('Begin with what another role allows')}
				help={t('Sets the boxes below; change them as you like. What you may not do yourself is left out.')}
				value=""
				options={[
					{ value: '', label: t('Choose a role …') },
					...roles.map(({ name, label }) => ({ value: name, label: labelRole(name, label) })),
				]}
				onChange={begin}
			/>
			{limited && (
				<p className="field-help">
					{t('A role for some content or languages can only allow what is about content; the rest is greyed.')}
				</p>
			)}
			{stuck.length > 0 && (
				<button
					type="button"
					className="button"
					onClick={() => change(given.filter((name) => !stuck.some((one) => one.name === name)))}
				>
					{t('Take away what cannot be limited')}
				</button>
			)}
			{groupCapabilities(all).map((group) => (
				<CapabilityBoxes key={group.label} group={group} given={given} mayGive={mayGive} onChange={change} />
			))}
		</div>
	);
}

interface BoxesProps {
	group: CapabilityGroup;
	given: string[];
	mayGive: (one: Capability) => boolean;
	onChange: (given: string[]) => void;
}

function CapabilityBoxes({ group, given, mayGive, onChange }: BoxesProps) {
	const label = useTypeLabel();
	return (
		<fieldset className="checkbox-list">
			<legend>{group.label}</legend>
			{group.types.length > 1 && <p className="field-help">{group.types.map(label).join(', ')}</p>}
			{group.items.map((one) => {
				const isGiven = given.includes(one.name);
				return (
					<label key={one.name} title={one.name}>
						<input
							type="checkbox"
							checked={isGiven}
							disabled={!mayGive(one) && !isGiven}
							onChange={() => onChange(isGiven ? given.filter((name) => name !== one.name) : [...given, one.name])}
						/>
						{one.label}
					</label>
				);
			})}
		</fieldset>
	);
}
