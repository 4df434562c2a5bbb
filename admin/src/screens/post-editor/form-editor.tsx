import { Button, Panel, SlotFillProvider, TextControl } from '@wordpress/components';
import { store as coreStore } from '@wordpress/core-data';
import { useDispatch, useSelect } from '@wordpress/data';
import {
	EditorProvider,
	ErrorBoundary,
	PostFeaturedImagePanel,
	PostTaxonomiesPanel,
	store as editorStore,
	UnsavedChangesWarning,
} from '@wordpress/editor';
import { chevronLeft } from '@wordpress/icons';
import { InlineNotices, SnackbarNotices } from '@wordpress/notices';
import { useEffect, useMemo } from 'react';

import { boot, canFor } from '../../app/boot';
import type { ContentType } from '../../app/content-types';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import { navigate, withContentLanguage } from '../../app/router';
import { EditLock } from '../../editor/edit-lock';
import { EditorCommands } from '../../editor/editor-commands';
import { buildSettings } from '../../editor/settings';
import { ConflictDialog } from './conflict-dialog';
import { ConnectionNotice } from './connection-notice';
import { DraftOffer } from './draft-offer';
import { FieldsPanel } from './fields-panel';
import { LanguagesPanel } from './languages-panel';
import { PreviewPanel } from './preview-panel';
import { SeoPanel } from './seo-panel';
import { useEditorSession } from './use-editor-session';

interface Props {
	type: ContentType;
	id: number;
	language: string;
}

/** The editor of a record that has no blocks: its title and its fields. */
export function FormEditor({ type, id, language }: Props) {
	const ready = useEditorSession(type, id, language);
	const post = useSelect(
		(select) =>
			(ready ? select(coreStore).getEntityRecord('postType', type.slug, id) : undefined) as object | undefined,
		[ready, type, id],
	);
	const settings = useMemo(() => buildSettings(undefined), []);
	if (!ready || !post) {
		return null;
	}
	return (
		<SlotFillProvider>
			<ErrorBoundary>
				<EditorProvider post={post} settings={settings}>
					<div className="form-editor">
						<FormHeader type={type} language={language} />
						<InlineNotices />
						<div className="form-editor-columns">
							<div role="main">
								<TitleField />
								<FieldsPanel type={type} id={id} language={language} whole />
							</div>
							<Panel>
								<PostFeaturedImagePanel withPanelBody />
								<PostTaxonomiesPanel />
								<LanguagesPanel type={type} id={id} />
								<SeoPanel type={type} id={id} language={language} />
								<PreviewPanel type={type} id={id} language={language} />
							</Panel>
						</div>
					</div>
					<UnsavedChangesWarning />
					<EditorCommands />
					<EditLock id={id} onBack={() => navigate(withContentLanguage(`/content/${type.slug}`, language))} />
					<ConflictDialog type={type} id={id} language={language} />
					<ConnectionNotice />
					<DraftOffer type={type.slug} id={id} language={language} />
					<SnackbarNotices className="post-editor-messages" />
				</EditorProvider>
			</ErrorBoundary>
		</SlotFillProvider>
	);
}

function FormHeader({ type, language }: { type: ContentType; language: string }) {
	const { status, isDirty, isSaving, isLocked, title } = useSelect((select) => {
		const editor = select(editorStore);
		return {
			status: editor.getCurrentPostAttribute('status') as string,
			isDirty: editor.isEditedPostDirty(),
			isSaving: editor.isSavingPost(),
			isLocked: editor.isPostSavingLocked(),
			title: editor.getEditedPostAttribute('title') as string,
		};
	}, []);
	const { savePost, editPost } = useDispatch(editorStore);
	useEffect(() => {
		document.title = `${title || (type.labels['singular_name'] ?? type.name)} – ${boot.site.title}`;
	}, [title, type]);
	const isPublic = status === 'publish' || status === 'private' || status === 'future';
	const save = (next: string): void => {
		if (next !== status) {
			void editPost({ status: next });
		}
		void savePost();
	};
	const mayPublish = canFor(type.slug, type.capabilities['publish_posts'] ?? '');
	return (
		<header className="form-editor-header">
			<Link
				to={withContentLanguage(`/content/${type.slug}`, language)}
				aria-label={type.labels['all_items'] ?? type.name}
			>
				{chevronLeft}
			</Link>
			<h1>{title || (type.labels['singular_name'] ?? type.name)}</h1>
			<span role="status">{isSaving ? t('Saving …') : isDirty ? t('Not saved') : t('Saved')}</span>
			{isPublic ? (
				<Button variant="tertiary" disabled={isSaving || isLocked} onClick={() => save('draft')}>
					{t('Back to draft')}
				</Button>
			) : (
				<Button variant="tertiary" disabled={isSaving || isLocked || !isDirty} onClick={() => save(status)}>
					{t('Save draft')}
				</Button>
			)}
			<Button
				variant="primary"
				isBusy={isSaving}
				disabled={isSaving || isLocked || (isPublic && !isDirty)}
				onClick={() => save(isPublic ? status : mayPublish ? 'publish' : 'pending')}
			>
				{isPublic ? t('Save') : mayPublish ? t('Publish') : t('Submit for review')}
			</Button>
		</header>
	);
}

function TitleField() {
	const title = useSelect((select) => select(editorStore).getEditedPostAttribute('title') as string, []);
	const { editPost } = useDispatch(editorStore);
	return (
		<TextControl
			__next40pxDefaultSize
			label={t('Title')}
			value={title}
			onChange={(text) => void editPost({ title: text })}
		/>
	);
}
