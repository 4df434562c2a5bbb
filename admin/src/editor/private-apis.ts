/**
 * What the editor's packages keep to themselves and the administration cannot do without.
 *
 * The whole editor as one component has no public form: `initializeEditor` of `edit-post` makes a root of its own, leads to
 * addresses that this site does not have, and cannot be taken down. The versions are pinned, so that what is private changes
 * only with a release that is chosen.
 */
import { store as coreStore } from '@wordpress/core-data';
import { dispatch, select } from '@wordpress/data';
import { privateApis, store as editorStore } from '@wordpress/editor';
import { __dangerousOptInToUnstableAPIsOnlyForCoreModules as optIn } from '@wordpress/private-apis';
import type { ComponentType, ReactNode } from 'react';

const { unlock } = optIn(
	'I acknowledge private features are not for use in themes or plugins and doing so will break in the next version of WordPress.',
	'@wordpress/edit-post',
);

interface EditorProps {
	postType: string;
	postId: number;
	templateId?: string | undefined;
	settings: Record<string, unknown>;
	className?: string;
	autoFocus?: boolean;
	onActionPerformed?: (action: string) => void;
	extraSidebarPanels?: ReactNode;
	children?: ReactNode;
}

interface EditorParts {
	Editor: ComponentType<EditorProps>;
	/** Fills the place at the beginning of the editor's header. */
	BackButton: ComponentType<{ children: (state: { length: number }) => ReactNode }>;
	FullscreenMode: ComponentType<{ isActive: boolean }>;
	PreferencesModal: ComponentType<{ extraSections?: Record<string, ReactNode> }>;
	UploadProgressSnackbar: ComponentType;
	registerCoreBlockBindingsSources: () => void;
}

export const {
	Editor,
	BackButton,
	FullscreenMode,
	PreferencesModal,
	UploadProgressSnackbar,
	registerCoreBlockBindingsSources,
} = unlock<EditorParts>(privateApis);

interface UndoManager {
	hasUndo: () => boolean;
	undo: () => unknown;
	addRecord: (record: unknown[]) => void;
}

interface PrivateSelectors {
	getTemplateId: (type: string, id: number) => string | undefined;
	getUndoManager: () => UndoManager;
}

/** An entry of the menu of a record, beside its title. */
export interface RecordAction {
	id: string;
	label: string;
	isEligible?: (record: { status: string }) => boolean;
	callback: (records: { id: number }[]) => void;
}

interface PrivateActions {
	registerEntityAction: (kind: string, name: string, action: RecordAction) => void;
}

/** Offer an action in the editor of a type, in place of the one with its id. The public function does nothing in this build. */
export function registerRecordAction(type: string, action: RecordAction): void {
	unlock<PrivateActions>(dispatch(editorStore)).registerEntityAction('postType', type, action);
}

/** Return the selectors of records that are not public. source: what `useSelect` hands out. */
export function unlockSelectors(source: object): PrivateSelectors {
	return unlock<PrivateSelectors>(source);
}

/** Forget what could be undone: the next record has a history of its own. */
export function clearUndoHistory(): void {
	const manager = unlockSelectors(select(coreStore)).getUndoManager();
	while (manager.hasUndo()) {
		manager.undo();
	}
	// The manager drops what could be done again when something is recorded; a record without effect is not kept.
	manager.addRecord([]);
}
