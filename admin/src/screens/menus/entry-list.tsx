import { useEffect, useRef, useState, type DragEvent } from 'react';

import { sprintf, t } from '../../app/i18n';
import { showDone } from '../../app/toasts';
import { EntryRow } from './entry-row';
import { canMove, dropEntry, moveEntry, removeEntry, type MenuEntry, type Move } from './menu-tree';

interface Props {
	entries: readonly MenuEntry[];
	onChange: (entries: MenuEntry[]) => void;
}

/** Where an entry would come: before which row, on which level. */
interface Target {
	row: number;
	depth: number;
}

const MOVES: readonly Move[] = ['up', 'down', 'in', 'out'];
/** Pixels that one level is set in. */
const INDENT = 28;

/** The entries of a menu as a tree; buttons move them, and so does dragging. */
export function EntryList({ entries, onChange }: Props) {
	const list = useRef<HTMLUListElement>(null);
	const [said, setSaid] = useState('');
	const [dragged, setDragged] = useState<number | null>(null);
	const [target, setTarget] = useState<Target | null>(null);
	const focused = useRef<{ key: string; move: Move } | null>(null);
	// The row that moved is another element now; the focus goes with it.
	useEffect(() => {
		if (focused.current) {
			const { key, move } = focused.current;
			focused.current = null;
			list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"] [data-move="${move}"]`)?.focus();
		}
	}, [entries]);

	const move = (index: number, way: Move): void => {
		const entry = entries[index];
		if (!entry) {
			return;
		}
		const next = moveEntry(entries, index, way);
		focused.current = { key: entry.key, move: way };
		const at = next.findIndex(({ key }) => key === entry.key);
		const level = (next[at]?.depth ?? 0) + 1;
		setSaid(sprintf(t('%1$s is now in row %2$d on level %3$d.'), entry.title, at + 1, level));
		onChange(next);
	};
	const remove = (index: number): void => {
		const entry = entries[index];
		if (entry) {
			onChange(removeEntry(entries, index));
			showDone(sprintf(t('%s is taken out of the menu.'), entry.title), () => onChange([...entries]));
		}
	};
	const aim = (event: DragEvent, row: number): Target => {
		event.preventDefault();
		const bounds = event.currentTarget.getBoundingClientRect();
		const left = list.current?.getBoundingClientRect().left ?? 0;
		return {
			row: event.clientY > bounds.top + bounds.height / 2 ? row + 1 : row,
			depth: Math.max(0, Math.floor((event.clientX - left) / INDENT)),
		};
	};
	const drop = (event: DragEvent, index: number): void => {
		// Where the mark was drawn last may be where the entry was before.
		const { row, depth } = aim(event, index);
		if (dragged !== null) {
			onChange(dropEntry(entries, dragged, row, depth));
		}
		setDragged(null);
		setTarget(null);
	};
	if (entries.length === 0) {
		return <p className="quiet">{t('The menu is empty. Add pages, posts, terms or links.')}</p>;
	}
	return (
		<>
			<p className="visually-hidden" role="status">
				{said}
			</p>
			<ul ref={list} className="menu-entries">
				{entries.map((entry, index) => (
					<li
						key={entry.key}
						data-key={entry.key}
						className={
							target?.row === index
								? 'is-target-above'
								: target?.row === index + 1 && index === entries.length - 1
									? 'is-target-below'
									: undefined
						}
						style={{ marginInlineStart: `min(${String(entry.depth * INDENT)}px, ${String(entry.depth * 4)}vw)` }}
						onDragOver={(event) => {
							if (dragged !== null) {
								setTarget(aim(event, index));
							}
						}}
						onDrop={(event) => drop(event, index)}
					>
						<EntryRow
							entry={entry}
							moves={MOVES.filter((one) => canMove(entries, index, one))}
							onMove={(way) => move(index, way)}
							onChange={(changes) => onChange(entries.map((one, at) => (at === index ? { ...one, ...changes } : one)))}
							onRemove={() => remove(index)}
							onDragStart={(event) => {
								event.dataTransfer.effectAllowed = 'move';
								event.dataTransfer.setData('text/plain', entry.title);
								setDragged(index);
							}}
							onDragEnd={() => {
								setDragged(null);
								setTarget(null);
							}}
						/>
					</li>
				))}
			</ul>
		</>
	);
}
