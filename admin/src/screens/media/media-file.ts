/** A file as the interface shows it to those who may change it. */
import { readText, type Item } from '../../list/collection';

export interface MediaDetails {
	width?: number;
	height?: number;
	filesize?: number;
	file?: string;
	sizes?: Record<string, { source_url: string; width: number; height: number }>;
	focal_point?: Point;
	length_formatted?: string;
}

export interface Point {
	x: number;
	y: number;
}

export interface MediaFile extends Item {
	id: number;
	title: { raw?: string; rendered: string };
	alt_text: string;
	mime_type: string;
	source_url: string;
	media_details: MediaDetails;
	date_gmt: string;
}

export const MEDIA_PATH = '/wp/v2/media';

/** Types that the server crops and rotates. */
const EDITABLE = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']);

export function isImage(item: Item): boolean {
	return String(item['mime_type']).startsWith('image/');
}

export function isEditableImage(file: MediaFile): boolean {
	return EDITABLE.has(file.mime_type) && Boolean(file.media_details.width);
}

export function lacksAltText(item: Item): boolean {
	return isImage(item) && !String(item['alt_text'] ?? '').trim();
}

export function getFileName(file: Item): string {
	const path = (file['media_details'] as MediaDetails | undefined)?.file ?? String(file['source_url'] ?? '');
	return path.split('/').pop() ?? path;
}

export function getTitle(file: Item): string {
	return readText(file['title']) || getFileName(file);
}

/** Return the address of a picture that is about as wide as wanted, for a file without one null. */
export function getThumbnail(item: Item, width: number): string | null {
	if (!isImage(item)) {
		return null;
	}
	const sizes = Object.values((item['media_details'] as MediaDetails | undefined)?.sizes ?? {});
	const enough = sizes.filter((one) => one.width >= width).sort((a, b) => a.width - b.width);
	return enough[0]?.source_url ?? String(item['source_url']);
}
