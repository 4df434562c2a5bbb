import { Button, Modal } from '@wordpress/components';
import { store as coreStore } from '@wordpress/core-data';
import { dispatch, select } from '@wordpress/data';
import { store as editorStore } from '@wordpress/editor';
import { useEffect, useRef, useState } from 'react';

import { request } from '../../api/client';
import { describeError } from '../../api/errors';
import { getCollectionPath, type ContentType } from '../../app/content-types';
import { formatTime, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { guardRecord, noteState, type ConflictChoice } from '../../editor/guarded-writes';

interface Props {
	type: ContentType;
	id: number;
	language: string;
}

interface TheirRecord {
	modified_gmt: string;
	title?: { raw: string };
	content?: { raw: string };
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
		<Modal
			title={t('Somebody else has saved this meanwhile')}
			size="large"
			isDismissible={false}
			shouldCloseOnClickOutside={false}
			shouldCloseOnEsc={false}
			onRequestClose={() => undefined}
			className="conflict-dialog"
		>
			<p>{t('What you wrote is still here, and nothing is overwritten until you decide.')}</p>
			{fault && <p role="alert">{fault}</p>}
			{theirs && (
				<>
					{/* translators: %s: date and time */}
					<h2>{sprintf(t('Saved %s'), formatTime(parseGmt(theirs.modified_gmt)))}</h2>
					<h3>{theirs.title?.raw}</h3>
					<pre className="conflict-text">{theirs.content?.raw}</pre>
				</>
			)}
			<div className="dialog-actions">
				<Button variant="tertiary" onClick={copyMine}>
					{t('Copy mine')}
				</Button>
				<Button variant="secondary" onClick={takeTheirs}>
					{t('Take theirs')}
				</Button>
				<Button variant="primary" onClick={() => close('overwrite')}>
					{t('Keep mine')}
				</Button>
			</div>
		</Modal>
	);
}
