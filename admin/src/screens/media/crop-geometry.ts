/** The rectangle that is kept of a picture: in shares of the turned picture, 0 to 1. */

export interface Box {
	left: number;
	top: number;
	width: number;
	height: number;
}

export interface Size {
	width: number;
	height: number;
}

export const WHOLE: Box = { left: 0, top: 0, width: 1, height: 1 };
const SMALLEST = 0.01;

/** Return the size of a picture that is turned by a multiple of 90 degrees. */
export function turnSize({ width, height }: Size, angle: number): Size {
	return angle % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** Return a rectangle that lies inside the picture, moved before it is made smaller. */
export function keepInside(box: Box): Box {
	const width = clamp(box.width, SMALLEST, 1);
	const height = clamp(box.height, SMALLEST, 1);
	return { width, height, left: clamp(box.left, 0, 1 - width), top: clamp(box.top, 0, 1 - height) };
}

/** Return the largest rectangle of a ratio (width by height in pixels) around the middle of another one. */
export function fitRatio(box: Box, ratio: number, size: Size): Box {
	const inShares = (ratio * size.height) / size.width;
	const width = Math.min(box.width, box.height * inShares);
	const height = width / inShares;
	return keepInside({
		width,
		height,
		left: box.left + (box.width - width) / 2,
		top: box.top + (box.height - height) / 2,
	});
}

/**
 * Return a rectangle whose corner was moved; the opposite corner stays.
 *
 * right, bottom: which corner. ratio: in pixels, 0 for none.
 */
export function moveCorner(
	box: Box,
	to: { x: number; y: number },
	{ right, bottom }: { right: boolean; bottom: boolean },
	ratio: number,
	size: Size,
): Box {
	const fixed = { x: right ? box.left : box.left + box.width, y: bottom ? box.top : box.top + box.height };
	const room = { width: right ? 1 - fixed.x : fixed.x, height: bottom ? 1 - fixed.y : fixed.y };
	let width = clamp(right ? to.x - fixed.x : fixed.x - to.x, SMALLEST, room.width);
	let height = clamp(bottom ? to.y - fixed.y : fixed.y - to.y, SMALLEST, room.height);
	if (ratio) {
		const inShares = (ratio * size.height) / size.width;
		width = Math.min(width, room.height * inShares);
		height = width / inShares;
	}
	return { width, height, left: right ? fixed.x : fixed.x - width, top: bottom ? fixed.y : fixed.y - height };
}

export function clamp(value: number, least: number, most: number): number {
	return Math.min(Math.max(value, least), Math.max(least, most));
}
