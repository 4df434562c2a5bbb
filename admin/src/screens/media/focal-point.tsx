import type { KeyboardEvent, PointerEvent } from 'react';

import { sprintf, t } from '../../app/i18n';
import { clamp } from './crop-geometry';
import type { Point } from './media-file';

interface Props {
	address: string;
	/** null as the middle was never changed. */
	point: Point | null;
	onChange: (point: Point | null) => void;
	disabled: boolean;
}

const STEP = 0.02;
const LARGE_STEP = 0.1;
const MIDDLE: Point = { x: 0.5, y: 0.5 };

/** The picture with what stays in sight when it is cut: set by a click, or by arrow keys. */
export function FocalPoint({ address, point, onChange, disabled }: Props) {
	const { x, y } = point ?? MIDDLE;
	const set = (nextX: number, nextY: number): void =>
		onChange({ x: round(clamp(nextX, 0, 1)), y: round(clamp(nextY, 0, 1)) });
	const click = (event: PointerEvent<HTMLButtonElement>): void => {
		const bounds = event.currentTarget.getBoundingClientRect();
		set((event.clientX - bounds.left) / bounds.width, (event.clientY - bounds.top) / bounds.height);
	};
	const press = (event: KeyboardEvent): void => {
		const step = event.shiftKey ? LARGE_STEP : STEP;
		const moves: Record<string, [number, number]> = {
			ArrowLeft: [-step, 0],
			ArrowRight: [step, 0],
			ArrowUp: [0, -step],
			ArrowDown: [0, step],
		};
		const move = moves[event.key];
		if (move) {
			event.preventDefault();
			set(x + move[0], y + move[1]);
		}
	};
	const where = sprintf(t('%1$d %% from the left, %2$d %% from the top'), Math.round(x * 100), Math.round(y * 100));
	return (
		<div className="focal-point">
			<button
				type="button"
				className="focal-point-picture"
				aria-label={sprintf(t('Focal point: %s. Arrow keys move it.'), where)}
				disabled={disabled}
				onPointerDown={click}
				onKeyDown={press}
			>
				<img src={address} alt="" />
				<span
					className="focal-point-mark"
					style={{ left: `${String(x * 100)}%`, top: `${String(y * 100)}%` }}
					aria-hidden="true"
				/>
			</button>
			<p className="quiet" role="status">
				{t('Focal point')}: {point ? where : t('the middle')}
				{point && !disabled && (
					<button type="button" className="button-link" onClick={() => onChange(null)}>
						{t('Back to the middle')}
					</button>
				)}
			</p>
		</div>
	);
}

function round(share: number): number {
	return Math.round(share * 1000) / 1000;
}
