import { useEffect, useId, useLayoutEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';

import { Dialog } from '../../app/dialog';
import { t } from '../../app/i18n';
import { cleanMarkup, completeMarkup, prepareMarkup } from './markup';

interface Props {
	label: string;
	help: string;
	value: string;
	onChange: (html: string) => void;
}

interface Command {
	name: string;
	label: string;
	sign: string;
	/** What the browser does to what is selected, and with which value. */
	run: [string, string?];
	/** Its key, with Ctrl or ⌘. */
	key?: string;
}

/** A text with paragraphs, headings, lists, emphasis and links, written as it will look. */
export function RichText({ label, help, value, onChange }: Props) {
	const id = useId();
	const area = useRef<HTMLDivElement>(null);
	const written = useRef<string | null>(null);
	const selected = useRef<Range | null>(null);
	const [active, setActive] = useState<ReadonlySet<string>>(new Set());
	const [linking, setLinking] = useState<{ address: string; range: Range | null } | null>(null);
	const commands = listCommands();

	const showValue = (): void => {
		if (area.current && value !== written.current) {
			written.current = value;
			area.current.innerHTML = prepareMarkup(value);
		}
	};
	// What comes from outside is shown. As long as somebody types, it can only be what they wrote a moment ago.
	useEffect(() => {
		if (document.activeElement !== area.current) {
			showValue();
		}
		// eslint-disable-next-line react-hooks/exhaustive-deps
	}, [value]);
	useEffect(() => {
		const follow = (): void => {
			const range = readSelection(area.current);
			if (range) {
				selected.current = range;
				setActive(new Set(commands.filter(isActive).map(({ name }) => name)));
			}
		};
		document.addEventListener('selectionchange', follow);
		return () => document.removeEventListener('selectionchange', follow);
		// The commands are the same each time.
		// eslint-disable-next-line react-hooks/exhaustive-deps
	}, []);

	const report = (): void => {
		const html = completeMarkup(area.current?.innerHTML ?? '');
		if (html !== written.current) {
			written.current = html;
			onChange(html);
		}
	};
	const run = (name: string, argument?: string): void => {
		area.current?.focus();
		if (!readSelection(area.current)) {
			selectRange(area.current, selected.current);
		}
		document.execCommand('styleWithCSS', false, 'false');
		document.execCommand(name, false, argument);
		report();
	};
	const askLink = (): void => {
		// The browser tells of a changed selection later than of the key that changed it.
		const range = readSelection(area.current) ?? selected.current;
		setLinking({ address: findLink(range), range });
	};
	const runCommand = (command: Command): void => {
		const isBlock = command.run[0] === 'formatBlock';
		run(command.run[0], isBlock && isActive(command) ? 'p' : command.run[1]);
	};
	const onKeyDown = (event: KeyboardEvent): void => {
		const command = commands.find(({ key }) => key === event.key.toLowerCase());
		if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
			if (command) {
				event.preventDefault();
				runCommand(command);
			} else if (event.key.toLowerCase() === 'k') {
				event.preventDefault();
				event.stopPropagation();
				askLink();
			}
		}
	};
	const onPaste = (event: ClipboardEvent): void => {
		event.preventDefault();
		const html = event.clipboardData.getData('text/html');
		if (html) {
			run('insertHTML', cleanMarkup(html));
		} else {
			run('insertText', event.clipboardData.getData('text/plain'));
		}
	};
	return (
		<div className="rich-text">
			<span id={`${id}-label`} className="rich-text-label">
				{label}
			</span>
			<div className="rich-text-tools" role="group" aria-label={t('Formatting')}>
				{commands.map((command) => (
					<button
						key={command.name}
						type="button"
						title={command.label}
						aria-label={command.label}
						aria-pressed={active.has(command.name)}
						className={`rich-text-${command.name}`}
						onMouseDown={(event) => event.preventDefault()}
						onClick={() => runCommand(command)}
					>
						{command.sign}
					</button>
				))}
				<button type="button" onMouseDown={(event) => event.preventDefault()} onClick={() => askLink()}>
					{t('Link')}
				</button>
			</div>
			<div
				ref={area}
				className="rich-text-area"
				role="textbox"
				tabIndex={0}
				aria-multiline="true"
				aria-labelledby={`${id}-label`}
				aria-describedby={help ? `${id}-help` : undefined}
				contentEditable
				suppressContentEditableWarning
				onFocus={() => beginParagraph(area.current)}
				onBlur={showValue}
				onInput={report}
				onKeyDown={onKeyDown}
				onPaste={onPaste}
			/>
			{help && (
				<p id={`${id}-help`} className="schema-help">
					{help}
				</p>
			)}
			{linking !== null && (
				<LinkDialog
					address={linking.address}
					onClose={() => setLinking(null)}
					onChoose={(address) => {
						// The dialog gives the focus back, and with it another place of the cursor.
						flushSync(() => setLinking(null));
						selectRange(area.current, linking.range);
						writeLink(address, linking.range, run);
					}}
				/>
			)}
		</div>
	);
}

interface LinkProps {
	address: string;
	onChoose: (address: string) => void;
	onClose: () => void;
}

function LinkDialog({ address, onChoose, onClose }: LinkProps) {
	const [text, setText] = useState(address);
	const id = useId();
	const field = useRef<HTMLInputElement>(null);
	// The dialog was opened to write it. The attribute `autoFocus` does nothing as long as the dialog is closed.
	useLayoutEffect(() => field.current?.focus(), []);
	const choose = (): void => onChoose(/^[\w-]+(\.[\w-]+)+/.test(text) ? `https://${text}` : text.trim());
	return (
		<Dialog title={t('Link')} onClose={onClose}>
			<div className="field">
				<label htmlFor={id}>{t('Address')}</label>
				<input
					ref={field}
					id={id}
					className="input"
					value={text}
					placeholder="https://"
					onChange={(event) => setText(event.target.value)}
					onKeyDown={(event) => {
						if (event.key === 'Enter') {
							event.preventDefault();
							choose();
						}
					}}
				/>
				<p className="field-help">{t('A whole address, or a path of this site; empty for no link.')}</p>
			</div>
			<div className="form-buttons">
				<button type="button" className="button button-primary" onClick={choose}>
					{t('Set the link')}
				</button>
				<button type="button" className="button" onClick={onClose}>
					{t('Cancel')}
				</button>
			</div>
		</Dialog>
	);
}

function listCommands(): Command[] {
	return [
		{ name: 'bold', label: t('Bold'), sign: 'B', run: ['bold'], key: 'b' },
		{ name: 'italic', label: t('Italic'), sign: 'I', run: ['italic'], key: 'i' },
		{ name: 'heading', label: t('Heading'), sign: 'H', run: ['formatBlock', 'h3'] },
		{ name: 'list', label: t('List'), sign: '•', run: ['insertUnorderedList'] },
		{ name: 'numbers', label: t('Numbered list'), sign: '1.', run: ['insertOrderedList'] },
		{ name: 'quote', label: t('Quote'), sign: '”', run: ['formatBlock', 'blockquote'] },
	];
}

/** Let what is typed into an empty text be a paragraph, as what follows it. */
function beginParagraph(area: HTMLElement | null): void {
	document.execCommand('defaultParagraphSeparator', false, 'p');
	if (area && !area.hasChildNodes()) {
		area.innerHTML = '<p><br></p>';
		document.getSelection()?.collapse(area.firstChild, 0);
	}
}

/** Return what is selected in a text, null where the selection is elsewhere. */
function readSelection(area: HTMLElement | null): Range | null {
	const selection = document.getSelection();
	return selection?.rangeCount && area?.contains(selection.anchorNode) ? selection.getRangeAt(0).cloneRange() : null;
}

/** Select in a text what was selected before. */
function selectRange(area: HTMLElement | null, range: Range | null): void {
	area?.focus();
	if (range) {
		const selection = document.getSelection();
		selection?.removeAllRanges();
		selection?.addRange(range);
	}
}

/** Return whether what is selected has what a command gives. */
function isActive({ run: [name, value] }: Command): boolean {
	return name === 'formatBlock' ? document.queryCommandValue(name) === value : document.queryCommandState(name);
}

/** Return the address of the link that a place of the text is in, '' for none. */
function findLink(range: Range | null): string {
	return findAnchor(range)?.getAttribute('href') ?? '';
}

function findAnchor(range: Range | null): Element | null {
	const node = range?.startContainer;
	return (node instanceof Element ? node : node?.parentElement)?.closest('a') ?? null;
}

/** Give what is selected a link, or the link around it another address; without a selection the address is the text. */
function writeLink(address: string, range: Range | null, run: (name: string, argument?: string) => void): void {
	const anchor = findAnchor(range);
	if (anchor) {
		document.getSelection()?.selectAllChildren(anchor);
	}
	if (address === '') {
		run('unlink');
	} else if (!anchor && range?.collapsed !== false) {
		const link = document.createElement('a');
		link.href = address;
		link.textContent = address;
		run('insertHTML', link.outerHTML.replace(link.href, address));
	} else {
		run('createLink', address);
	}
}
