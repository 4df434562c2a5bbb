/** The list of comments: approving, answering, spam, trash. */
import type { Action } from '@wordpress/dataviews';
import { useState } from 'react';

import { request } from '../../api/client';
import { t, tx } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { sendBatch } from '../../list/batches';
import { readText, stripMarkup, type Collection, type Item } from '../../list/collection';
import { labelValue } from '../../list/labels';

const PATH = '/wp/v2/comments';

export function buildCommentCollection(): Collection {
	return {
		name: 'comments',
		path: PATH,
		title: t('Comments'),
		singular: t('Comment'),
		titleField: 'content',
		columns: ['author_name', 'status', 'post', 'date'],
		form: ['content', 'status', 'author_name', 'author_email', 'author_url', 'date'],
		query: { context: 'edit', _embed: 'up' },
		presets: [
			{ name: 'waiting', label: tx('Waiting', 'comments'), query: { status: 'hold' } },
			{ name: 'approved', label: tx('Approved', 'comments'), query: { status: 'approve' } },
			{ name: 'all', label: tx('All', 'comments'), query: { status: 'all' } },
			{ name: 'spam', label: tx('Spam', 'comments'), query: { status: 'spam' } },
			{ name: 'trash', label: tx('Trash', 'comments'), query: { status: 'trash' } },
		],
		relations: { post: { path: '/wp/v2/posts', label: 'title', embedded: 'up' } },
		fields: {
			content: {
				render: ({ item }) => (
					<span className="comment-cell">
						{shorten(stripMarkup((item['content'] as { rendered?: string }).rendered ?? ''))}
					</span>
				),
			},
			status: {
				filterBy: false,
				elements: ['approved', 'hold', 'spam', 'trash'].map((value) => ({ value, label: labelValue(value) })),
				render: ({ item }) => <>{labelValue(item['status'])}</>,
			},
		},
		actions: [
			changeStatus('approve', t('Approve'), 'approved', t('The comment is approved.'), true),
			changeStatus('hold', t('Hold back'), 'hold', t('The comment is held back.')),
			{
				id: 'answer',
				label: t('Answer'),
				isEligible: (item) => item['status'] === 'approved' || item['status'] === 'hold',
				RenderModal: ({ items, closeModal }) => (
					<AnswerForm comment={items[0] as Item} onClose={() => closeModal?.()} />
				),
			},
			changeStatus('spam', t('Mark as spam'), 'spam', t('The comment is marked as spam.')),
		],
		sort: { field: 'date', direction: 'desc' },
		getItemPath: (item) => `/records/comments/${String(item.id)}`,
		addPath: null,
		hasTrash: true,
	};
}

function shorten(text: string): string {
	return text.length > 160 ? `${text.slice(0, 160).trimEnd()} …` : text;
}

function changeStatus(id: string, label: string, status: string, done: string, isPrimary = false): Action<Item> {
	return {
		id,
		label,
		isPrimary,
		supportsBulk: true,
		isEligible: (item) => item['status'] !== status && item['status'] !== 'trash',
		callback: (items) => {
			const write = (statusOf: (item: Item) => unknown): Promise<unknown> =>
				sendBatch(
					items.map((item) => ({
						method: 'POST',
						path: `${PATH}/${String(item.id)}`,
						body: { status: statusOf(item) },
					})),
				);
			write(() => status).then(() => showDone(done, () => write((item) => item['status'])), showError);
		},
	};
}

function AnswerForm({ comment, onClose }: { comment: Item; onClose: () => void }) {
	const [text, setText] = useState('');
	const [sending, setSending] = useState(false);
	const send = async (): Promise<void> => {
		setSending(true);
		try {
			if (comment['status'] === 'hold') {
				await request(`${PATH}/${String(comment.id)}`, { method: 'POST', body: { status: 'approved' } });
			}
			await request(PATH, { method: 'POST', body: { post: comment['post'], parent: comment.id, content: text } });
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
			<blockquote>{shorten(readText(comment['content']))}</blockquote>
			<label>
				{t('Your answer')}
				<textarea rows={5} value={text} onChange={(event) => setText(event.target.value)} />
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
