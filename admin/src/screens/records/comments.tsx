/** The list of comments: approving, answering, spam, trash. */
import type { Action } from '@wordpress/dataviews';

import { t, tx } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { sendBatch } from '../../list/batches';
import { stripMarkup, type Collection, type Item } from '../../list/collection';
import { labelValue } from '../../list/labels';
import { AnswerForm } from './answer-form';
import { COMMENTS_PATH, shortenComment } from './comment-texts';

export function buildCommentCollection(): Collection {
	return {
		name: 'comments',
		path: COMMENTS_PATH,
		title: t('Comments'),
		singular: t('Comment'),
		titleField: 'content',
		columns: ['author_name', 'status', 'post', 'date'],
		form: ['content', 'status', 'author_name', 'author_email', 'author_url', 'date'],
		query: { context: 'edit', _embed: 'up' },
		presets: [
			{
				name: 'waiting',
				label: tx('Waiting', 'comments'),
				query: { status: 'hold' },
				empty: t('No comment waits for you.'),
			},
			{ name: 'approved', label: tx('Approved', 'comments'), query: { status: 'approve' } },
			{ name: 'all', label: tx('All', 'comments'), query: { status: 'all' } },
			{ name: 'spam', label: tx('Spam', 'comments'), query: { status: 'spam' } },
			{ name: 'trash', label: tx('Trash', 'comments'), query: { status: 'trash' }, empty: t('The trash is empty.') },
		],
		relations: { post: { path: '/wp/v2/posts', label: 'title', required: true, embedded: 'up' } },
		fields: {
			content: {
				render: ({ item }) => (
					<span className="comment-cell">
						{shortenComment(stripMarkup((item['content'] as { rendered?: string }).rendered ?? ''))}
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

function changeStatus(id: string, label: string, status: string, done: string, isPrimary = false): Action<Item> {
	return {
		id,
		label,
		isPrimary,
		supportsBulk: true,
		isEligible: (item) => item['status'] !== status && item['status'] !== 'trash',
		callback: (items) => {
			const write = (seen: Item[], statuses: unknown[]): Promise<unknown[]> =>
				sendBatch(
					seen.map((one, index) => ({
						method: 'POST',
						path: `${COMMENTS_PATH}/${String(one.id)}`,
						body: { status: statuses[index] },
						seen: one,
					})),
				);
			const before = items.map((item) => item['status']);
			write(items, Array<unknown>(items.length).fill(status)).then(
				(answers) => showDone(done, () => write(answers as Item[], before)),
				showError,
			);
		},
	};
}
