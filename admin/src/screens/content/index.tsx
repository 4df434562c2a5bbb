import { useMemo } from 'react';

import { useContentType, useTaxonomies } from '../../app/content-types';
import { t } from '../../app/i18n';
import type { ScreenProps } from '../../app/routes';
import { ListView } from '../../list/list-view';
import { buildContentCollection } from './collection';

/** The list of a content type; what the type supports decides its columns and actions. */
export default function ContentList({ params }: ScreenProps) {
	const type = useContentType(params['type'] ?? '');
	const taxonomies = useTaxonomies();
	const collection = useMemo(
		() => (type && taxonomies ? buildContentCollection(type, taxonomies) : null),
		[type, taxonomies],
	);
	if (!collection) {
		return (
			<p className="loading" role="status">
				{t('Loading …')}
			</p>
		);
	}
	return <ListView key={collection.name} collection={collection} />;
}
