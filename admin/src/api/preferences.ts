/** What a person has chosen, kept with the account, so that it is there on every machine. */
import { useCallback } from 'react';

import { request } from './client';
import { useResource } from './collections';

interface Account {
	meta: { persisted_preferences?: Record<string, unknown> };
}

const PATH = '/wp/v2/users/me';
const QUERY = { context: 'edit', _fields: 'meta' };

/**
 * Read and write one preference.
 *
 * value: undefined as long as it is not known, null where the person chose nothing.
 */
export function usePreference<Value>(key: string): {
	value: Value | null | undefined;
	store: (change: (before: Value | null) => Value) => Promise<void>;
} {
	const { value } = useResource<Account>(PATH, QUERY);
	const store = useCallback(
		async (change: (before: Value | null) => Value) => {
			// Other screens store preferences in the same member: what is there now is read again.
			const { meta } = await request<Account>(PATH, { query: QUERY });
			const stored = meta.persisted_preferences ?? {};
			const next = { ...stored, [key]: change((stored[key] ?? null) as Value | null) };
			await request(PATH, { method: 'POST', body: { meta: { persisted_preferences: next } } });
		},
		[key],
	);
	return { value: value && ((value.meta.persisted_preferences?.[key] ?? null) as Value | null), store };
}
