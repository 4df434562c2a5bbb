/** What the editor asks for as it opens; found by watching it (`tests/browser/admin/test_editor.py` keeps it true). */
import { getCollectionPath, type ContentType } from '../../app/content-types';

/** Return the routes for a record of a type. id: 0 while it is being created. */
export function listFirstRequests(type: ContentType, id: number): string[] {
	const record = `${getCollectionPath(type)}/${String(id)}`;
	return id ? [`${record}?context=edit`] : [];
}
