/** The collections that are no content type and no taxonomy. */
import type { Collection } from '../../list/collection';
import { buildCommentCollection } from './comments';
import { buildGlossaryCollection } from './glossary';
import { buildPatternCollection } from './patterns';
import { buildPeopleCollection } from './people';
import { buildRedirectCollection } from './redirects';
import { buildRoleCollection } from './roles';
import { buildShippingClassCollection } from './shipping-classes';
import { buildShopWebhookCollection, buildWebhookCollection } from './webhooks';

/** By the name in the address; a function, since labels are known only when the texts are loaded. */
export const COLLECTIONS: Record<string, () => Collection> = {
	comments: buildCommentCollection,
	glossary: buildGlossaryCollection,
	patterns: buildPatternCollection,
	users: buildPeopleCollection,
	redirects: buildRedirectCollection,
	roles: buildRoleCollection,
	'shipping-classes': buildShippingClassCollection,
	webhooks: buildWebhookCollection,
	'shop-webhooks': buildShopWebhookCollection,
};
