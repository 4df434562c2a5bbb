import {
	Button,
	DropZone,
	FormFileUpload,
	Modal,
	Notice,
	SearchControl,
	SelectControl,
	Spinner,
} from '@wordpress/components';
import { useDebounce } from '@wordpress/compose';
import { useState } from 'react';

import { useCollection } from '../../api/collections';
import { request } from '../../api/client';
import { describeError } from '../../api/errors';
import { canSomewhere, defaultLanguage } from '../../app/boot';
import { sprintf, t, tn } from '../../app/i18n';

export interface MediaFile {
	id: number;
	link: string;
	source_url: string;
	alt_text: string;
	caption: { raw?: string; rendered: string };
	title: { raw?: string; rendered: string };
	media_type: string;
	mime_type: string;
	media_details: {
		width?: number;
		height?: number;
		filesize?: number;
		sizes?: Record<string, { source_url: string; width: number; height: number }>;
	};
}

interface Props {
	/** Kinds of files (`image`) or their types (`application/pdf`); all where it is empty. */
	allowedTypes: readonly string[];
	multiple: boolean;
	/** Ids of the files that are chosen already. */
	chosen?: readonly number[];
	/** Language of the texts of the files. */
	language?: string;
	onSelect: (files: MediaFile[]) => void;
	onClose: () => void;
}

const PER_PAGE = 24;
const KINDS = ['image', 'audio', 'video', 'application', 'text'] as const;

/** A dialog with the site's files: search, kinds, pages, uploads by a button or by drag and drop. */
export function MediaPicker({
	allowedTypes,
	multiple,
	chosen = [],
	language = defaultLanguage,
	onSelect,
	onClose,
}: Props) {
	const [typed, setTyped] = useState('');
	const [search, setSearch] = useState('');
	const searchLater = useDebounce(setSearch, 250);
	const [kind, setKind] = useState('');
	const [page, setPage] = useState(1);
	const [picked, setPicked] = useState<MediaFile[]>([]);
	const [uploading, setUploading] = useState(0);
	const [fault, setFault] = useState('');
	const { value, error, loading } = useCollection<MediaFile>(
		'/wp/v2/media',
		{
			context: 'edit',
			per_page: PER_PAGE,
			page,
			...(search ? { search } : {}),
			...getKindFilter(kind, allowedTypes),
		},
		language,
	);

	const toggle = (file: MediaFile): void => {
		const without = picked.filter(({ id }) => id !== file.id);
		setPicked(without.length < picked.length ? without : multiple ? [...picked, file] : [file]);
	};
	const upload = async (files: readonly File[]): Promise<void> => {
		setFault('');
		for (const file of multiple ? files : files.slice(0, 1)) {
			setUploading((count) => count + 1);
			try {
				const body = new FormData();
				body.append('file', file, file.name);
				const made = await request<MediaFile>('/wp/v2/media', { method: 'POST', body, language });
				setPicked((before) => (multiple ? [...before, made] : [made]));
			} catch (reason) {
				setFault(`${file.name}: ${describeError(reason)}`);
			} finally {
				setUploading((count) => count - 1);
			}
		}
	};
	const items = value?.items ?? [];
	const shown = [...picked.filter(({ id }) => !items.some((one) => one.id === id)), ...items];
	return (
		<Modal
			title={multiple ? t('Choose files') : t('Choose a file')}
			onRequestClose={onClose}
			isFullScreen
			className="media-picker"
		>
			<div className="media-picker-bar">
				<SearchControl
					label={t('Search files')}
					value={typed}
					onChange={(text) => {
						setTyped(text);
						setPage(1);
						searchLater(text);
					}}
				/>
				{allowedTypes.length !== 1 && (
					<SelectControl
						__next40pxDefaultSize
						hideLabelFromVision
						label={t('Kind of file')}
						value={kind}
						options={[{ value: '', label: t('All kinds') }, ...listKinds(allowedTypes)]}
						onChange={(next) => {
							setKind(next);
							setPage(1);
						}}
					/>
				)}
				{canSomewhere('upload_files') && (
					<FormFileUpload
						__next40pxDefaultSize
						multiple={multiple}
						{...(allowedTypes.length ? { accept: buildAccept(allowedTypes) } : {})}
						onChange={(event) => void upload([...(event.currentTarget.files ?? [])])}
					>
						{t('Upload')}
					</FormFileUpload>
				)}
			</div>
			{Boolean(error) && (
				<Notice status="error" isDismissible={false}>
					{describeError(error)}
				</Notice>
			)}
			{fault && (
				<Notice status="error" onRemove={() => setFault('')}>
					{fault}
				</Notice>
			)}
			<div className="media-picker-files" aria-busy={loading}>
				{canSomewhere('upload_files') && (
					<DropZone label={t('Drop files here')} onFilesDrop={(files) => void upload([...files])} />
				)}
				{uploading > 0 && (
					<p role="status">
						<Spinner />
						{sprintf(tn('%d file is being uploaded.', '%d files are being uploaded.', uploading), uploading)}
					</p>
				)}
				<ul className="media-picker-grid">
					{shown.map((file) => {
						const isChosen = picked.some(({ id }) => id === file.id);
						return (
							<li key={file.id}>
								<button
									type="button"
									aria-pressed={isChosen}
									className={chosen.includes(file.id) ? 'is-used' : undefined}
									onClick={() => toggle(file)}
									onDoubleClick={() => onSelect([file])}
								>
									<Thumbnail file={file} />
									<span>{file.title.raw || file.title.rendered || `#${String(file.id)}`}</span>
								</button>
							</li>
						);
					})}
				</ul>
				{value && shown.length === 0 && <p>{t('No file fits.')}</p>}
			</div>
			<div className="media-picker-foot">
				<div className="media-picker-pages">
					<Button variant="tertiary" disabled={page <= 1} onClick={() => setPage(page - 1)}>
						{t('Previous page')}
					</Button>
					<span>{sprintf(t('Page %1$d of %2$d'), page, Math.max(value?.pages ?? 1, 1))}</span>
					<Button variant="tertiary" disabled={page >= (value?.pages ?? 1)} onClick={() => setPage(page + 1)}>
						{t('Next page')}
					</Button>
				</div>
				<Button variant="primary" disabled={picked.length === 0} onClick={() => onSelect(picked)}>
					{picked.length > 1 ? sprintf(t('Use %d files'), picked.length) : t('Use file')}
				</Button>
			</div>
		</Modal>
	);
}

function Thumbnail({ file }: { file: MediaFile }) {
	const sizes = file.media_details.sizes ?? {};
	const url = sizes['thumbnail']?.source_url ?? sizes['medium']?.source_url ?? file.source_url;
	if (file.mime_type.startsWith('image/')) {
		return <img src={url} alt="" loading="lazy" />;
	}
	return <span className="media-picker-type">{file.mime_type.split('/')[1]}</span>;
}

function listKinds(allowedTypes: readonly string[]): { value: string; label: string }[] {
	const labels = {
		image: t('Pictures'),
		audio: t('Sound'),
		video: t('Films'),
		application: t('Documents'),
		text: t('Texts'),
	};
	return KINDS.filter((kind) => !allowedTypes.length || allowedTypes.some((one) => one.split('/')[0] === kind)).map(
		(value) => ({ value, label: labels[value] }),
	);
}

/** Return the filter of the collection; it takes several kinds or several types, as a list. */
function getKindFilter(kind: string, allowedTypes: readonly string[]): Record<string, string[]> {
	if (kind) {
		return { media_type: [kind] };
	}
	const types = allowedTypes.filter((one) => one.includes('/'));
	const kinds = allowedTypes.filter((one) => !one.includes('/'));
	return {
		...(kinds.length ? { media_type: kinds } : {}),
		...(types.length && !kinds.length ? { mime_type: types } : {}),
	};
}

function buildAccept(allowedTypes: readonly string[]): string {
	return allowedTypes.map((one) => (one.includes('/') ? one : `${one}/*`)).join(',');
}
