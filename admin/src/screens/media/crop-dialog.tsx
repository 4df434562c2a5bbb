import { useEffect, useRef, useState } from 'react';

import { request } from '../../api/client';
import { ErrorNotice } from '../../app/error-notice';
import { Dialog } from '../../app/dialog';
import { t } from '../../app/i18n';
import { CropFrame } from './crop-frame';
import { fitRatio, keepInside, turnSize, WHOLE, type Box, type Size } from './crop-geometry';
import { MEDIA_PATH, type MediaFile } from './media-file';

interface Props {
	file: MediaFile;
	onClose: () => void;
	/** The changed picture, which is a file of its own. */
	onMade: (copy: MediaFile) => void;
}

const RATIOS = ['1:1', '4:3', '3:2', '16:9', '3:4', '2:3', '9:16'];

/** Crops, turns and mirrors a picture; the result is a new file, the original stays. */
export function CropDialog({ file, onClose, onMade }: Props) {
	const whole: Size = { width: file.media_details.width ?? 1, height: file.media_details.height ?? 1 };
	const [angle, setAngle] = useState(0);
	const [mirrored, setMirrored] = useState(false);
	const [ratioName, setRatioName] = useState('');
	const [box, setBox] = useState<Box>(WHOLE);
	const [error, setError] = useState<unknown>(null);
	const [saving, setSaving] = useState(false);
	const size = turnSize(whole, angle);
	const ratio = parseRatio(ratioName, size);
	const isWhole = box.width > 0.999 && box.height > 0.999;

	const turn = (degrees: number): void => {
		setAngle((angle + degrees + 360) % 360);
		setBox(WHOLE);
		setRatioName('');
	};
	const save = async (): Promise<void> => {
		const modifiers = [
			...(mirrored ? [{ type: 'flip', args: { flip: { horizontal: true, vertical: false } } }] : []),
			...(angle ? [{ type: 'rotate', args: { angle } }] : []),
			...(isWhole ? [] : [{ type: 'crop', args: toPercent(box) }]),
		];
		setSaving(true);
		try {
			const body = { src: file.source_url, modifiers };
			onMade(await request<MediaFile>(`${MEDIA_PATH}/${String(file.id)}/edit`, { method: 'POST', body }));
		} catch (problem) {
			setError(problem);
			setSaving(false);
		}
	};
	return (
		<Dialog title={t('Crop and turn')} onClose={onClose} wide>
			<div className="crop-tools">
				<button type="button" className="button" onClick={() => turn(-90)}>
					{t('Turn left')}
				</button>
				<button type="button" className="button" onClick={() => turn(90)}>
					{t('Turn right')}
				</button>
				<button type="button" className="button" aria-pressed={mirrored} onClick={() => setMirrored(!mirrored)}>
					{t('Mirror')}
				</button>
				<label className="field-inline">
					{t('Shape')}
					<select
						value={ratioName}
						onChange={(event) => {
							const next = parseRatio(event.target.value, size);
							setRatioName(event.target.value);
							setBox(next ? fitRatio(WHOLE, next, size) : box);
						}}
					>
						<option value="">{t('Free')}</option>
						<option value="original">{t('As the picture')}</option>
						{RATIOS.map((name) => (
							<option key={name} value={name}>
								{name}
							</option>
						))}
					</select>
				</label>
			</div>
			<CropFrame box={box} onChange={setBox} ratio={ratio} size={size}>
				<TurnedPicture address={file.source_url} angle={angle} mirrored={mirrored} size={size} />
			</CropFrame>
			<CropFields box={box} size={size} ratio={ratio} onChange={setBox} />
			<ErrorNotice error={error} />
			<div className="form-buttons">
				<button
					type="button"
					className="button button-primary"
					disabled={saving || (isWhole && !angle && !mirrored)}
					onClick={() => void save()}
				>
					{saving ? t('Saving …') : t('Save as a new picture')}
				</button>
				<button type="button" className="button" onClick={onClose}>
					{t('Cancel')}
				</button>
			</div>
		</Dialog>
	);
}

interface FieldsProps {
	box: Box;
	size: Size;
	ratio: number;
	onChange: (box: Box) => void;
}

/** The same rectangle in pixels, for the keyboard. */
function CropFields({ box, size, ratio, onChange }: FieldsProps) {
	const fields = [
		['left', t('From the left'), size.width],
		['top', t('From the top'), size.height],
		['width', t('Width'), size.width],
		['height', t('Height'), size.height],
	] as const;
	const change = (name: keyof Box, share: number): void => {
		const next = { ...box, [name]: share };
		if (ratio && name === 'width') {
			next.height = (share * size.width) / ratio / size.height;
		} else if (ratio && name === 'height') {
			next.width = (share * size.height * ratio) / size.width;
		}
		const inside = keepInside(next);
		onChange(ratio ? fitRatio(inside, ratio, size) : inside);
	};
	return (
		<fieldset className="crop-fields">
			<legend>{t('What is kept, in pixels')}</legend>
			{fields.map(([name, label, length]) => (
				<label key={name}>
					{label}
					<input
						type="number"
						min={name === 'left' || name === 'top' ? 0 : 1}
						max={length}
						value={Math.round(box[name] * length)}
						onChange={(event) => change(name, event.target.valueAsNumber / length || 0)}
					/>
				</label>
			))}
		</fieldset>
	);
}

/** The picture as it is turned and mirrored so far. */
function TurnedPicture(props: { address: string; angle: number; mirrored: boolean; size: Size }) {
	const { address, angle, mirrored, size } = props;
	const canvas = useRef<HTMLCanvasElement>(null);
	useEffect(() => {
		const picture = new Image();
		picture.onload = () => {
			const element = canvas.current;
			const context = element?.getContext('2d');
			if (!element || !context) {
				return;
			}
			const scale = Math.min(1, 1600 / Math.max(size.width, size.height));
			element.width = Math.round(size.width * scale);
			element.height = Math.round(size.height * scale);
			const [width, height] = angle % 180 ? [element.height, element.width] : [element.width, element.height];
			context.translate(element.width / 2, element.height / 2);
			context.rotate((angle * Math.PI) / 180);
			context.scale(mirrored ? -1 : 1, 1);
			context.drawImage(picture, -width / 2, -height / 2, width, height);
		};
		picture.src = address;
		return () => {
			picture.onload = null;
		};
	}, [address, angle, mirrored, size.width, size.height]);
	return <canvas ref={canvas} width={size.width} height={size.height} aria-hidden="true" />;
}

/** Return the ratio of a shape in pixels, 0 for any. */
function parseRatio(name: string, size: Size): number {
	if (name === 'original') {
		return size.width / size.height;
	}
	const [width = 0, height = 1] = name.split(':').map(Number);
	return name ? width / height : 0;
}

function toPercent(box: Box): Box {
	const percent = (share: number): number => Math.round(share * 100_000) / 1000;
	return { left: percent(box.left), top: percent(box.top), width: percent(box.width), height: percent(box.height) };
}
