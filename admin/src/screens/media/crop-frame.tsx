import { useRef, type PointerEvent, type ReactNode } from 'react';

import { keepInside, moveCorner, type Box, type Size } from './crop-geometry';

interface Props {
	box: Box;
	size: Size;
	/** Width by height in pixels, 0 for any. */
	ratio: number;
	onChange: (box: Box) => void;
	children: ReactNode;
}

interface Drag {
	from: { x: number; y: number };
	start: Box;
	corner: { right: boolean; bottom: boolean } | null;
}

const CORNERS = [
	{ right: false, bottom: false },
	{ right: true, bottom: false },
	{ right: false, bottom: true },
	{ right: true, bottom: true },
];

/** A rectangle over a picture that is moved and stretched by pointer; fields below it do the same for the keyboard. */
export function CropFrame({ box, size, ratio, onChange, children }: Props) {
	const area = useRef<HTMLDivElement>(null);
	const drag = useRef<Drag | null>(null);
	const locate = (event: PointerEvent): { x: number; y: number } => {
		const bounds = area.current?.getBoundingClientRect();
		return bounds
			? { x: (event.clientX - bounds.left) / bounds.width, y: (event.clientY - bounds.top) / bounds.height }
			: { x: 0, y: 0 };
	};
	const begin = (event: PointerEvent, corner: Drag['corner']): void => {
		event.preventDefault();
		event.stopPropagation();
		area.current?.setPointerCapture(event.pointerId);
		drag.current = { from: locate(event), start: box, corner };
	};
	const move = (event: PointerEvent): void => {
		if (!drag.current) {
			return;
		}
		const { from, start, corner } = drag.current;
		const to = locate(event);
		onChange(
			corner
				? moveCorner(start, to, corner, ratio, size)
				: keepInside({ ...start, left: start.left + to.x - from.x, top: start.top + to.y - from.y }),
		);
	};
	const percent = (share: number): string => `${String(share * 100)}%`;
	return (
		<div className="crop-stage">
			<div
				ref={area}
				className="crop-area"
				onPointerMove={move}
				onPointerUp={() => {
					drag.current = null;
				}}
			>
				{children}
				<div
					className="crop-box"
					style={{
						left: percent(box.left),
						top: percent(box.top),
						width: percent(box.width),
						height: percent(box.height),
					}}
					onPointerDown={(event) => begin(event, null)}
				>
					{CORNERS.map((corner) => (
						<span
							key={`${String(corner.right)} ${String(corner.bottom)}`}
							className={`crop-corner ${corner.right ? 'is-right' : 'is-left'} ${corner.bottom ? 'is-bottom' : 'is-top'}`}
							onPointerDown={(event) => begin(event, corner)}
						/>
					))}
				</div>
			</div>
		</div>
	);
}
