import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';

import { boot } from './boot';

interface Props {
	title: string;
	/** Buttons beside the title. */
	actions?: ReactNode;
	children: ReactNode;
}

/** The frame of a screen: its title, also that of the window, and what can be done. */
export function Screen({ title, actions, children }: Props) {
	const heading = useRef<HTMLHeadingElement>(null);
	useEffect(() => {
		document.title = `${title} – ${boot.site.title}`;
	}, [title]);
	// A reader of the screen hears where a link has led. Later, it would take the focus from who has begun to type.
	useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
	return (
		<section className="screen">
			<header className="screen-header">
				<h1 ref={heading} tabIndex={-1}>
					{title}
				</h1>
				{actions && <div className="screen-actions">{actions}</div>}
			</header>
			{children}
		</section>
	);
}
