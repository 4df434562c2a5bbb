/** The accounts that translate. */
import { forget, useCollection } from '../../api/collections';

const ACCOUNTS = '/wp/v2/users';

export interface Translator {
	id: number;
	name: string;
}

/** Return those who translate; undefined as long as they are not known, empty where the person may not list accounts. */
export function useTranslators(): Translator[] | undefined {
	const { value, error } = useCollection<Translator>(ACCOUNTS, {
		context: 'edit',
		capabilities: ['translate'],
		per_page: 100,
		_fields: 'id,name',
	});
	return value?.items ?? (error === undefined ? undefined : []);
}

/** Ask again for the translators; whoever is given a job is one from then on. */
export function forgetTranslators(): void {
	forget(ACCOUNTS);
}
