import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { useResource } from '../../api/collections';
import { t } from '../../app/i18n';
import { MediaPicker } from '../../editor/media-picker';

interface Props {
	label: string;
	help: string;
	value: number;
	onChange: (id: number) => void;
}

interface Picture {
	id: number;
	alt_text: string;
	source_url: string;
	media_details: { sizes?: Record<string, { source_url: string }> };
}

/** Chooses a picture of the site. */
export function PictureField({ label, help, value, onChange }: Props) {
	const [open, setOpen] = useState(false);
	const button = useRef<HTMLButtonElement>(null);
	const { value: picture } = useResource<Picture>(value ? `/wp/v2/media/${String(value)}` : null, {
		_fields: 'id,alt_text,source_url,media_details',
	});
	const close = (): void => {
		flushSync(() => setOpen(false));
		button.current?.focus();
	};
	return (
		<div className="field picture-field" role="group" aria-label={label}>
			<span>{label}</span>
			{value !== 0 && picture && (
				<img src={picture.media_details.sizes?.['medium']?.source_url ?? picture.source_url} alt={picture.alt_text} />
			)}
			<div className="picture-buttons">
				<button ref={button} type="button" className="button" onClick={() => setOpen(true)}>
					{value ? t('Choose another picture') : t('Choose a picture')}
				</button>
				{value !== 0 && (
					<button type="button" className="button" onClick={() => onChange(0)}>
						{t('Take it away')}
					</button>
				)}
			</div>
			<p className="field-help">{help}</p>
			{open && (
				<MediaPicker
					allowedTypes={['image']}
					multiple={false}
					chosen={value ? [value] : []}
					onSelect={([file]) => {
						if (file) {
							onChange(file.id);
						}
						close();
					}}
					onClose={close}
				/>
			)}
		</div>
	);
}
