/** Sends records of a list to be translated. */
import type { Action } from '@wordpress/dataviews';

import type { ContentType } from '../../app/content-types';
import { t } from '../../app/i18n';
import type { Item } from '../../list/collection';
import { SendForm } from '../languages/send-form';

export function describeSending(type: ContentType): Action<Item> {
	return {
		id: 'send-to-translation',
		label: t('Send to translation'),
		supportsBulk: true,
		isEligible: (item) => item['status'] !== 'trash' && Boolean(item['lang']),
		RenderModal: ({ items, closeModal }) => (
			<SendForm
				items={items.map((item) => ({ type: `post_${type.slug}`, id: Number(item.id) }))}
				from={String(items[0]?.['lang'])}
				onClose={() => closeModal?.()}
			/>
		),
	};
}
