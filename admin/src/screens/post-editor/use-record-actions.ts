import { useCallback } from 'react';

import type { ContentType } from '../../app/content-types';
import { t } from '../../app/i18n';
import { navigate, withContentLanguage } from '../../app/router';
import { showDone } from '../../app/toasts';

/** Return what follows an action of the editor's menu: to the list after the trash, to the copy after duplicating. */
export function useRecordActions(
	type: ContentType,
	language: string,
): (action: string, items: { id: number; type: string }[]) => void {
	return useCallback(
		(action, items) => {
			const [first] = items;
			if (action === 'move-to-trash' || action === 'permanently-delete') {
				navigate(withContentLanguage(`/content/${type.slug}`, language));
				showDone(action === 'move-to-trash' ? t('Moved to the trash.') : t('Deleted.'));
			} else if (action === 'duplicate-post' && first) {
				navigate(withContentLanguage(`/content/${type.slug}/${String(first.id)}`, language));
				showDone(t('This is the copy.'));
			}
		},
		[type, language],
	);
}
