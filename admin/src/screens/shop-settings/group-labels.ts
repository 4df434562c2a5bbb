/** Names of the groups of settings that every shop has; further ones are called as the interface calls them. */
import { decodeEntities } from '@wordpress/html-entities';

import { t, tx } from '../../app/i18n';

const NAMES: Record<string, () => string> = {
	general: () => tx('General', 'settings'),
	products: () => t('Products'),
	tax: () => t('Taxes'),
	shipping: () => t('Shipping'),
	checkout: () => t('Payments'),
	account: () => t('Accounts and privacy'),
	email: () => t('Mails'),
	'site-visibility': () => t('Visibility'),
	'point-of-sale': () => t('Till'),
	advanced: () => t('Advanced'),
};

export function labelGroup(id: string, label: string): string {
	return NAMES[id]?.() ?? decodeEntities(label);
}
