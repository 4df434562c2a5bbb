import { useId, type ReactNode } from 'react';

import { Link } from '../../app/link';

interface Props {
	title: string;
	/** The screen that has all of it. */
	to?: string;
	more?: string;
	children: ReactNode;
}

/** One kind of thing that waits; without an entry the style sheet hides it. */
export function Panel({ title, to, more, children }: Props) {
	const id = useId();
	return (
		<section className="panel dashboard-panel" aria-labelledby={id}>
			<h2 id={id}>{title}</h2>
			<ul>{children}</ul>
			{to && <Link to={to}>{more}</Link>}
		</section>
	);
}

interface EntryProps {
	children: ReactNode;
	/** What stands behind it, quietly. */
	note?: ReactNode;
}

export function Entry({ children, note }: EntryProps) {
	return (
		<li>
			<span className="entry-name">{children}</span>
			{note !== undefined && <span className="quiet entry-note">{note}</span>}
		</li>
	);
}
