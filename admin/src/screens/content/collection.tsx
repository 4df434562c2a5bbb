/** What the list of a content type shows and does. */
import type { Action, Field } from '@wordpress/dataviews';

import { boot, canFor, defaultLanguage, isMultilingual, managesTranslation } from '../../app/boot';
import { getCollectionPath, type ContentType, type Taxonomy } from '../../app/content-types';
import { sprintf, t, tn, tx } from '../../app/i18n';
import { Link } from '../../app/link';
import { navigate, withContentLanguage } from '../../app/router';
import { showDone, showError } from '../../app/toasts';
import { sendBatch } from '../../list/batches';
import { readText, type Collection, type Item, type PresetView, type Relation } from '../../list/collection';
import { duplicateRecord } from '../../list/duplicates';
import { labelValue } from '../../list/labels';
import { QuickEdit } from './quick-edit';
import { describeSending } from './send-to-translation';

const LIST_MEMBERS = [
	'id',
	'title',
	'status',
	'date',
	'date_gmt',
	'modified',
	'modified_gmt',
	'author',
	'link',
	'lang',
	'translations',
	'sticky',
	'password',
	'slug',
	'parent',
	'menu_order',
	'featured_media',
	'format',
	'template',
	'comment_status',
	'_links',
	'_embedded',
];
/** What a record can be; the interface declares further ones, for what is no content. */
const STATUSES = ['publish', 'future', 'draft', 'pending', 'private'];

interface Translation {
	id: number;
	status: string;
}

export function buildContentCollection(type: ContentType, taxonomies: Taxonomy[]): Collection {
	const own = taxonomies.filter((one) => one.types.includes(type.slug));
	const path = getCollectionPath(type);
	const publishes = canFor(type.slug, type.capabilities['publish_posts'] ?? '');
	const collection: Collection = {
		name: type.slug,
		path,
		title: type.labels['name'] ?? type.name,
		singular: type.labels['singular_name'] ?? type.name,
		titleField: 'title',
		columns: [
			'status',
			...(isMultilingual ? ['translations'] : []),
			...('author' in type.supports ? ['author'] : []),
			...own.slice(0, 2).map((one) => one.rest_base),
			'date',
		],
		query: {
			context: 'edit',
			_fields: [...LIST_MEMBERS, ...own.map((one) => one.rest_base)].join(','),
			_embed: 'author,wp:term',
		},
		presets: listPresets(type),
		relations: {
			author: {
				path: '/wp/v2/users',
				label: 'name',
				query: { who: 'authors' },
				required: true,
				embedded: 'author',
			},
			...(type.hierarchical ? { parent: { path, label: 'title', query: { status: 'any' } } } : {}),
			...Object.fromEntries(
				own.map((one): [string, Relation] => [
					one.rest_base,
					{ path: getCollectionPath(one), label: 'name', embedded: 'wp:term' },
				]),
			),
		},
		fields: {
			title: { render: ({ item }) => <TitleCell item={item} />, enableHiding: false },
			status: { elements: STATUSES.map((value) => ({ value, label: labelValue(value) })) },
			...(isMultilingual ? { translations: describeTranslations(type) } : {}),
		},
		sort: type.hierarchical ? { field: 'title', direction: 'asc' } : { field: 'date', direction: 'desc' },
		multilingual: true,
		getItemPath: (item) => `/content/${type.slug}/${String(item.id)}`,
		addPath: canFor(type.slug, type.capabilities['create_posts'] ?? '') ? `/content/${type.slug}/new` : null,
		hasTrash: true,
	};
	collection.actions = [
		{
			id: 'quick-edit',
			label: t('Quick edit'),
			isEligible: (item) => item['status'] !== 'trash',
			RenderModal: ({ items, closeModal }) => (
				<QuickEdit collection={collection} items={items} onClose={() => closeModal?.()} />
			),
			supportsBulk: true,
		},
		describeDuplicate(collection, type, taxonomies),
		...(isMultilingual && managesTranslation() ? [describeSending(type)] : []),
		...(publishes ? [describePublish(collection)] : []),
	];
	return collection;
}

function listPresets(type: ContentType): PresetView[] {
	return [
		{ name: 'all', label: tx('All', 'records'), query: { status: 'any' } },
		{ name: 'published', label: tx('Published', 'records'), query: { status: 'publish' } },
		{ name: 'drafts', label: tx('Drafts', 'records'), query: { status: ['draft', 'pending'] } },
		{ name: 'scheduled', label: tx('Scheduled', 'records'), query: { status: 'future' } },
		...('author' in type.supports
			? [{ name: 'mine', label: tx('Mine', 'records'), query: { status: 'any', author: [boot.user.id] } }]
			: []),
		{ name: 'trash', label: tx('Trash', 'records'), query: { status: 'trash' }, empty: t('The trash is empty.') },
	];
}

function TitleCell({ item }: { item: Item }) {
	const title = readText(item['title']) || t('(no title)');
	const notes = [
		...(item['sticky'] === true ? [t('Stays on top')] : []),
		...(item['password'] ? [t('Has a password')] : []),
	];
	return (
		<span className="title-cell">
			{title}
			{notes.length > 0 && <span className="quiet"> — {notes.join(', ')}</span>}
		</span>
	);
}

/** The column of the languages: where a translation stands, and how to begin one that is missing. */
function describeTranslations(type: ContentType): Partial<Field<Item>> {
	return {
		label: t('Languages'),
		type: 'text',
		enableSorting: false,
		filterBy: false,
		render: ({ item }) => {
			if (typeof item['lang'] !== 'string') {
				return null;
			}
			const known = (item['translations'] ?? {}) as Record<string, Translation>;
			return (
				<span className="translations-cell">
					{boot.languages
						.filter(({ code }) => code !== item['lang'])
						.map(({ code, name }) => {
							const found = known[code];
							const title = found ? `${name}: ${labelValue(found.status)}` : sprintf(t('Translate into: %s'), name);
							const to = found
								? withContentLanguage(`/content/${type.slug}/${String(found.id)}`, code)
								: `/translate/${type.slug}/${String(item.id)}?from=${String(item['lang'])}&to=${code}`;
							return (
								<Link key={code} to={to} title={title} className={found ? 'translation-there' : 'translation-missing'}>
									<span aria-hidden="true">{code}</span>
									<span className="visually-hidden">{title}</span>
								</Link>
							);
						})}
				</span>
			);
		},
	};
}

function describeDuplicate(collection: Collection, type: ContentType, taxonomies: Taxonomy[]): Action<Item> {
	return {
		id: 'duplicate',
		label: t('Duplicate'),
		isEligible: (item) => item['status'] !== 'trash' && collection.addPath !== null,
		callback: ([item]) => {
			if (item) {
				const language = typeof item['lang'] === 'string' ? item['lang'] : defaultLanguage;
				duplicateRecord(type, taxonomies, Number(item.id), language).then((copy) => {
					showDone(t('The copy is a draft.'));
					navigate(withContentLanguage(`/content/${type.slug}/${String(copy.id)}`, language));
				}, showError);
			}
		},
	};
}

function describePublish(collection: Collection): Action<Item> {
	return {
		id: 'publish',
		label: t('Publish'),
		supportsBulk: true,
		isEligible: (item) => item['status'] === 'draft' || item['status'] === 'pending',
		callback: (items) => {
			const write = (statusOf: (item: Item) => unknown, seen: unknown[]): Promise<unknown[]> =>
				sendBatch(
					items.map((item, index) => ({
						method: 'POST',
						path: `${collection.path}/${String(item.id)}`,
						body: { status: statusOf(item) },
						seen: seen[index] as Item,
					})),
				);
			write(() => 'publish', items).then(
				(published) =>
					showDone(
						sprintf(tn('%d record is published.', '%d records are published.', items.length), items.length),
						() => write((item) => item['status'], published),
					),
				showError,
			);
		},
	};
}
