import { parse } from '@wordpress/blocks';
import { useDispatch, useSelect } from '@wordpress/data';
import { store as editorStore } from '@wordpress/editor';
import { store as noticesStore } from '@wordpress/notices';
import { useEffect } from 'react';

import { formatAge } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { showError } from '../../app/toasts';
import { flushDraft } from '../../editor/draft-keeper';
import { deleteDraft, getDraftPrefix, listDrafts, type LocalDraft } from '../../editor/local-drafts';

interface Props {
	type: string;
	id: number;
	language: string;
}

/** Offers what was written here before and never reached the site. */
export function DraftOffer({ type, id, language }: Props) {
	const { createWarningNotice, removeNotice } = useDispatch(noticesStore);
	const { editPost, resetEditorBlocks } = useDispatch(editorStore);
	const { getEditedPostContent, getEditedPostAttribute } = useSelect(editorStore);
	useEffect(() => {
		const offer = (draft: LocalDraft): void => {
			const notice = `draft ${draft.key}`;
			const finish = (): void => {
				removeNotice(notice);
				deleteDraft(draft.key).catch(showError);
			};
			const restore = async (): Promise<void> => {
				const { content, ...members } = draft.edits;
				editPost(members);
				resetEditorBlocks(parse(String(content)));
				// It is kept as this opening's own before the old one goes.
				await flushDraft();
				finish();
			};
			createWarningNotice(
				/* translators: %s: how long ago, for example "5 minutes ago" */
				sprintf(t('You wrote something here %s that was not saved.'), formatAge(new Date(draft.at))),
				{
					id: notice,
					isDismissible: false,
					actions: [
						{ label: t('Restore it'), onClick: () => void restore().catch(showError) },
						{ label: t('Discard it'), onClick: finish },
					],
				},
			);
		};
		listDrafts(getDraftPrefix(type, id, language)).then((drafts) => {
			for (const draft of drafts) {
				const { content, title } = draft.edits;
				const isSaved =
					content === getEditedPostContent() &&
					(title === undefined || title === getEditedPostAttribute('title')) &&
					Object.keys(draft.edits).every((name) => ['content', 'title'].includes(name));
				if (isSaved) {
					deleteDraft(draft.key).catch(showError);
				} else {
					offer(draft);
				}
			}
		}, showError);
	}, [
		type,
		id,
		language,
		createWarningNotice,
		removeNotice,
		editPost,
		resetEditorBlocks,
		getEditedPostContent,
		getEditedPostAttribute,
	]);
	return null;
}
