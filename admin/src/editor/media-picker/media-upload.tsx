import { useState, type ReactNode } from 'react';

import { MediaPicker, type MediaFile } from '.';
import { getRequestLanguage } from '../api-fetch';

/** What a block wants to know of a file. */
interface BlockMedia {
	id: number;
	url: string;
	link: string;
	alt: string;
	caption: string;
	title: string;
	type: string;
	media_type: string;
	mime: string;
	mime_type: string;
	filename: string;
	width?: number;
	height?: number;
	sizes: Record<string, { url: string; width: number; height: number }>;
	media_details: MediaFile['media_details'];
	filesizeInBytes?: number;
}

interface Props {
	allowedTypes?: string[];
	multiple?: boolean | 'add';
	gallery?: boolean;
	value?: number | number[];
	onSelect: (media: BlockMedia | BlockMedia[]) => void;
	onClose?: () => void;
	render: (button: { open: () => void }) => ReactNode;
}

/** What blocks use to choose files (the filter `editor.MediaUpload`): a button of theirs, and the media picker behind it. */
export function MediaUpload({ allowedTypes = [], multiple = false, gallery, value, onSelect, onClose, render }: Props) {
	const [open, setOpen] = useState(false);
	const close = (): void => {
		setOpen(false);
		onClose?.();
	};
	const several = Boolean(multiple) || Boolean(gallery);
	return (
		<>
			{render({ open: () => setOpen(true) })}
			{open && (
				<MediaPicker
					allowedTypes={allowedTypes}
					multiple={several}
					chosen={value === undefined ? [] : [value].flat()}
					language={getRequestLanguage()}
					onSelect={(files) => {
						const media = files.map(toBlockMedia);
						const [first] = media;
						if (first) {
							onSelect(several ? media : first);
						}
						close();
					}}
					onClose={close}
				/>
			)}
		</>
	);
}

function toBlockMedia(file: MediaFile): BlockMedia {
	const { width, height, sizes = {} } = file.media_details;
	return {
		id: file.id,
		url: file.source_url,
		link: file.link,
		alt: file.alt_text,
		caption: file.caption.raw ?? '',
		title: file.title.raw ?? file.title.rendered,
		type: file.mime_type.split('/')[0] ?? file.media_type,
		media_type: file.media_type,
		mime: file.mime_type,
		mime_type: file.mime_type,
		filename: decodeURIComponent(file.source_url.split('/').pop() ?? ''),
		...(width === undefined ? {} : { width }),
		...(height === undefined ? {} : { height }),
		sizes: Object.fromEntries(
			Object.entries(sizes).map(([name, size]) => [
				name,
				{ url: size.source_url, width: size.width, height: size.height },
			]),
		),
		media_details: file.media_details,
		...(file.media_details.filesize === undefined ? {} : { filesizeInBytes: file.media_details.filesize }),
	};
}
