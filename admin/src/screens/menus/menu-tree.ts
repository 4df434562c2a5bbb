/** The entries of a menu as rows with a depth: moving one moves what is below it. */

export interface MenuEntry {
	/** Stable while the menu is open; an entry that is new has no number yet. */
	key: string;
	id: number | null;
	depth: number;
	title: string;
	attr_title: string;
	target: '' | '_blank';
	classes: string[];
	url: string;
	type: string;
	type_label: string;
	object: string;
	object_id: number;
	invalid: boolean;
}

export const MAX_DEPTH = 10;

/** Return the index after the last entry below one. */
export function findEnd(entries: readonly MenuEntry[], index: number): number {
	const depth = entries[index]?.depth ?? 0;
	let end = index + 1;
	while (end < entries.length && (entries[end]?.depth ?? 0) > depth) {
		end += 1;
	}
	return end;
}

/** Return the index of the entry above another one on its level, -1 where it is the first. */
export function findPreviousSibling(entries: readonly MenuEntry[], index: number): number {
	const depth = entries[index]?.depth ?? 0;
	for (let at = index - 1; at >= 0; at -= 1) {
		const other = entries[at]?.depth ?? 0;
		if (other <= depth) {
			return other === depth ? at : -1;
		}
	}
	return -1;
}

/** Return the index of the entry below another one on its level, -1 where it is the last. */
export function findNextSibling(entries: readonly MenuEntry[], index: number): number {
	const end = findEnd(entries, index);
	return entries[end]?.depth === entries[index]?.depth ? end : -1;
}

/** Return the index of the entry that an entry is below of, -1 at the top. */
export function findParent(entries: readonly MenuEntry[], index: number): number {
	const depth = entries[index]?.depth ?? 0;
	for (let at = index - 1; at >= 0; at -= 1) {
		if ((entries[at]?.depth ?? 0) < depth) {
			return at;
		}
	}
	return -1;
}

export type Move = 'up' | 'down' | 'in' | 'out';

/** Return whether an entry can be moved. */
export function canMove(entries: readonly MenuEntry[], index: number, move: Move): boolean {
	switch (move) {
		case 'up':
			return findPreviousSibling(entries, index) >= 0;
		case 'down':
			return findNextSibling(entries, index) >= 0;
		case 'in':
			return findPreviousSibling(entries, index) >= 0 && (entries[index]?.depth ?? 0) < MAX_DEPTH;
		case 'out':
			return (entries[index]?.depth ?? 0) > 0;
	}
}

/** Return the entries with one moved, together with what is below it. */
export function moveEntry(entries: readonly MenuEntry[], index: number, move: Move): MenuEntry[] {
	if (!canMove(entries, index, move)) {
		return [...entries];
	}
	const end = findEnd(entries, index);
	const block = entries.slice(index, end);
	const rest = [...entries.slice(0, index), ...entries.slice(end)];
	if (move === 'up') {
		return insert(rest, findPreviousSibling(entries, index), block);
	}
	if (move === 'down') {
		const next = findNextSibling(entries, index);
		return insert(rest, findEnd(entries, next) - block.length, block);
	}
	if (move === 'in') {
		return insert(rest, index, shift(block, 1));
	}
	const parent = findParent(entries, index);
	return insert(rest, findEnd(entries, parent) - block.length, shift(block, -1));
}

/** Return the entries with one put before the row `to` (of the entries as they are), at a depth that fits there. */
export function dropEntry(entries: readonly MenuEntry[], index: number, to: number, depth: number): MenuEntry[] {
	const end = findEnd(entries, index);
	if (to > index && to < end) {
		return [...entries];
	}
	const block = entries.slice(index, end);
	const rest = [...entries.slice(0, index), ...entries.slice(end)];
	const at = to > index ? to - block.length : to;
	const most = Math.min(at > 0 ? (rest[at - 1]?.depth ?? 0) + 1 : 0, MAX_DEPTH);
	const least = rest[at]?.depth ?? 0;
	const fitting = Math.max(Math.min(depth, most), Math.min(least, most));
	return insert(rest, at, shift(block, fitting - (block[0]?.depth ?? 0)));
}

/** Return the entries without one; what was below it moves up a level. */
export function removeEntry(entries: readonly MenuEntry[], index: number): MenuEntry[] {
	const end = findEnd(entries, index);
	return [...entries.slice(0, index), ...shift(entries.slice(index + 1, end), -1), ...entries.slice(end)];
}

function insert(entries: MenuEntry[], at: number, block: MenuEntry[]): MenuEntry[] {
	return [...entries.slice(0, at), ...block, ...entries.slice(at)];
}

function shift(block: readonly MenuEntry[], by: number): MenuEntry[] {
	return block.map((one) => ({ ...one, depth: one.depth + by }));
}
