import { useEffect, useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';

import { Dialog } from '../../app/dialog';
import { t } from '../../app/i18n';
import { addParagraphs, cleanMarkup, completeMarkup } from './markup';

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
	const [linking, setLinking] = useState<string | null>(null);
	const commands = listCommands();

	// What comes from outside is shown; what was typed here stays as it is, with the place of the cursor.
	useEffect(() => {
		if (area.current && value !== written.current) {
			written.current = value;
			area.current.innerHTML = cleanMarkup(addParagraphs(value));
		}
	}, [value]);
	useEffect(() => {
		const follow = (): void => {
			const selection = document.getSelection();
			if (selection?.rangeCount && area.current?.contains(selection.anchorNode)) {
				selected.current = selection.getRangeAt(0).cloneRange();
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
		const selection = document.getSelection();
		if (selected.current && !area.current?.contains(selection?.anchorNode ?? null)) {
			selection?.removeAllRanges();
			selection?.addRange(selected.current);
		}
		document.execCommand('defaultParagraphSeparator', false, 'p');
		document.execCommand('styleWithCSS', false, 'false');
		document.execCommand(name, false, argument);
		report();
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
				setLinking(findLink(selected.current));
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
				<button
					type="button"
					onMouseDown={(event) => event.preventDefault()}
					onClick={() => setLinking(findLink(selected.current))}
				>
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
				onFocus={() => document.execCommand('defaultParagraphSeparator', false, 'p')}
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
					address={linking}
					onClose={() => setLinking(null)}
					onChoose={(address) => {
						setLinking(null);
						// Once the dialog has given the focus back.
						window.setTimeout(() => writeLink(address, selected.current, run));
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
	const choose = (): void => onChoose(/^[\w-]+(\.[\w-]+)+/.test(text) ? `https://${text}` : text.trim());
	return (
		<Dialog title={t('Link')} onClose={onClose}>
			<div className="field">
				<label htmlFor={id}>{t('Address')}</label>
				<input
					id={id}
					className="input"
					value={text}
					placeholder="https://"
					// The dialog was opened to write it.
					// eslint-disable-next-line jsx-a11y/no-autofocus
					autoFocus
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
	if (anchor && range) {
		range.selectNodeContents(anchor);
	}
	if (address === '') {
		run('unlink');
	} else if (range?.collapsed !== false) {
		const link = document.createElement('a');
		link.href = address;
		link.textContent = address;
		run('insertHTML', link.outerHTML.replace(link.href, address));
	} else {
		run('createLink', address);
	}
}
