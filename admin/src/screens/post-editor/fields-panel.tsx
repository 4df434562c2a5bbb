import { PanelBody } from '@wordpress/components';
import { store as coreStore } from '@wordpress/core-data';
import { useDispatch, useSelect } from '@wordpress/data';
import { store as editorStore } from '@wordpress/editor';

import { useDeclaration } from '../../api/declarations';
import { getCollectionPath, type ContentType } from '../../app/content-types';
import { t } from '../../app/i18n';
import { listOwnFields, OwnFields } from '../../editor/schema-fields/own-fields';

interface Props {
	type: ContentType;
	id: number;
	language: string;
	/** Whether the fields are all that there is to write, beside a title. */
	whole?: boolean;
}

/** The fields of the site's own that the type declares. */
export function FieldsPanel({ type, id, language, whole = false }: Props) {
	const schema = useDeclaration(getCollectionPath(type)).value?.schema?.properties['meta'];
	const { meta, error } = useSelect(
		(select) => ({
			meta: select(editorStore).getEditedPostAttribute('meta') as Record<string, unknown> | undefined,
			error: select(coreStore).getLastEntitySaveError('postType', type.slug, id) as
				{ data?: { params?: Record<string, string> } } | undefined,
		}),
		[type, id],
	);
	const { editPost } = useDispatch(editorStore);
	if (!meta || listOwnFields(schema, meta).length === 0) {
		return null;
	}
	const fields = (
		<OwnFields
			schema={schema}
			value={meta}
			onChange={(name, value) => void editPost({ meta: { [name]: value } })}
			error={error}
			faults={error?.data?.params ?? NO_FAULTS}
			language={language}
		/>
	);
	return whole ? fields : <PanelBody title={t('Fields')}>{fields}</PanelBody>;
}

const NO_FAULTS = {};
