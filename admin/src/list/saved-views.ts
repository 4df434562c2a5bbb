/** The views that a person has saved, kept with the account, so that they are there on every machine. */
import type { View } from '@wordpress/dataviews';
import { useCallback } from 'react';

import { request } from '../api/client';
import { useResource } from '../api/collections';

export interface SavedView {
	name: string;
	preset: string;
	view: View;
}

interface Account {
	meta: { persisted_preferences?: Record<string, unknown> };
}

const PATH = '/wp/v2/users/me';
const KEY = 'vetrina/views';

export function useSavedViews(collection: string): {
	views: SavedView[];
	save: (views: SavedView[]) => Promise<void>;
} {
	const { value } = useResource<Account>(PATH, { context: 'edit', _fields: 'meta' });
	const all = (value?.meta.persisted_preferences?.[KEY] ?? {}) as Record<string, SavedView[]>;
	const save = useCallback(
		async (views: SavedView[]) => {
			// Other screens store preferences in the same member: what is there now is read again.
			const { meta } = await request<Account>(PATH, { query: { context: 'edit', _fields: 'meta' } });
			const stored = meta.persisted_preferences ?? {};
			const known = (stored[KEY] ?? {}) as Record<string, SavedView[]>;
			const next = { ...stored, [KEY]: { ...known, [collection]: views } };
			await request(PATH, { method: 'POST', body: { meta: { persisted_preferences: next } } });
		},
		[collection],
	);
	return { views: all[collection] ?? [], save };
}
