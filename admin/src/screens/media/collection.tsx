/** What the list of files shows and how it is filtered. */
import type { Option } from '@wordpress/dataviews';

import { requestPage } from '../../api/client';
import { formatBytes, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import type { Collection, Item } from '../../list/collection';
import {
	getFileName,
	getThumbnail,
	getTitle,
	isImage,
	lacksAltText,
	MEDIA_PATH,
	type MediaDetails,
} from './media-file';
import { listMonths, parseMonth } from './months';

const MEMBERS =
	'id,title,alt_text,caption,media_type,mime_type,media_details,source_url,date,date_gmt,modified_gmt,author,post,link,lang,_links,_embedded';

export function buildMediaCollection(): Collection {
	return {
		name: 'media',
		path: MEDIA_PATH,
		title: t('Media'),
		singular: t('File'),
		titleField: 'title',
		mediaField: 'preview',
		columns: ['file_note'],
		query: { context: 'edit', _fields: MEMBERS, _embed: 'author' },
		relations: {
			author: { path: '/wp/v2/users', label: 'name', query: { who: 'authors' }, embedded: 'author', required: true },
		},
		fields: {
			title: { render: ({ item }) => <TitleCell item={item} />, enableHiding: false },
			preview: { label: t('Preview'), render: ({ item }) => <Preview item={item} />, enableSorting: false },
			file_note: { label: t('File'), render: ({ item }) => <>{describeFile(item)}</> },
			media_type: { label: t('Kind'), elements: listKinds(), filterBy: { operators: ['isAny'], isPrimary: true } },
			month: { label: t('Month'), filterBy: { operators: ['is'], isPrimary: true }, getElements: loadMonths },
			alt_text: { filterBy: false },
		},
		filterQueries: { month: (value) => parseMonth(String(value)) },
		actions: [
			{
				id: 'copy-address',
				label: t('Copy the address'),
				callback: ([item]) => {
					if (item) {
						copyAddress(String(item['source_url']));
					}
				},
			},
		],
		empty: t('There is no file yet. Drop some here, or choose them with “Upload files”.'),
		sort: { field: 'date', direction: 'desc' },
		grid: 'first',
		multilingual: true,
		getItemPath: (item) => `/media/${String(item.id)}`,
		addPath: null,
		removeQuery: { force: true },
	};
}

/** Return the kinds of files that the list can be narrowed to. */
export function listKinds(): Option[] {
	return [
		{ value: 'image', label: t('Pictures') },
		{ value: 'video', label: t('Films') },
		{ value: 'audio', label: t('Sound') },
		{ value: 'application', label: t('Documents') },
		{ value: 'text', label: t('Texts') },
	];
}

export function copyAddress(address: string): void {
	navigator.clipboard.writeText(address).then(() => showDone(t('The address is copied.')), showError);
}

async function loadMonths(): Promise<Option[]> {
	const query = { per_page: 1, orderby: 'date', order: 'asc', _fields: 'date_gmt' };
	const { items } = await requestPage<{ date_gmt: string }>(MEDIA_PATH, { query });
	return items[0] ? listMonths(parseGmt(items[0].date_gmt), new Date()) : [];
}

function describeFile(item: Item): string {
	const { width, height, filesize } = (item['media_details'] ?? {}) as MediaDetails;
	const parts = [
		(getFileName(item).split('.').pop() ?? '').toUpperCase(),
		...(width && height && isImage(item) ? [sprintf(t('%1$d × %2$d'), width, height)] : []),
		...(filesize ? [formatBytes(filesize)] : []),
	];
	return parts.join(' · ');
}

function TitleCell({ item }: { item: Item }) {
	return (
		<span className="title-cell">
			{getTitle(item)}
			{lacksAltText(item) && <span className="mark-warning"> {t('No alternative text')}</span>}
		</span>
	);
}

function Preview({ item }: { item: Item }) {
	const address = getThumbnail(item, 300);
	return address ? (
		<img src={address} alt={getTitle(item)} loading="lazy" decoding="async" />
	) : (
		<span className="file-tile">{(getFileName(item).split('.').pop() ?? '').toUpperCase()}</span>
	);
}
