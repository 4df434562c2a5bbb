import { SlotFillProvider } from '@wordpress/components';
import { store as coreStore } from '@wordpress/core-data';
import { useSelect } from '@wordpress/data';
import { AutosaveMonitor, ErrorBoundary, UnsavedChangesWarning } from '@wordpress/editor';
import { SnackbarNotices } from '@wordpress/notices';
import { useMemo } from 'react';

import type { ContentType } from '../../app/content-types';
import { DesignConflicts } from '../../editor/design-conflicts';
import { navigate, withContentLanguage } from '../../app/router';
import { EditLock } from '../../editor/edit-lock';
import { EditorCommands } from '../../editor/editor-commands';
import {
	Editor,
	FullscreenMode,
	PreferencesModal,
	UploadProgressSnackbar,
	unlockSelectors,
} from '../../editor/private-apis';
import { buildSettings, type Theme } from '../../editor/settings';
import { ConflictDialog } from './conflict-dialog';
import { ConnectionNotice } from './connection-notice';
import { DocumentPanels } from './document-panels';
import { DraftOffer } from './draft-offer';
import { ListButton } from './list-button';
import { MissingRecord } from './missing-record';
import { TitleFocus } from './title-focus';
import { useEditorSession } from './use-editor-session';
import { useRecordActions } from './use-record-actions';
import { useRecordState } from './use-record-state';

interface Props {
	type: ContentType;
	id: number;
	language: string;
}

/** The block editor at one record. */
export function BlockEditor({ type, id, language }: Props) {
	const ready = useEditorSession(type, id, language);
	const onActionPerformed = useRecordActions(type, id, language);
	const theme = useSelect((select) => select(coreStore).getCurrentTheme() as Theme | undefined, []);
	const templateId = useSelect(
		(select) => (ready && type.viewable ? unlockSelectors(select(coreStore)).getTemplateId(type.slug, id) : undefined),
		[ready, type, id],
	);
	const settings = useMemo(
		() => ({
			...buildSettings(theme),
			...(type.template_lock ? { templateLock: type.template_lock } : {}),
		}),
		[theme, type],
	);
	const { isMissing } = useRecordState(type, id, ready);
	if (!ready || !theme) {
		return null;
	}
	if (isMissing) {
		return <MissingRecord type={type} language={language} />;
	}
	return (
		<SlotFillProvider>
			<ErrorBoundary>
				<Editor
					postType={type.slug}
					postId={id}
					templateId={templateId}
					settings={settings}
					className="post-editor"
					onActionPerformed={onActionPerformed}
					extraSidebarPanels={<DocumentPanels type={type} id={id} language={language} />}
				>
					<FullscreenMode isActive />
					<ListButton type={type} language={language} />
					<UnsavedChangesWarning />
					<AutosaveMonitor />
					<PreferencesModal />
					<EditorCommands />
					<EditLock id={id} onBack={() => navigate(withContentLanguage(`/content/${type.slug}`, language))} />
					<ConflictDialog type={type} id={id} language={language} />
					<DesignConflicts language={language} />
					<ConnectionNotice />
					<DraftOffer type={type.slug} id={id} language={language} />
					<TitleFocus type={type} id={id} />
					<SnackbarNotices className="post-editor-messages" />
					<UploadProgressSnackbar />
				</Editor>
			</ErrorBoundary>
		</SlotFillProvider>
	);
}
