/** The list of the audit trail. */
import { formatAge, formatTime, parseGmt } from '../../app/formats';
import { t } from '../../app/i18n';
import type { Collection, Item } from '../../list/collection';
import { EntryDetails } from './details';
import {
	AUDIT_PATH,
	describeAction,
	describeChange,
	describeItem,
	describeKind,
	describeSource,
	describeWho,
	listActions,
	listKinds,
	listSources,
	type AuditEntry,
} from './entry';

export function buildAuditCollection(): Collection {
	return {
		name: 'audit',
		path: AUDIT_PATH,
		title: t('Audit trail'),
		singular: t('Entry'),
		titleField: 'item',
		columns: ['action', 'login', 'address', 'changes', 'date_gmt'],
		sort: { field: 'date_gmt', direction: 'desc' },
		orderNames: { date_gmt: 'date' },
		filterQueries: {
			date_gmt: (value, operator) => ({ [operator]: `${new Date(String(value)).toISOString().slice(0, 19)}Z` }),
		},
		presets: [
			{ name: 'all', label: t('All'), query: {} },
			{ name: 'accounts', label: t('Accounts and rights'), query: { kind: ['user', 'role'] } },
			{
				name: 'sign-ins',
				label: t('Sign-ins and keys'),
				query: { kind: ['session', 'app_password', 'second_factor', 'passkey', 'identity', 'shop_key'] },
			},
			{ name: 'settings', label: t('Settings'), query: { kind: ['option', 'webhook', 'theme'] } },
			{ name: 'removals', label: t('Removals'), query: { action: ['removed', 'trashed'] } },
		],
		fields: {
			item: {
				label: t('What'),
				enableSorting: false,
				filterBy: false,
				render: ({ item }) => <>{describeItem(asEntry(item))}</>,
			},
			action: {
				label: t('What was done'),
				enableSorting: false,
				elements: listActions(),
				filterBy: { operators: ['isAny'], isPrimary: true },
				render: ({ item }) => <>{describeAction(asEntry(item).action)}</>,
			},
			kind: {
				label: t('Kind'),
				enableSorting: false,
				elements: listKinds(),
				filterBy: { operators: ['isAny'], isPrimary: true },
				render: ({ item }) => <>{describeKind(asEntry(item).kind)}</>,
			},
			source: {
				label: t('How'),
				enableSorting: false,
				elements: listSources(),
				filterBy: { operators: ['isAny'] },
				render: ({ item }) => <>{describeSource(asEntry(item).source)}</>,
			},
			login: {
				label: t('Who'),
				enableSorting: false,
				filterBy: false,
				render: ({ item }) => <>{describeWho(asEntry(item))}</>,
			},
			address: { label: t('From where'), enableSorting: false, filterBy: false },
			changes: {
				label: t('What changed'),
				enableSorting: false,
				filterBy: false,
				render: ({ item }) => <>{asEntry(item).changes.map(describeChange).join('; ')}</>,
			},
			date_gmt: {
				label: t('When'),
				filterBy: { operators: ['after', 'before'] },
				render: ({ item }) => <Moment text={asEntry(item).date_gmt} />,
			},
		},
		hiddenFields: ['account', 'title', 'credential', 'agent'],
		actions: [
			{
				id: 'show',
				label: t('Show everything'),
				isPrimary: true,
				modalHeader: t('Entry of the audit trail'),
				RenderModal: ({ items }) => (items[0] ? <EntryDetails entry={asEntry(items[0])} /> : <></>),
			},
		],
		canRemove: () => false,
		getItemPath: () => null,
		addPath: null,
	};
}

function asEntry(item: Item): AuditEntry {
	return item as unknown as AuditEntry;
}

function Moment({ text }: { text: string }) {
	return (
		<time dateTime={`${text}Z`} title={formatTime(parseGmt(text))}>
			{formatAge(parseGmt(text))}
		</time>
	);
}
