/** Whole collections, page by page. */
import { useMemo } from 'react';

import { requestPage, type Query } from '../../api/client';
import { useCollection, type Loaded } from '../../api/collections';

const PER_PAGE = 100;

/** Go over all pages of a collection. Ends where a page is not full. */
export async function* readPages<Item>(
	path: string,
	query: Query = {},
	signal?: AbortSignal,
): AsyncGenerator<{ items: Item[]; total: number }> {
	for (let page = 1; ; page += 1) {
		const { items, total, pages } = await requestPage<Item>(path, {
			query: { ...query, per_page: PER_PAGE, page },
			...(signal ? { signal } : {}),
		});
		yield { items, total };
		if (page >= pages) {
			return;
		}
	}
}

/** Return every record of a collection. */
export async function readAll<Item>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Item[]> {
	const all: Item[] = [];
	for await (const { items } of readPages<Item>(path, query, signal)) {
		all.push(...items);
	}
	return all;
}

/** Read the first hundred records of a small collection: tax classes, shipping classes, attributes. */
export function useSmallCollection<Item>(path: string | null, query: Query = {}): Loaded<Item[]> {
	const { value, ...rest } = useCollection<Item>(path, { per_page: PER_PAGE, ...query });
	const items = useMemo(() => value?.items, [value]);
	return { value: items, ...rest };
}
