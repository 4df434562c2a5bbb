/** What a site has once, in fields that its profile declares. */
import { useResource } from '../../api/collections';

export interface OptionsPage {
	name: string;
	label: string;
	meta: Record<string, unknown>;
}

export const OPTIONS_PAGES_PATH = '/wp/v2/options-pages';

/** Return the options pages; none where the profile declares none, and the interface has no such route. */
export function useOptionsPages(): OptionsPage[] {
	const { value: index } = useResource<{ routes: Record<string, unknown> }>('/wp/v2', { _fields: 'routes' });
	const known = Boolean(index && OPTIONS_PAGES_PATH in index.routes);
	const { value } = useResource<OptionsPage[]>(known ? OPTIONS_PAGES_PATH : null);
	return value ?? [];
}
