import { BaseControl, Button } from '@wordpress/components';
import { useState } from 'react';

import { useCollection } from '../../api/collections';
import { getType } from '../../api/declarations';
import { t } from '../../app/i18n';
import { MediaPicker, type MediaFile } from '../media-picker';
import type { FieldProps } from './schema';

/** One file or several, chosen in the media picker. */
export function MediaField({
	label,
	schema,
	value,
	onChange,
	language,
	kind,
}: FieldProps & { kind: 'file' | 'image' }) {
	const [open, setOpen] = useState(false);
	const several = getType(schema) === 'array';
	const ids = [value ?? []].flat().filter((one): one is number => typeof one === 'number');
	const { value: found } = useCollection<MediaFile>(
		ids.length ? '/wp/v2/media' : null,
		{ include: ids, per_page: 100, orderby: 'include' },
		language,
	);
	const write = (next: number[]): void => onChange(several ? next : (next[0] ?? null));
	return (
		<BaseControl help={schema.description}>
			<BaseControl.VisualLabel>{label}</BaseControl.VisualLabel>
			<ul className="schema-files">
				{ids.map((id) => {
					const file = found?.items.find((one) => one.id === id);
					return (
						<li key={id}>
							{file?.mime_type.startsWith('image/') && (
								<img src={file.media_details.sizes?.['thumbnail']?.source_url ?? file.source_url} alt="" />
							)}
							<span>{file?.title.rendered ?? `#${String(id)}`}</span>
							<Button
								size="small"
								variant="tertiary"
								isDestructive
								onClick={() => write(ids.filter((one) => one !== id))}
							>
								{t('Remove')}
							</Button>
						</li>
					);
				})}
			</ul>
			<Button variant="secondary" onClick={() => setOpen(true)}>
				{several ? t('Add files') : ids.length ? t('Choose another file') : t('Choose a file')}
			</Button>
			{open && (
				<MediaPicker
					allowedTypes={kind === 'image' ? ['image'] : []}
					multiple={several}
					chosen={ids}
					language={language}
					onSelect={(files) => {
						const chosen = files.map(({ id }) => id);
						write(several ? [...new Set([...ids, ...chosen])] : chosen);
						setOpen(false);
					}}
					onClose={() => setOpen(false)}
				/>
			)}
		</BaseControl>
	);
}
