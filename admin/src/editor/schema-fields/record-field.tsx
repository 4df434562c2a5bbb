import { decodeEntities } from '@wordpress/html-entities';

import type { Query } from '../../api/client';
import { getType } from '../../api/declarations';
import { canFor } from '../../app/boot';
import { getCollectionPath, useContentTypes, useTaxonomies } from '../../app/content-types';
import { RecordPicker } from '../../form/record-picker';
import type { FieldProps } from './schema';

interface NamedRecord {
	id: number;
	name?: string;
	title?: { rendered: string };
}

interface Props extends FieldProps {
	/** What its ids name: a content type, a taxonomy or `user`. */
	refersTo: string;
	/** Whether only what everybody sees can be chosen. */
	onlyPublic?: boolean;
}

/** One record, term or person, or several, found by a search. */
export function RecordField(props: Props) {
	const { label, schema, value, onChange, language, refersTo, onlyPublic = false } = props;
	const { path, query } = useReferredCollection(refersTo, onlyPublic);
	const several = getType(schema) === 'array';
	const ids = [value ?? []].flat().filter((one): one is number => typeof one === 'number');
	return (
		<RecordPicker<NamedRecord>
			label={label}
			help={schema.description}
			ids={ids}
			several={several}
			onChange={(next) => onChange(several ? next : (next[0] ?? null))}
			path={path}
			query={query}
			language={language}
			getName={(one) => decodeEntities(one.title?.rendered ?? one.name ?? '')}
		/>
	);
}

/** Return the collection that a field names records of, its path null until it is known. */
function useReferredCollection(refersTo: string, onlyPublic: boolean): { path: string | null; query: Query } {
	const types = useContentTypes();
	const taxonomies = useTaxonomies();
	if (refersTo === 'user') {
		return { path: '/wp/v2/users', query: {} };
	}
	const type = types?.find(({ slug }) => slug === refersTo);
	const one = type ?? taxonomies?.find(({ slug }) => slug === refersTo);
	const mayEdit = !onlyPublic && type !== undefined && canFor(type.slug, type.capabilities['edit_posts'] ?? '');
	return { path: one ? getCollectionPath(one) : null, query: mayEdit ? { status: 'any' } : {} };
}
