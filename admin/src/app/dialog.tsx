import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';

import { t } from './i18n';

interface Props {
	title: string;
	children: ReactNode;
	onClose: () => void;
	/** Whether it takes the width of the window, as for a picture. */
	wide?: boolean;
}

/** A dialog of the browser's own; the focus goes back to where it was, before anybody can put it elsewhere. */
export function Dialog({ title, children, onClose, wide = false }: Props) {
	const dialog = useRef<HTMLDialogElement>(null);
	const heading = useId();
	useLayoutEffect(() => {
		const before = document.activeElement;
		const element = dialog.current;
		element?.showModal();
		return () => {
			element?.close();
			if (before instanceof HTMLElement && before.isConnected) {
				before.focus();
			}
		};
	}, []);
	return (
		<dialog
			ref={dialog}
			className={wide ? 'dialog dialog-wide' : 'dialog'}
			aria-labelledby={heading}
			onCancel={(event) => {
				event.preventDefault();
				onClose();
			}}
		>
			<header className="dialog-header">
				<h2 id={heading}>{title}</h2>
				<button type="button" className="button" aria-label={t('Close')} onClick={onClose}>
					×
				</button>
			</header>
			{children}
		</dialog>
	);
}
