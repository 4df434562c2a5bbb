import { useEffect, useRef, useState } from 'react';

import { request } from '../../api/client';
import { t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { sendBatch } from '../../list/batches';
import { readText, type Item } from '../../list/collection';
import { COMMENTS_PATH, shortenComment } from './comment-texts';

interface Props {
	comment: Item;
	onClose: () => void;
}

/** Answers a comment; one that waits is approved with it. */
export function AnswerForm({ comment, onClose }: Props) {
	const [text, setText] = useState('');
	const [sending, setSending] = useState(false);
	const field = useRef<HTMLTextAreaElement>(null);
	useEffect(() => field.current?.focus(), []);
	const send = async (): Promise<void> => {
		setSending(true);
		try {
			if (comment['status'] === 'hold') {
				const path = `${COMMENTS_PATH}/${String(comment.id)}`;
				await sendBatch([{ method: 'POST', path, body: { status: 'approved' }, seen: comment }]);
			}
			await request(COMMENTS_PATH, {
				method: 'POST',
				body: { post: comment['post'], parent: comment.id, content: text },
			});
			showDone(t('The answer is published.'));
			onClose();
		} catch (error) {
			showError(error);
		} finally {
			setSending(false);
		}
	};
	return (
		<form
			className="answer-form"
			onSubmit={(event) => {
				event.preventDefault();
				void send();
			}}
		>
			<blockquote>{shortenComment(readText(comment['content']))}</blockquote>
			<label>
				{t('Your answer')}
				<textarea ref={field} rows={5} value={text} onChange={(event) => setText(event.target.value)} />
			</label>
			<div className="form-buttons">
				<button type="submit" className="button button-primary" disabled={sending || !text.trim()}>
					{comment['status'] === 'hold' ? t('Approve and answer') : t('Answer')}
				</button>
				<button type="button" className="button" onClick={onClose}>
					{t('Cancel')}
				</button>
			</div>
		</form>
	);
}
