import { useId, type ReactNode } from 'react';

interface Props {
	title: string;
	/** Buttons beside the title. */
	actions?: ReactNode;
	children: ReactNode;
}

/** One subject of an order, with its title. */
export function SidePanel({ title, actions, children }: Props) {
	const id = useId();
	return (
		<section className="panel order-panel" aria-labelledby={id}>
			<header className="order-panel-head">
				<h2 id={id}>{title}</h2>
				{actions}
			</header>
			{children}
		</section>
	);
}
