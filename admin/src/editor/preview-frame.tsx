import { useEffect, useMemo, useRef, useState, type FocusEventHandler } from 'react';

import { boot } from '../app/boot';
import { sprintf, t } from '../app/i18n';

interface Props {
	html?: string;
	title?: string;
	/** Class of the body. */
	type?: string;
	/** Texts of style sheets. */
	styles?: readonly string[];
	onFocus?: FocusEventHandler<HTMLIFrameElement>;
	tabIndex?: number;
}

interface FrameMessage {
	action: 'ready' | 'resize' | 'refused';
	height?: number;
	address?: string;
}

const NO_STYLES: readonly string[] = [];

/**
 * Shows markup that somebody wrote, with its scripts, in a frame apart; takes the place of the editor's own `SandBox`.
 *
 * The page in the frame has a policy of its own (pages/preview_frame.py): nothing of other sites is loaded there.
 */
export function PreviewFrame({ html = '', title = '', type = '', styles = NO_STYLES, onFocus, tabIndex }: Props) {
	const frame = useRef<HTMLIFrameElement>(null);
	const [height, setHeight] = useState(0);
	const [refused, setRefused] = useState<string[]>([]);
	const content = useMemo(
		() => ({ action: 'show', html, title, className: type, styles, language: document.documentElement.lang }),
		[html, title, type, styles],
	);
	useEffect(() => {
		const element = frame.current;
		// It may stand in the frame of the canvas, whose window hears what is sent to it.
		const view = element?.ownerDocument.defaultView;
		const show = (): void => element?.contentWindow?.postMessage(content, '*');
		const listen = ({ source, data }: MessageEvent<FrameMessage>): void => {
			if (source !== element?.contentWindow) {
				return;
			}
			if (data.action === 'ready') {
				show();
			} else if (data.action === 'resize') {
				setHeight(data.height ?? 0);
			} else {
				setRefused((all) => [...new Set([...all, data.address ?? ''])]);
			}
		};
		view?.addEventListener('message', listen);
		setRefused([]);
		show();
		return () => view?.removeEventListener('message', listen);
	}, [content]);
	return (
		<>
			<iframe
				ref={frame}
				className="components-sandbox"
				title={title}
				src={`${boot.admin}/preview-frame`}
				sandbox="allow-scripts allow-popups"
				onFocus={onFocus}
				tabIndex={tabIndex}
				height={Math.ceil(height)}
				width="100%"
			/>
			{refused.length > 0 && (
				<p className="preview-refused" role="status">
					{/* translators: %s: addresses */}
					{sprintf(t('The preview loads nothing of other sites: %s'), refused.join(', '))}
				</p>
			)}
		</>
	);
}
