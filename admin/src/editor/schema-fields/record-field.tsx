import { BaseControl, Button, ComboboxControl } from '@wordpress/components';
import { useDebounce } from '@wordpress/compose';
import { decodeEntities } from '@wordpress/html-entities';
import { useState } from 'react';

import type { Query } from '../../api/client';
import { useCollection } from '../../api/collections';
import { getType } from '../../api/declarations';
import { canFor } from '../../app/boot';
import { getCollectionPath, useContentTypes, useTaxonomies } from '../../app/content-types';
import { sprintf, t } from '../../app/i18n';
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
	const [search, setSearch] = useState('');
	const searchLater = useDebounce(setSearch, 250);
	const { path, query } = useReferredCollection(refersTo, onlyPublic);
	const several = getType(schema) === 'array';
	const ids = [value ?? []].flat().filter((one): one is number => typeof one === 'number');
	const found = useCollection<NamedRecord>(
		path,
		{ ...query, per_page: 20, ...(search ? { search } : {}) },
		language,
	).value;
	const chosen = useCollection<NamedRecord>(
		ids.length ? path : null,
		{ ...query, include: ids, per_page: 100, ...(refersTo === 'user' ? {} : { orderby: 'include' }) },
		language,
	).value;
	const name = (id: number): string => {
		const one = [...(chosen?.items ?? []), ...(found?.items ?? [])].find((item) => item.id === id);
		return one ? decodeEntities(one.title?.rendered ?? one.name ?? '') || `#${String(id)}` : `#${String(id)}`;
	};
	const offered = [...new Set([...(several ? [] : ids), ...(found?.items ?? []).map(({ id }) => id)])]
		.filter((id) => !several || !ids.includes(id))
		.map((id) => ({ value: String(id), label: name(id) }));
	return (
		<div>
			{several && ids.length > 0 && (
				<BaseControl>
					<BaseControl.VisualLabel>{label}</BaseControl.VisualLabel>
					<ul className="schema-files">
						{ids.map((id) => (
							<li key={id}>
								<span>{name(id)}</span>
								<Button
									size="small"
									variant="tertiary"
									isDestructive
									onClick={() => onChange(ids.filter((one) => one !== id))}
								>
									{t('Remove')}
								</Button>
							</li>
						))}
					</ul>
				</BaseControl>
			)}
			<ComboboxControl
				__next40pxDefaultSize
				label={label}
				hideLabelFromVision={several && ids.length > 0}
				help={schema.description}
				value={several ? null : ids[0] === undefined ? null : String(ids[0])}
				options={offered}
				// Its own button for that is passed over by the keyboard.
				allowReset={false}
				onFilterValueChange={searchLater}
				onChange={(next) => {
					const id = next ? Number(next) : null;
					if (several) {
						onChange(id === null ? ids : [...ids, id]);
					} else {
						onChange(id);
					}
				}}
			/>
			{!several && ids.length > 0 && (
				<Button
					size="small"
					variant="tertiary"
					aria-label={sprintf(t('Remove: %s'), label)}
					onClick={() => onChange(null)}
				>
					{t('Remove')}
				</Button>
			)}
		</div>
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
