import { store as coreStore } from '@wordpress/core-data';
import { useSelect } from '@wordpress/data';
import { useCallback, useEffect, useRef } from 'react';

import { request } from '../../api/client';
import { canFor } from '../../app/boot';
import { getCollectionPath, useTaxonomies, type ContentType } from '../../app/content-types';
import { t } from '../../app/i18n';
import { navigate, withContentLanguage } from '../../app/router';
import { showDone, showError } from '../../app/toasts';
import { listDirtyRecords } from '../../editor/editor-store';
import { registerRecordAction } from '../../editor/private-apis';
import { duplicateRecord } from '../../list/duplicates';

/** Add to the editor's menu what it lacks, and return what follows an action of it: to the list after the trash. */
export function useRecordActions(type: ContentType, id: number, language: string): (action: string) => void {
	const taxonomies = useTaxonomies();
	const status = useSelect(
		(select) =>
			(select(coreStore).getEntityRecord('postType', type.slug, id) as { status: string } | undefined)?.status,
		[type, id],
	);
	const statusBefore = useRef('draft');
	useEffect(() => {
		if (status && status !== 'trash') {
			statusBefore.current = status;
		}
	}, [status]);
	useEffect(() => {
		if (!taxonomies || !canFor(type.slug, type.capabilities['create_posts'] ?? '')) {
			return;
		}
		registerRecordAction(type.slug, {
			id: 'vetrina-duplicate',
			label: t('Duplicate'),
			isEligible: ({ status }) => status !== 'trash',
			callback: ([record]) => {
				if (record) {
					duplicateRecord(type, taxonomies, record.id, language).then((copy) => {
						showDone(t('The copy is a draft.'));
						// Who has not saved yet stays where the words are.
						if (listDirtyRecords().length === 0) {
							navigate(withContentLanguage(`/content/${type.slug}/${String(copy.id)}`, language));
						}
					}, showError);
				}
			},
		});
	}, [type, taxonomies, language]);
	return useCallback(
		(action) => {
			if (action === 'permanently-delete') {
				navigate(withContentLanguage(`/content/${type.slug}`, language));
				showDone(t('Deleted.'));
			} else if (action === 'move-to-trash') {
				navigate(withContentLanguage(`/content/${type.slug}`, language));
				showDone(t('Moved to the trash.'), () =>
					request(`${getCollectionPath(type)}/${String(id)}`, {
						method: 'POST',
						body: { status: statusBefore.current },
						language,
					}),
				);
			}
		},
		[type, id, language],
	);
}
