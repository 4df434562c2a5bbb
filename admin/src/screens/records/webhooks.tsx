/** The lists of webhooks: those for content, and those of the shop. */
import type { DataFormControlProps } from '@wordpress/dataviews';
import { useState } from 'react';

import { useResource } from '../../api/collections';
import { sprintf, t, tx } from '../../app/i18n';
import type { Collection, Item } from '../../list/collection';

export const WEBHOOKS_PATH = '/wp/v2/webhooks';

export function buildWebhookCollection(): Collection {
	return {
		...describeCommon(),
		name: 'webhooks',
		path: WEBHOOKS_PATH,
		title: t('Webhooks'),
		columns: ['status', 'topics', 'failures', 'reason'],
		form: ['name', 'status', 'topics', 'delivery_url', 'secret'],
		fields: {
			...describeFields(),
			topics: {
				label: t('What it is told of'),
				filterBy: false,
				enableSorting: false,
				Edit: TopicsEdit,
				render: ({ item }) => <>{(item['topics'] as string[]).join(', ')}</>,
			},
			failures: { label: t('Failures in a row') },
			reason: { label: t('Why it is told no longer') },
		},
		hiddenFields: ['author'],
		getItemPath: (item) => `/records/webhooks/${String(item.id)}`,
		addPath: '/records/webhooks/new',
	};
}

export function buildShopWebhookCollection(): Collection {
	return {
		...describeCommon(),
		name: 'shop-webhooks',
		path: '/wc/v3/webhooks',
		title: t('Webhooks of the shop'),
		columns: ['status', 'topic', 'delivery_url'],
		form: ['name', 'status', 'topic', 'delivery_url', 'secret'],
		fields: {
			...describeFields(),
			topic: {
				label: t('What it is told of'),
				description: t('A thing of the shop, and what happens to it.'),
				Edit: ShopTopicEdit,
			},
			// The shop's schema calls it read-only, as the interface does; its writes take it.
			delivery_url: { id: 'delivery_url', label: t('Address'), type: 'text', readOnly: false },
		},
		hiddenFields: ['resource', 'event', 'hooks'],
		getItemPath: (item) => `/records/shop-webhooks/${String(item.id)}`,
		addPath: '/records/shop-webhooks/new',
	};
}

function describeCommon() {
	return { singular: t('Webhook'), titleField: 'name' };
}

function describeFields(): NonNullable<Collection['fields']> {
	return {
		name: { label: t('Name'), getValue: ({ item }) => item['name'] || item['delivery_url'] },
		status: {
			label: t('Status'),
			elements: listStatuses(),
			render: ({ item }) => <>{listStatuses().find((one) => one.value === item['status'])?.label}</>,
		},
		delivery_url: { label: t('Address') },
		secret: {
			id: 'secret',
			label: t('Secret'),
			type: 'text',
			readOnly: false,
			description: t('What messages are signed with. It is never shown again; leave it empty to keep it.'),
			Edit: SecretEdit,
		},
	};
}

function listStatuses() {
	return [
		{ value: 'active', label: tx('Told', 'webhook') },
		{ value: 'paused', label: tx('Paused', 'webhook') },
		{ value: 'disabled', label: tx('Told no longer', 'webhook') },
	];
}

/** A secret can be written, never read. */
function SecretEdit({ data, field, onChange }: DataFormControlProps<Item>) {
	return (
		<label className="field">
			<span>{field.label}</span>
			<input
				className="input"
				type="password"
				autoComplete="new-password"
				value={String((data['secret'] as string | undefined) ?? '')}
				onChange={(event) => onChange({ secret: event.target.value })}
			/>
			<span className="field-help">{field.description}</span>
		</label>
	);
}

/** What a webhook of the shop can be told of. */
const SHOP_TOPICS = ['coupon', 'customer', 'order', 'product'].flatMap((thing) =>
	['created', 'updated', 'deleted', ...(thing === 'customer' ? [] : ['restored'])].map((event) => `${thing}.${event}`),
);

/** The topic of a webhook of the shop; one that another program wrote stays among the choices. */
function ShopTopicEdit({ data, field, onChange }: DataFormControlProps<Item>) {
	const topic = (data['topic'] as string | undefined) ?? '';
	const topics = topic && !SHOP_TOPICS.includes(topic) ? [topic, ...SHOP_TOPICS] : SHOP_TOPICS;
	return (
		<label className="field">
			<span>{field.label}</span>
			<select className="input" required value={topic} onChange={(event) => onChange({ topic: event.target.value })}>
				<option value="">{t('Choose …')}</option>
				{topics.map((one) => (
					<option key={one}>{one}</option>
				))}
			</select>
			<span className="field-help">{field.description}</span>
		</label>
	);
}

/** The topics of a webhook, chosen among those that the site has. */
function TopicsEdit({ data, field, onChange }: DataFormControlProps<Item>) {
	const { value: known } = useResource<string[]>(`${WEBHOOKS_PATH}/topics`);
	const [next, setNext] = useState('');
	const chosen = (data['topics'] as string[] | undefined) ?? [];
	const add = (topic: string): void => {
		setNext('');
		if (topic && !chosen.includes(topic)) {
			onChange({ topics: [...chosen, topic] });
		}
	};
	return (
		<fieldset className="topics">
			<legend>{field.label}</legend>
			<ul className="plain-list">
				{chosen.map((topic) => (
					<li key={topic}>
						<code>{topic}</code>
						<button
							type="button"
							className="button button-small"
							aria-label={sprintf(t('Remove %s'), topic)}
							onClick={() => onChange({ topics: chosen.filter((one) => one !== topic) })}
						>
							×
						</button>
					</li>
				))}
			</ul>
			<label className="field">
				<span>{t('Add a topic')}</span>
				<select className="input" value={next} onChange={(event) => add(event.target.value)}>
					<option value="">{t('Choose …')}</option>
					{(known ?? [])
						.filter((topic) => !chosen.includes(topic))
						.map((topic) => (
							<option key={topic}>{topic}</option>
						))}
				</select>
			</label>
		</fieldset>
	);
}
