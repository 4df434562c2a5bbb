/** Names of the texts of a record, as a person reads them. */
import { t } from '../../app/i18n';

const BLOCKS: Record<string, () => string> = {
	paragraph: () => t('Paragraph'),
	heading: () => t('Heading'),
	image: () => t('Image'),
	gallery: () => t('Gallery'),
	'list-item': () => t('List item'),
	list: () => t('List'),
	quote: () => t('Quotation'),
	pullquote: () => t('Quotation'),
	button: () => t('Button'),
	table: () => t('Table'),
	cover: () => t('Cover'),
	video: () => t('Video'),
	audio: () => t('Sound'),
	file: () => t('File'),
	details: () => t('Details'),
	verse: () => t('Verse'),
	search: () => t('Search form'),
	'navigation-link': () => t('Menu entry'),
	'navigation-submenu': () => t('Menu entry'),
};

const PLACES: Record<string, () => string> = {
	alt: () => t('Alternative text'),
	figcaption: () => t('Caption'),
	th: () => t('Head of a column'),
	td: () => t('Cell'),
	placeholder: () => t('Placeholder'),
	buttonText: () => t('Text of the button'),
	summary: () => t('Summary'),
	cite: () => t('Source'),
	title: () => t('Title'),
	label: () => t('Label'),
	description: () => t('Description'),
};

/** Return the label of a text of a block. place: what encloses it, as segments.ts names it. */
export function labelSegment(block: string, place: string): string {
	const name = BLOCKS[block]?.() ?? (block ? block.replace(/[/_-]+/g, ' ') : t('Text'));
	const part = PLACES[place]?.();
	return part ? `${name}: ${part}` : name;
}

const RECORD_PARTS: Record<string, () => string> = {
	title: () => t('Title'),
	excerpt: () => t('Excerpt'),
	body: () => t('Text'),
	URL: () => t('Slug'),
};

/** Return the label of a unit of a file. name: its `resname`, such as `title` or `image: img alt`. */
export function labelFileUnit(id: string, name: string): string {
	const own = RECORD_PARTS[id];
	if (own) {
		return own();
	}
	if (id.startsWith('t_')) {
		return t('Term');
	}
	if (id.startsWith('field-')) {
		return name || id;
	}
	const [block, part] = name.split(': ');
	return labelSegment(block ?? '', part?.endsWith(' alt') ? 'alt' : (part ?? ''));
}
