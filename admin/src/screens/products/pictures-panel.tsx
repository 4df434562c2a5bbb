import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { sprintf, t } from '../../app/i18n';
import { MediaPicker } from '../../editor/media-picker';
import type { ProductImage } from '../catalogue/product';
import type { PanelProps } from './product-form';

/** The pictures of the product; the first stands for it. Ordered by buttons or by dragging. */
export function PicturesPanel({ product, change, faults }: PanelProps) {
	const [choosing, setChoosing] = useState(false);
	const [dragged, setDragged] = useState<number | null>(null);
	const [said, setSaid] = useState('');
	const button = useRef<HTMLButtonElement>(null);
	const { images } = product;
	const move = (from: number, to: number): void => {
		const moved = images[from];
		if (moved && to >= 0 && to < images.length && from !== to) {
			const rest = images.filter((_, index) => index !== from);
			change({ images: [...rest.slice(0, to), moved, ...rest.slice(to)] });
			setSaid(sprintf(t('Picture %1$d of %2$d'), to + 1, images.length));
		}
	};
	const close = (): void => {
		flushSync(() => setChoosing(false));
		button.current?.focus();
	};
	return (
		<section className="panel" aria-labelledby="product-pictures">
			<h2 id="product-pictures">{t('Pictures')}</h2>
			{faults['images'] && (
				<p className="field-fault" role="alert">
					{faults['images']}
				</p>
			)}
			<ul className="product-pictures">
				{images.map((one, index) => (
					<li
						key={one.id}
						draggable
						className={dragged === index ? 'is-dragged' : undefined}
						onDragStart={() => setDragged(index)}
						onDragEnd={() => setDragged(null)}
						onDragOver={(event) => event.preventDefault()}
						onDrop={(event) => {
							event.preventDefault();
							if (dragged !== null) {
								move(dragged, index);
							}
						}}
					>
						<img src={one.src} alt={one.alt || one.name || ''} loading="lazy" />
						{index === 0 && <span className="main-picture">{t('Main picture')}</span>}
						<PictureButtons
							image={one}
							index={index}
							count={images.length}
							onMove={(to) => move(index, to)}
							onRemove={() => change({ images: images.filter((_, at) => at !== index) })}
						/>
					</li>
				))}
			</ul>
			<p className="visually-hidden" role="status">
				{said}
			</p>
			<button ref={button} type="button" className="button" onClick={() => setChoosing(true)}>
				{t('Add pictures')}
			</button>
			{choosing && (
				<MediaPicker
					allowedTypes={['image']}
					multiple
					chosen={images.map((one) => one.id)}
					onSelect={(files) => {
						const added = files
							.filter((file) => !images.some((one) => one.id === file.id))
							.map((file): ProductImage => ({ id: file.id, src: file.source_url, alt: file.alt_text }));
						change({ images: [...images, ...added] });
						close();
					}}
					onClose={close}
				/>
			)}
		</section>
	);
}

interface ButtonsProps {
	image: ProductImage;
	index: number;
	count: number;
	onMove: (to: number) => void;
	onRemove: () => void;
}

function PictureButtons({ image, index, count, onMove, onRemove }: ButtonsProps) {
	const name = image.alt || image.name || sprintf(t('Picture %1$d of %2$d'), index + 1, count);
	return (
		<span className="picture-buttons">
			<button
				type="button"
				className="button button-small"
				aria-label={`${t('Move forward')}: ${name}`}
				aria-disabled={index === 0}
				onClick={() => onMove(index - 1)}
			>
				‹
			</button>
			<button
				type="button"
				className="button button-small"
				aria-label={`${t('Move back')}: ${name}`}
				aria-disabled={index === count - 1}
				onClick={() => onMove(index + 1)}
			>
				›
			</button>
			<button
				type="button"
				className="button button-small"
				aria-label={`${t('Take away')}: ${name}`}
				onClick={onRemove}
			>
				×
			</button>
		</span>
	);
}
