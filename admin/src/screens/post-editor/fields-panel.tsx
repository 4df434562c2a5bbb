import { PanelBody } from '@wordpress/components';
import { store as coreStore } from '@wordpress/core-data';
import { useDispatch, useSelect } from '@wordpress/data';
import { store as editorStore } from '@wordpress/editor';

import { useOptions } from '../../api/collections';
import { getCollectionPath, type ContentType } from '../../app/content-types';
import { t } from '../../app/i18n';
import { listWritable, SchemaFields, type Schema } from '../../editor/schema-fields';

interface Props {
	type: ContentType;
	id: number;
	/** Whether the fields are all that there is to write, beside a title. */
	whole?: boolean;
}

/** The fields of the site's own that the type declares. */
export function FieldsPanel({ type, id, whole = false }: Props) {
	const schema = useOptions<{ schema: { properties: Record<string, Schema> } }>(getCollectionPath(type)).value?.schema;
	const { meta, errors } = useSelect(
		(select) => ({
			meta: select(editorStore).getEditedPostAttribute('meta') as Record<string, unknown> | undefined,
			errors: select(coreStore).getLastEntitySaveError('postType', type.slug, id) as
				{ data?: { params?: Record<string, string> } } | undefined,
		}),
		[type, id],
	);
	const { editPost } = useDispatch(editorStore);
	const own = schema?.properties['meta'];
	if (!own || !meta || listWritable(own).length === 0) {
		return null;
	}
	const fields = (
		<SchemaFields
			path="meta"
			schema={own}
			value={meta}
			onChange={(name, value) => void editPost({ meta: { [name]: value } })}
			errors={errors?.data?.params ?? NO_ERRORS}
		/>
	);
	return whole ? fields : <PanelBody title={t('Fields')}>{fields}</PanelBody>;
}

const NO_ERRORS = {};
