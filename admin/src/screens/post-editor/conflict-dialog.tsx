import { store as coreStore } from '@wordpress/core-data';
import { dispatch, select } from '@wordpress/data';
import { store as editorStore } from '@wordpress/editor';
import { store as noticesStore } from '@wordpress/notices';
import { useEffect, useRef, useState } from 'react';

import { request } from '../../api/client';
import { describeError } from '../../api/errors';
import { getCollectionPath, type ContentType } from '../../app/content-types';
import { t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { ConflictQuestion, type TheirRecord } from '../../editor/conflict-question';
import { EDITOR_NOTICE } from '../../editor/connection';
import { guardRecord, noteState, type ConflictChoice } from '../../editor/guarded-writes';

interface Props {
	type: ContentType;
	id: number;
	language: string;
}

/** Asks what shall happen where somebody else has saved the record since it was opened. */
export function ConflictDialog({ type, id, language }: Props) {
	const [asking, setAsking] = useState(false);
	const [theirs, setTheirs] = useState<TheirRecord>();
	const [fault, setFault] = useState('');
	const answer = useRef<(choice: ConflictChoice) => void>(() => undefined);
	const path = `${getCollectionPath(type)}/${String(id)}`;

	useEffect(() => {
		let stop: (() => void) | undefined;
		let left = false;
		const ask = (): Promise<ConflictChoice> => {
			setAsking(true);
			request<TheirRecord>(path, { query: { context: 'edit' }, language }).then(setTheirs, (error: unknown) =>
				setFault(describeError(error)),
			);
			return new Promise((resolve) => {
				answer.current = resolve;
			});
		};
		guardRecord(path, language, ask).then((found) => {
			stop = found;
			if (left) {
				stop();
			}
		}, showError);
		return () => {
			left = true;
			stop?.();
		};
	}, [path, language]);

	if (!asking) {
		return null;
	}
	const close = (choice: ConflictChoice): void => {
		setAsking(false);
		setTheirs(undefined);
		answer.current(choice);
	};
	const takeTheirs = (): void => {
		close('discard');
		noteState(path, language)
			.then(() => {
				// What the editor calls a failure is what the person asked for.
				dispatch(noticesStore).removeNotice(EDITOR_NOTICE);
				dispatch(coreStore).clearEntityRecordEdits('postType', type.slug, id);
				dispatch(coreStore).invalidateResolution('getEntityRecord', ['postType', type.slug, id]);
			})
			.catch(showError);
	};
	const copyMine = (): void => {
		const { getEditedPostAttribute, getEditedPostContent } = select(editorStore);
		navigator.clipboard
			.writeText(`${String(getEditedPostAttribute('title') ?? '')}\n\n${getEditedPostContent()}`)
			.then(() => showDone(t('Copied.')), showError);
	};
	return (
		<ConflictQuestion
			theirs={theirs}
			fault={fault}
			onCopy={copyMine}
			onTakeTheirs={takeTheirs}
			onKeepMine={() => close('overwrite')}
		/>
	);
}
