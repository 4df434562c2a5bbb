import { useEffect } from 'react';

import { getCollectionPath, type ContentType } from '../../app/content-types';
import { isUntouched } from './untouched-records';

interface Props {
	type: ContentType;
	id: number;
}

/** Lets whoever begins a record write its title at once; the editor does so for records that have no number yet. */
export function TitleFocus({ type, id }: Props) {
	useEffect(() => {
		if (!isUntouched(getCollectionPath(type), id)) {
			return undefined;
		}
		let frame = 0;
		const focus = (): void => {
			const title = findTitle();
			if (title && document.activeElement === document.body) {
				title.focus();
			} else if (!title) {
				frame = window.requestAnimationFrame(focus);
			}
		};
		focus();
		return () => window.cancelAnimationFrame(frame);
	}, [type, id]);
	return null;
}

/** Return the title in the canvas once that is drawn. */
function findTitle(): HTMLElement | null {
	const canvas = document.querySelector<HTMLIFrameElement>('iframe[name="editor-canvas"]');
	return canvas?.contentDocument?.querySelector<HTMLElement>('.editor-post-title[contenteditable="true"]') ?? null;
}
