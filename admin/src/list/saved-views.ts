/** The views that a person has saved of a list. */
import type { View } from '@wordpress/dataviews';
import { useCallback } from 'react';

import { usePreference } from '../api/preferences';

export interface SavedView {
	name: string;
	preset: string;
	view: View;
}

export function useSavedViews(collection: string): {
	views: SavedView[];
	save: (views: SavedView[]) => Promise<void>;
} {
	const { value, store } = usePreference<Record<string, SavedView[]>>('vetrina/views');
	const save = useCallback(
		(views: SavedView[]) => store((before) => ({ ...before, [collection]: views })),
		[collection, store],
	);
	return { views: value?.[collection] ?? [], save };
}
