import { Button, Modal } from '@wordpress/components';
import { useDispatch } from '@wordpress/data';
import { store as editorStore } from '@wordpress/editor';
import { useCallback, useEffect, useRef, useState } from 'react';

import { request } from '../api/client';
import { ApiError } from '../api/errors';
import { sprintf, t } from '../app/i18n';
import { showError } from '../app/toasts';
import { flushDraft } from './draft-keeper';

interface Lock {
	mine: boolean;
	editor_name: string;
}

interface Props {
	/** Of the record. */
	id: number;
	/** Leads the person away from what somebody else edits. */
	onBack: () => void;
}

const RENEW_AFTER = 20_000; // milliseconds; the site forgets a lock after a minute
const SAVE_LOCK = 'edit-lock';

/** Tells others that this record is being edited, and the person that somebody else does. */
export function EditLock({ id, onBack }: Props) {
	const [holder, setHolder] = useState<string | null>(null);
	const had = useRef(false);
	const [lost, setLost] = useState(false);
	const { lockPostSaving, unlockPostSaving, lockPostAutosaving, unlockPostAutosaving } = useDispatch(editorStore);
	const path = `/wp/v2/edit-locks/${String(id)}`;

	const acquire = useCallback(
		async (takeOver: boolean): Promise<void> => {
			try {
				const lock = await request<Lock>(path, { method: 'POST', body: { take_over: takeOver } });
				if (lock.mine) {
					had.current = true;
					setHolder(null);
					return;
				}
				setLost(had.current);
				had.current = false;
				setHolder(lock.editor_name);
				await flushDraft();
			} catch (error) {
				// Without a connection nobody can be told; saving finds what others wrote.
				if (!(error instanceof ApiError) || !error.isOffline) {
					showError(error);
				}
			}
		},
		[path],
	);
	const isMine = holder === null;
	useEffect(() => {
		void acquire(false);
		return () => {
			if (had.current) {
				request(path, { method: 'DELETE' }).catch(showError);
			}
		};
	}, [acquire, path]);
	useEffect(() => {
		const timer = window.setInterval(() => void acquire(false), RENEW_AFTER);
		return () => window.clearInterval(timer);
	}, [acquire]);
	useEffect(() => {
		if (isMine) {
			unlockPostSaving(SAVE_LOCK);
			unlockPostAutosaving(SAVE_LOCK);
		} else {
			lockPostSaving(SAVE_LOCK);
			lockPostAutosaving(SAVE_LOCK);
		}
	}, [isMine, lockPostSaving, unlockPostSaving, lockPostAutosaving, unlockPostAutosaving]);
	if (isMine) {
		return null;
	}
	/* translators: %s: name of a person */
	const title = lost ? sprintf(t('%s has taken over'), holder) : sprintf(t('%s is editing this'), holder);
	return (
		<Modal
			title={title}
			size="small"
			isDismissible={false}
			shouldCloseOnClickOutside={false}
			shouldCloseOnEsc={false}
			onRequestClose={() => undefined}
		>
			<p>
				{lost
					? t('What you had not saved is kept in this browser and offered when you open this again.')
					: t('You can go back, or take over; what they have not saved stays in their browser.')}
			</p>
			<div className="dialog-actions">
				<Button variant="secondary" onClick={() => void acquire(true)}>
					{t('Take over')}
				</Button>
				<Button variant="primary" onClick={onBack}>
					{t('Back')}
				</Button>
			</div>
		</Modal>
	);
}
