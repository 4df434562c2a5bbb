import { PanelBody, TextareaControl, TextControl, ToggleControl } from '@wordpress/components';
import { useDispatch, useSelect } from '@wordpress/data';
import { store as editorStore } from '@wordpress/editor';

import { useResource } from '../../api/collections';
import { getCollectionPath, type ContentType } from '../../app/content-types';
import { sprintf, t } from '../../app/i18n';
import { MediaField } from '../../editor/schema-fields/media-field';

interface Seo {
	title: string;
	description: string;
	canonical: string;
	noindex: boolean;
	image: number;
	computed: { title: string; description: string; canonical: string | null };
}

interface Props {
	type: ContentType;
	id: number;
	language: string;
}

/** Characters that results of a search show of each; what is longer is cut there. */
const SHOWN = { title: 60, description: 160 };

/** What search engines and social networks are told, with how a result would look. */
export function SeoPanel({ type, id, language }: Props) {
	const path = `${getCollectionPath(type)}/${String(id)}`;
	const stored = useResource<{ seo?: Seo }>(type.viewable ? path : null, { context: 'edit', _fields: 'seo' }, language)
		.value?.seo;
	const edited = useSelect((select) => select(editorStore).getPostEdits()['seo'] as Partial<Seo> | undefined, []);
	const link = useSelect((select) => select(editorStore).getPermalink(), []);
	const { editPost } = useDispatch(editorStore);
	if (!stored) {
		return null;
	}
	const seo = { ...stored, ...edited };
	const write = (changes: Partial<Seo>): void => void editPost({ seo: { ...edited, ...changes } });
	const title = seo.title || stored.computed.title;
	const description = seo.description || stored.computed.description;
	return (
		<PanelBody title={t('Search engines')} initialOpen={false}>
			<div className="seo-preview" aria-label={t('How a result may look')} role="img">
				<span>{link ?? ''}</span>
				<strong>{cut(title, SHOWN.title)}</strong>
				<p>{cut(description, SHOWN.description)}</p>
			</div>
			<TextControl
				__next40pxDefaultSize
				label={t('Title of the result')}
				help={describeLength(seo.title, SHOWN.title)}
				placeholder={stored.computed.title}
				value={seo.title}
				onChange={(text) => write({ title: text })}
			/>
			<TextareaControl
				label={t('Description')}
				help={describeLength(seo.description, SHOWN.description)}
				placeholder={stored.computed.description}
				value={seo.description}
				onChange={(text) => write({ description: text })}
			/>
			<MediaField
				path="seo.image"
				label={t('Picture for social networks')}
				schema={{ type: 'integer', description: t('The featured image where none is chosen.') }}
				kind="image"
				value={seo.image || null}
				errors={{}}
				language={language}
				onChange={(image) => write({ image: typeof image === 'number' ? image : 0 })}
			/>
			<ToggleControl
				label={t('Keep out of search engines')}
				checked={seo.noindex}
				onChange={(noindex) => write({ noindex })}
			/>
		</PanelBody>
	);
}

function cut(text: string, most: number): string {
	return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
}

function describeLength(text: string, most: number): string {
	/* translators: %1$d: characters written, %2$d: characters that are shown */
	const counted = sprintf(t('%1$d of %2$d characters'), text.length, most);
	return text.length > most ? `${counted}; ${t('the rest may be cut off')}` : counted;
}
