/** What the post editor asks for as it opens a record. */
import { getCollectionPath, type ContentType } from '../../app/content-types';
import { FIRST_REQUESTS } from '../../editor/first-requests';

/** Return the routes for a record of a type. id: 0 while it is being created. */
export function listFirstRequests(type: ContentType, id: number): string[] {
	if (!id) {
		return [];
	}
	const collection = getCollectionPath(type);
	const record = `${collection}/${String(id)}`;
	return [
		`${record}?context=edit`,
		...FIRST_REQUESTS,
		`/wp/v2/types/${type.slug}?context=edit`,
		'/wp/v2/taxonomies?context=edit',
		'/wp/v2/users/me',
		'OPTIONS /wp/v2/templates',
		`OPTIONS ${collection}`,
		...('autosave' in type.supports ? [`${record}/autosaves?context=edit`] : []),
	];
}
