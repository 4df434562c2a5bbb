/** The person's preferences of the editors, kept with their account as the interface offers (`persisted_preferences`). */
import { dispatch } from '@wordpress/data';
import { store as preferencesStore } from '@wordpress/preferences';

import { request } from '../api/client';
import { showError } from '../app/toasts';

type Preferences = Record<string, unknown>;

const PATH = '/wp/v2/users/me';
const WAIT = 2_000; // milliseconds in which changes are gathered
const MODIFIED = '_modified';

/** Fill the store of preferences and keep its changes. Where they cannot be read, the editors start with the defaults. */
export function loadPreferences(): void {
	let timer = 0;
	dispatch(preferencesStore).setPersistenceLayer({
		get: async () => {
			try {
				const { meta } = await request<{ meta?: { persisted_preferences?: Preferences } }>(PATH, {
					query: { context: 'edit', _fields: 'meta' },
				});
				return meta?.persisted_preferences ?? {};
			} catch (error) {
				showError(error);
				return {};
			}
		},
		set: (preferences: object) => {
			window.clearTimeout(timer);
			timer = window.setTimeout(() => {
				const kept = { ...preferences, [MODIFIED]: new Date().toISOString() };
				request(PATH, { method: 'POST', body: { meta: { persisted_preferences: kept } } }).catch(showError);
			}, WAIT);
		},
	});
}
