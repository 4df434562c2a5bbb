import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';

import { requestPage } from '../api/client';
import { canFor } from './boot';
import { selectWritableTypes, useContentTypes } from './content-types';
import { sprintf, t } from './i18n';
import { useNavigation } from './navigation';
import { navigate, useContentLanguage, withContentLanguage } from './router';

interface Command {
	id: string;
	label: string;
	to: string;
}

interface Found {
	id: number;
	title: string;
	subtype: string;
}

const OPEN = 'vetrina-command-palette';
const WAIT = 150; // milliseconds between the last key and the search

/** Open the command palette from anywhere. */
export function openCommandPalette(): void {
	window.dispatchEvent(new CustomEvent(OPEN));
}

/** Goes to a screen, writes something new, or finds a record, by keyboard alone. */
export function CommandPalette() {
	const dialog = useRef<HTMLDialogElement>(null);
	// How often it was opened, 0 while it is closed: each time it begins empty.
	const [opening, setOpening] = useState(0);
	useEffect(() => {
		let openings = 0;
		const show = (): void => {
			if (!dialog.current?.open) {
				dialog.current?.showModal();
				openings += 1;
				setOpening(openings);
			}
		};
		const onKey = (event: globalThis.KeyboardEvent): void => {
			// The editors have a palette of their own, with the commands of blocks.
			if (
				(event.ctrlKey || event.metaKey) &&
				event.key.toLowerCase() === 'k' &&
				!event.defaultPrevented &&
				!document.querySelector('.whole')
			) {
				event.preventDefault();
				show();
			}
		};
		window.addEventListener(OPEN, show);
		window.addEventListener('keydown', onKey);
		return () => {
			window.removeEventListener(OPEN, show);
			window.removeEventListener('keydown', onKey);
		};
	}, []);
	const onClose = (): void => {
		// The browser tells it later, when it may be open again.
		if (!dialog.current?.open) {
			setOpening(0);
		}
	};
	return (
		<dialog ref={dialog} className="palette" aria-label={t('Command palette')} onClose={onClose}>
			{opening > 0 && <Palette key={opening} onChoose={() => dialog.current?.close()} />}
		</dialog>
	);
}

function Palette({ onChoose }: { onChoose: () => void }) {
	const [text, setText] = useState('');
	const [active, setActive] = useState(0);
	const listId = useId();
	const language = useContentLanguage();
	const commands = useCommands();
	const found = useFound(text, language);
	const shown = useMemo(
		() => [...filterCommands(commands, text), ...(found ?? [])].slice(0, 12),
		[commands, text, found],
	);

	const choose = (command: Command | undefined): void => {
		if (command) {
			onChoose();
			navigate(withContentLanguage(command.to, language));
		}
	};
	const onKey = (event: KeyboardEvent): void => {
		const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
		if (step && shown.length) {
			event.preventDefault();
			setActive((active + step + shown.length) % shown.length);
		} else if (event.key === 'Enter') {
			event.preventDefault();
			choose(shown[active]);
		}
	};
	return (
		<>
			<input
				// The dialog is for typing; nothing else in it takes the focus.
				// eslint-disable-next-line jsx-a11y/no-autofocus
				autoFocus
				role="combobox"
				aria-expanded="true"
				aria-controls={listId}
				aria-activedescendant={shown[active] ? `${listId}-${String(active)}` : undefined}
				aria-label={t('Search or go to …')}
				placeholder={t('Search or go to …')}
				value={text}
				onChange={(event) => {
					setText(event.target.value);
					setActive(0);
				}}
				onKeyDown={onKey}
			/>
			<ul id={listId} role="listbox" aria-label={t('Commands')}>
				{shown.map((command, index) => (
					// The keyboard reaches the options through the field.
					// eslint-disable-next-line jsx-a11y/click-events-have-key-events
					<li
						key={command.id}
						id={`${listId}-${String(index)}`}
						role="option"
						aria-selected={index === active}
						onClick={() => choose(command)}
					>
						{command.label}
					</li>
				))}
			</ul>
			{found && shown.length === 0 && <p className="quiet">{t('Nothing found.')}</p>}
		</>
	);
}

function useCommands(): Command[] {
	const sections = useNavigation();
	const types = useContentTypes();
	const screens = sections.flatMap(({ items }) => items).map(({ to, label }) => ({ id: to, to, label }));
	const additions = selectWritableTypes(types ?? [])
		.filter((type) => canFor(type.slug, type.capabilities['create_posts'] ?? ''))
		.map((type) => ({
			id: `new ${type.slug}`,
			to: `/content/${type.slug}/new`,
			/* translators: %s: name of a content type, for example "Post" */
			label: sprintf(t('Add: %s'), type.labels['singular_name'] ?? type.name),
		}));
	return [{ id: '/', to: '/', label: t('Dashboard') }, ...screens, ...additions];
}

function filterCommands(commands: Command[], text: string): Command[] {
	const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
	return commands.filter(({ label }) => words.every((word) => label.toLocaleLowerCase().includes(word)));
}

/** Search the records of the site while the person types; null until the answer to what is typed is there. */
function useFound(text: string, language: string): Command[] | null {
	const [found, setFound] = useState<{ text: string; commands: Command[] } | null>(null);
	useEffect(() => {
		const abort = new AbortController();
		const settle = (commands: Command[]): void => {
			if (!abort.signal.aborted) {
				setFound({ text, commands });
			}
		};
		const timer = window.setTimeout(() => {
			if (text.trim().length < 2) {
				settle([]);
				return;
			}
			requestPage<Found>('/wp/v2/search', {
				query: { search: text, type: 'post', per_page: 6 },
				language,
				signal: abort.signal,
			}).then(
				({ items }) =>
					settle(
						items.map(({ id, title, subtype }) => ({
							id: `record ${String(id)}`,
							to: `/content/${subtype}/${String(id)}`,
							label: new DOMParser().parseFromString(title, 'text/html').body.textContent ?? title,
						})),
					),
				() => settle([]),
			);
		}, WAIT);
		return () => {
			window.clearTimeout(timer);
			abort.abort();
		};
	}, [text, language]);
	return found?.text === text ? found.commands : null;
}
