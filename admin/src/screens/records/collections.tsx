/** The collections that are no content type and no taxonomy. */
import type { Collection } from '../../list/collection';
import { buildCommentCollection } from './comments';
import { buildPatternCollection } from './patterns';
import { buildPeopleCollection } from './people';
import { buildRedirectCollection } from './redirects';

/** By the name in the address; a function, since labels are known only when the texts are loaded. */
export const COLLECTIONS: Record<string, () => Collection> = {
	comments: buildCommentCollection,
	patterns: buildPatternCollection,
	users: buildPeopleCollection,
	redirects: buildRedirectCollection,
};
