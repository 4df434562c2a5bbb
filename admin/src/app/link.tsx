import type { AnchorHTMLAttributes, MouseEvent } from 'react';

import { boot } from './boot';
import { navigate } from './router';

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
	/** Path below the administration. */
	to: string;
}

/** A link to another screen; with a modifier key it opens as any link does. */
export function Link({ to, onClick, ...rest }: Props) {
	const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
		onClick?.(event);
		if (
			event.defaultPrevented ||
			event.button !== 0 ||
			event.metaKey ||
			event.ctrlKey ||
			event.shiftKey ||
			event.altKey
		) {
			return;
		}
		event.preventDefault();
		navigate(to);
	};
	return <a {...rest} href={boot.admin + to} onClick={follow} />;
}
