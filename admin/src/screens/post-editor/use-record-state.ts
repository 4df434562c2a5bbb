import { store as coreStore } from '@wordpress/core-data';
import { useSelect } from '@wordpress/data';
import { useEffect } from 'react';

import { boot } from '../../app/boot';
import type { ContentType } from '../../app/content-types';
import { readText } from '../../list/collection';

/** Say in the window's title what is edited. Returns whether there is no such record, or none for this person. */
export function useRecordState(type: ContentType, id: number, ready: boolean): { isMissing: boolean } {
	const { isMissing, title } = useSelect(
		(select) => {
			const core = select(coreStore);
			const record = core.getEditedEntityRecord('postType', type.slug, id) as { title?: unknown } | false | undefined;
			const isAnswered = core.hasFinishedResolution('getEntityRecord', ['postType', type.slug, id]);
			return {
				isMissing: ready && isAnswered && !core.getEntityRecord('postType', type.slug, id),
				title: record ? readText(record.title) : '',
			};
		},
		[type, id, ready],
	);
	useEffect(() => {
		const name = title || (type.labels['singular_name'] ?? type.name);
		document.title = `${name} – ${boot.site.title}`;
	}, [title, type]);
	return { isMissing };
}
