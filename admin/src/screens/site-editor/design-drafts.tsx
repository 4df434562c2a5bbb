import { Button, Modal } from '@wordpress/components';
import { store as coreStore } from '@wordpress/core-data';
import { dispatch, resolveSelect, select } from '@wordpress/data';
import { useEffect, useState } from 'react';

import { toWritten, type Values } from '../../api/field-values';
import { formatAge } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { showError } from '../../app/toasts';
import { flushDraft, keepDraft } from '../../editor/draft-keeper';
import { listDirtyRecords } from '../../editor/editor-store';
import { deleteDraft, getDraftPrefix, listDrafts, type LocalDraft } from '../../editor/local-drafts';

interface RecordEdits {
	kind: string;
	name: string;
	key: string | number;
	edits: Values;
}

/** Keeps what is changed of the design in this browser until it is saved, and offers what was left from before. */
export function DesignDrafts({ language }: { language: string }) {
	const [drafts, setDrafts] = useState<LocalDraft[]>([]);
	useEffect(() => {
		const prefix = getDraftPrefix('design', 0, language);
		offerUnsaved(prefix).then(setDrafts, showError);
		return keepDraft(prefix, readEdits);
	}, [language]);
	const [draft] = drafts;
	if (!draft) {
		return null;
	}
	const finish = (): void => {
		setDrafts((all) => all.filter((one) => one !== draft));
		deleteDraft(draft.key).catch(showError);
	};
	const restore = async (): Promise<void> => {
		await restoreEdits(draft.edits['records'] as RecordEdits[]);
		// They are kept as this opening's own before the old ones go.
		await flushDraft();
		finish();
	};
	return (
		<Modal
			title={t('Not saved')}
			size="small"
			isDismissible={false}
			shouldCloseOnClickOutside={false}
			shouldCloseOnEsc={false}
			onRequestClose={() => undefined}
		>
			<p>
				{/* translators: %s: how long ago, for example "5 minutes ago" */}
				{sprintf(t('You changed the design here %s, and it was not saved.'), formatAge(new Date(draft.at)))}
			</p>
			<div className="dialog-actions">
				<Button variant="secondary" onClick={finish}>
					{t('Discard it')}
				</Button>
				<Button variant="primary" onClick={() => void restore().catch(showError)}>
					{t('Restore it')}
				</Button>
			</div>
		</Modal>
	);
}

/** Return the drafts that have something to offer; whoever leaves as soon as all is saved leaves one that has not. */
async function offerUnsaved(prefix: string): Promise<LocalDraft[]> {
	const offered: LocalDraft[] = [];
	for (const draft of await listDrafts(prefix)) {
		if (await isStored(draft.edits['records'] as RecordEdits[])) {
			await deleteDraft(draft.key);
		} else {
			offered.push(draft);
		}
	}
	return offered;
}

async function isStored(records: readonly RecordEdits[]): Promise<boolean> {
	for (const { kind, name, key, edits } of records) {
		const stored = (await resolveSelect(coreStore).getEntityRecord(kind, name, key)) as Values | undefined;
		const isSame = Object.entries(edits).every(
			([member, value]) => JSON.stringify(toWritten(stored?.[member])) === JSON.stringify(value),
		);
		if (!isSame) {
			return false;
		}
	}
	return true;
}

/** Return what is not saved of any record, null where all is. */
function readEdits(): Values | null {
	const core = select(coreStore);
	const records = listDirtyRecords().map(({ kind, name, key }): RecordEdits => {
		const edits = core.getEntityRecordNonTransientEdits(kind, name, key) as Values;
		const edited = core.getEditedEntityRecord(kind, name, key) as unknown as Values;
		// While blocks are changed, their text is made only when it is saved.
		const { content } = edited;
		const text = typeof content === 'function' ? (content as (record: object) => string)(edited) : content;
		return { kind, name, key, edits: { ...edits, ...(typeof text === 'string' ? { content: text } : {}) } };
	});
	return records.length ? { records } : null;
}

async function restoreEdits(records: readonly RecordEdits[]): Promise<void> {
	for (const { kind, name, key, edits } of records) {
		await resolveSelect(coreStore).getEntityRecord(kind, name, key);
		// Without blocks of its own the editor reads them from the text.
		const members = 'content' in edits ? { ...edits, blocks: undefined } : edits;
		dispatch(coreStore).editEntityRecord(kind, name, key, members);
	}
}
