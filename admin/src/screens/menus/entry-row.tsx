import { useState, type DragEvent } from 'react';

import { sprintf, t } from '../../app/i18n';
import type { MenuEntry, Move } from './menu-tree';

interface Props {
	entry: MenuEntry;
	/** Moves that are possible. */
	moves: readonly Move[];
	onMove: (move: Move) => void;
	onChange: (changes: Partial<MenuEntry>) => void;
	onRemove: () => void;
	onDragStart: (event: DragEvent) => void;
	onDragEnd: () => void;
}

/** One entry of a menu: its place, its label, and a form of all that is its own. */
export function EntryRow({ entry, moves, onMove, onChange, onRemove, onDragStart, onDragEnd }: Props) {
	const [open, setOpen] = useState(false);
	const title = entry.title || t('(no title)');
	const labels: Record<Move, [string, string]> = {
		up: ['↑', sprintf(t('Move %s up'), title)],
		down: ['↓', sprintf(t('Move %s down'), title)],
		in: ['→', sprintf(t('Move %s one level in'), title)],
		out: ['←', sprintf(t('Move %s one level out'), title)],
	};
	return (
		<div className={entry.invalid ? 'menu-entry is-invalid' : 'menu-entry'}>
			<div className="menu-entry-head">
				<span
					className="menu-handle"
					draggable
					title={t('Drag to move')}
					aria-hidden="true"
					onDragStart={onDragStart}
					onDragEnd={onDragEnd}
				>
					⠿
				</span>
				<span className="menu-entry-title">
					{title}
					<span className="quiet"> {entry.invalid ? t('what it led to is gone') : entry.type_label}</span>
				</span>
				<span className="menu-entry-buttons">
					{(Object.keys(labels) as Move[]).map((move) => (
						<button
							key={move}
							type="button"
							className="button button-small"
							aria-label={labels[move][1]}
							title={labels[move][1]}
							// Not `disabled`: the button that has the focus would lose it at the end of the way.
							aria-disabled={!moves.includes(move)}
							data-move={move}
							onClick={() => {
								if (moves.includes(move)) {
									onMove(move);
								}
							}}
						>
							{labels[move][0]}
						</button>
					))}
					<button
						type="button"
						className="button button-small"
						aria-expanded={open}
						aria-label={sprintf(t('Change %s'), title)}
						onClick={() => setOpen(!open)}
					>
						{t('Change')}
					</button>
					<button
						type="button"
						className="button button-small button-danger"
						aria-label={sprintf(t('Remove %s'), title)}
						onClick={onRemove}
					>
						×
					</button>
				</span>
			</div>
			{open && <EntryForm entry={entry} onChange={onChange} />}
		</div>
	);
}

function EntryForm({ entry, onChange }: Pick<Props, 'entry' | 'onChange'>) {
	const id = `entry-${entry.key}`;
	return (
		<div className="menu-entry-form">
			<div className="field">
				<label htmlFor={`${id}-title`}>{t('Label')}</label>
				<input
					id={`${id}-title`}
					className="input"
					value={entry.title}
					onChange={(event) => onChange({ title: event.target.value })}
				/>
			</div>
			{entry.type === 'custom' ? (
				<div className="field">
					<label htmlFor={`${id}-url`}>{t('Address')}</label>
					<input
						id={`${id}-url`}
						className="input"
						value={entry.url}
						onChange={(event) => onChange({ url: event.target.value })}
					/>
				</div>
			) : (
				<p className="quiet">
					{t('Leads to')}{' '}
					<a href={entry.url} target="_blank" rel="noopener">
						{entry.url}
					</a>
				</p>
			)}
			<div className="field">
				<label htmlFor={`${id}-hint`}>{t('Title attribute')}</label>
				<input
					id={`${id}-hint`}
					className="input"
					value={entry.attr_title}
					onChange={(event) => onChange({ attr_title: event.target.value })}
				/>
			</div>
			<div className="field">
				<label htmlFor={`${id}-classes`}>{t('CSS classes')}</label>
				<input
					id={`${id}-classes`}
					className="input"
					defaultValue={entry.classes.join(' ')}
					onChange={(event) => onChange({ classes: event.target.value.split(/\s+/).filter(Boolean) })}
				/>
			</div>
			<label className="check">
				<input
					type="checkbox"
					checked={entry.target === '_blank'}
					onChange={(event) => onChange({ target: event.target.checked ? '_blank' : '' })}
				/>
				{t('Open in a new window')}
			</label>
		</div>
	);
}
