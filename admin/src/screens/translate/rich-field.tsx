import { useEffect, useRef, type ClipboardEvent } from 'react';

import { cleanInline } from './inline-html';

interface Props {
	label: string;
	language: string;
	html: string;
	placeholder: string;
	onChange: (html: string) => void;
}

/** A text with bold, italics and links that are written over, not as tags. */
export function RichField({ label, language, html, placeholder, onChange }: Props) {
	const field = useRef<HTMLDivElement>(null);
	// What is typed is in the field already; only what comes from elsewhere is written into it.
	const shown = useRef('');
	useEffect(() => {
		if (field.current && html !== shown.current) {
			shown.current = html;
			field.current.innerHTML = cleanInline(html);
		}
	}, [html]);
	const change = (): void => {
		const typed = field.current?.innerHTML ?? '';
		const text = typed === '<br>' ? '' : typed;
		shown.current = text;
		onChange(text);
	};
	const paste = (event: ClipboardEvent): void => {
		event.preventDefault();
		document.execCommand('insertText', false, event.clipboardData.getData('text/plain').replace(/\s*\n\s*/g, ' '));
	};
	return (
		<div
			ref={field}
			className="translation-field"
			contentEditable
			suppressContentEditableWarning
			role="textbox"
			tabIndex={0}
			aria-multiline="true"
			aria-label={label}
			data-placeholder={placeholder}
			data-translation-field=""
			lang={language}
			spellCheck
			onInput={change}
			onPaste={paste}
			onKeyDown={(event) => {
				if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
					// A paragraph stays one paragraph.
					event.preventDefault();
					document.execCommand('insertLineBreak');
				}
			}}
		/>
	);
}
