import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { request } from '../../api/client';
import { useCollection } from '../../api/collections';
import { formatAge, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { readText, stripMarkup, type Item } from '../../list/collection';
import { AnswerForm } from '../records/answer-form';
import { COMMENTS_PATH, shortenComment } from '../records/comment-texts';
import { Panel } from './panel';

const SHOWN = 5;

/** Comments that wait for somebody to approve them. */
export function WaitingComments() {
	const { value } = useCollection<Item>(COMMENTS_PATH, {
		context: 'edit',
		status: 'hold',
		per_page: SHOWN,
		_embed: 'up',
		_fields: 'id,post,status,author_name,date_gmt,content,_links,_embedded',
	});
	return (
		<Panel
			title={t('Comments that wait')}
			to="/records/comments"
			more={sprintf(t('All comments that wait: %d'), value?.total ?? 0)}
		>
			{value?.items.map((comment) => (
				<WaitingComment key={comment.id} comment={comment} />
			))}
		</Panel>
	);
}

function WaitingComment({ comment }: { comment: Item }) {
	const [answering, setAnswering] = useState(false);
	const button = useRef<HTMLButtonElement>(null);
	const path = `${COMMENTS_PATH}/${String(comment.id)}`;
	const approve = (): void => {
		request(path, { method: 'POST', body: { status: 'approved' } }).then(
			() => showDone(t('The comment is approved.'), () => request(path, { method: 'POST', body: { status: 'hold' } })),
			showError,
		);
	};
	const [post] = ((comment['_embedded'] as { up?: Item[] } | undefined)?.up ?? []) as Item[];
	const author = String(comment['author_name']);
	return (
		<li className="waiting-comment">
			<p>
				<strong>{author}</strong>{' '}
				<span className="quiet">
					{post && `${t('on')} ${readText(post['title'])} · `}
					{formatAge(parseGmt(String(comment['date_gmt'])))}
				</span>
			</p>
			{answering ? (
				<AnswerForm
					comment={comment}
					onClose={() => {
						// Until it is drawn there is no button.
						flushSync(() => setAnswering(false));
						button.current?.focus();
					}}
				/>
			) : (
				<>
					<p>{shortenComment(stripMarkup((comment['content'] as { rendered?: string }).rendered ?? ''))}</p>
					<div className="entry-buttons">
						<button type="button" className="button" onClick={approve}>
							{t('Approve')}
							<span className="visually-hidden"> – {author}</span>
						</button>
						<button ref={button} type="button" className="button" onClick={() => setAnswering(true)}>
							{t('Answer')}
							<span className="visually-hidden"> – {author}</span>
						</button>
					</div>
				</>
			)}
		</li>
	);
}
