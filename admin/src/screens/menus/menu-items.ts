/** Entries of a menu as the interface has them: reading them as a tree, writing what was changed. */
import { request, requestPage } from '../../api/client';
import { sendBatch, type BatchPart } from '../../list/batches';
import { readText, type Item } from '../../list/collection';
import { findParent, type MenuEntry } from './menu-tree';

export const MENUS_PATH = '/wp/v2/menus';
export const ITEMS_PATH = '/wp/v2/menu-items';
const PER_PAGE = 100;

export interface Menu extends Item {
	id: number;
	name: string;
	description: string;
	locations: string[];
	lang?: string;
	translations?: Record<string, { id: number }>;
}

interface MenuItem extends Item {
	id: number;
	parent: number;
	menu_order: number;
}

/** Return the entries of a menu in their order, with their depths. */
export async function loadEntries(menu: number, language: string): Promise<MenuEntry[]> {
	const items: MenuItem[] = [];
	let pages = 1;
	for (let page = 1; page <= pages; page += 1) {
		const query = { menus: menu, context: 'edit', per_page: PER_PAGE, page, status: 'publish,draft' };
		const found = await requestPage<MenuItem>(ITEMS_PATH, { query, language });
		items.push(...found.items);
		pages = found.pages;
	}
	const known = new Set(items.map((one) => one.id));
	const below = new Map<number, MenuItem[]>();
	for (const one of items) {
		const parent = known.has(one.parent) ? one.parent : 0;
		below.set(parent, [...(below.get(parent) ?? []), one]);
	}
	const entries: MenuEntry[] = [];
	const seen = new Set<number>();
	const walk = (parent: number, depth: number): void => {
		for (const item of below.get(parent) ?? []) {
			if (!seen.has(item.id)) {
				seen.add(item.id);
				entries.push(buildEntry(item, depth));
				walk(item.id, depth + 1);
			}
		}
	};
	walk(0, 0);
	// Entries that stand below each other in a circle have no way from the top; they are shown there.
	items
		.filter((one) => !seen.has(one.id))
		.forEach((one) => {
			seen.add(one.id);
			entries.push(buildEntry(one, 0));
		});
	return entries;
}

function buildEntry(item: MenuItem, depth: number): MenuEntry {
	return {
		key: String(item.id),
		id: item.id,
		depth,
		title: readText(item['title']),
		attr_title: String(item['attr_title'] ?? ''),
		target: item['target'] === '_blank' ? '_blank' : '',
		classes: ((item['classes'] ?? []) as string[]).filter(Boolean),
		url: String(item['url'] ?? ''),
		type: String(item['type']),
		type_label: String(item['type_label'] ?? ''),
		object: String(item['object']),
		object_id: Number(item['object_id']),
		invalid: item['invalid'] === true,
	};
}

/**
 * Write what differs between two states of a menu: new entries first, since others may stand below them, then all the
 * rest at once. Returns the numbers of the new entries by their keys.
 */
export async function saveEntries(
	menu: number,
	before: readonly MenuEntry[],
	entries: readonly MenuEntry[],
	language: string,
): Promise<Map<string, number>> {
	const fresh = entries.filter((one) => one.id === null);
	const made = (await sendBatch(
		fresh.map((one): BatchPart => ({
			method: 'POST',
			path: ITEMS_PATH,
			body: { ...describeTarget(one), ...describeTexts(one), menus: menu, status: 'publish' },
		})),
		language,
	)) as Item[];
	const numbers = new Map(fresh.map((one, index) => [one.key, Number(made[index]?.id)]));
	const getNumber = (one: MenuEntry | undefined): number => (one ? (one.id ?? numbers.get(one.key) ?? 0) : 0);

	const old = new Map(before.map((one, index) => [one.key, describePlace(before, index, getNumber)]));
	const parts: BatchPart[] = [];
	entries.forEach((one, index) => {
		const place = describePlace(entries, index, getNumber);
		const known = before.find(({ key }) => key === one.key);
		const body = {
			...(JSON.stringify(old.get(one.key)) === JSON.stringify(place) ? {} : place),
			...(known && JSON.stringify(describeTexts(known)) !== JSON.stringify(describeTexts(one))
				? describeTexts(one)
				: {}),
		};
		if (Object.keys(body).length) {
			parts.push({ method: 'POST', path: `${ITEMS_PATH}/${String(getNumber(one))}`, body });
		}
	});
	const kept = new Set(entries.map(({ key }) => key));
	for (const { key, id } of before) {
		if (!kept.has(key)) {
			parts.push({ method: 'DELETE', path: `${ITEMS_PATH}/${String(id)}`, query: { force: true } });
		}
	}
	await sendBatch(parts, language);
	return numbers;
}

function describePlace(
	entries: readonly MenuEntry[],
	index: number,
	getNumber: (one: MenuEntry | undefined) => number,
): Record<string, unknown> {
	return { parent: getNumber(entries[findParent(entries, index)]), menu_order: index + 1 };
}

function describeTexts({ title, attr_title, target, classes, url, type }: MenuEntry): Record<string, unknown> {
	return { title, attr_title, target, classes, ...(type === 'custom' ? { url } : {}) };
}

function describeTarget({ type, object, object_id }: MenuEntry): Record<string, unknown> {
	return type === 'custom' ? { type } : { type, object, object_id };
}

/** Make an empty menu and return it. */
export function createMenu(name: string, language: string): Promise<Menu> {
	return request<Menu>(MENUS_PATH, { method: 'POST', body: { name }, language });
}
