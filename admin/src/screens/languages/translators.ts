/** The accounts that translate. */
import { useCollection } from '../../api/collections';

export interface Translator {
	id: number;
	name: string;
}

/** Return those who translate; undefined as long as they are not known, empty where the person may not list accounts. */
export function useTranslators(): Translator[] | undefined {
	const { value, error } = useCollection<Translator>('/wp/v2/users', {
		context: 'edit',
		capabilities: ['translate'],
		per_page: 100,
		_fields: 'id,name',
	});
	return value?.items ?? (error === undefined ? undefined : []);
}
