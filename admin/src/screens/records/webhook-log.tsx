import { useState } from 'react';

import { request } from '../../api/client';
import { forget, useCollection, useResource } from '../../api/collections';
import { usePolling } from '../../api/polling';
import { Dialog } from '../../app/dialog';
import { ErrorNotice } from '../../app/error-notice';
import { formatTime, parseGmt } from '../../app/formats';
import { sprintf, t, tx } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { WEBHOOKS_PATH } from './webhooks';

const PER_PAGE = 20;
const PAUSE = 3000; // milliseconds between two looks while something is on its way

interface Delivery {
	id: number;
	topic: string;
	state: 'waiting' | 'delivered' | 'failed';
	attempts: number;
	response_status: number;
	response_body: string;
	error: string;
	date_gmt: string;
	payload?: unknown;
}

/** What a webhook was told, what it answered, and telling it again. */
export function WebhookLog({ id }: { id: string }) {
	const path = `${WEBHOOKS_PATH}/${id}/deliveries`;
	const [page, setPage] = useState(1);
	const [shown, setShown] = useState<number | null>(null);
	const { value, error } = useCollection<Delivery>(path, { page, per_page: PER_PAGE });
	usePolling([path], PAUSE, value?.items.some((one) => one.state === 'waiting') ?? false);
	const send = async (target: string, text: string): Promise<void> => {
		try {
			await request(target, { method: 'POST' });
			forget(WEBHOOKS_PATH);
			showDone(text);
		} catch (problem) {
			showError(problem);
		}
	};
	const pages = value?.pages ?? 1;
	return (
		<section className="screen webhook-log" aria-labelledby="log-heading">
			<div className="panel">
				<header className="row-buttons">
					<h2 id="log-heading">{t('What it was told')}</h2>
					<button
						type="button"
						className="button"
						onClick={() => void send(`${WEBHOOKS_PATH}/${id}/ping`, t('A message is on its way.'))}
					>
						{t('Send a message to try it')}
					</button>
				</header>
				<ErrorNotice error={error} />
				{value?.items.length === 0 && <p>{t('It was told nothing yet.')}</p>}
				<ul className="plain-list">
					{value?.items.map((one) => (
						<li key={one.id}>
							<span>
								<code>{one.topic}</code> <span className="quiet">{formatTime(parseGmt(one.date_gmt))}</span>{' '}
								<span className={one.state === 'failed' ? 'job-failed' : ''}>{describeDelivery(one)}</span>
							</span>
							<span className="row-buttons">
								<button type="button" className="button button-small" onClick={() => setShown(one.id)}>
									{t('Show everything')}
								</button>
								<button
									type="button"
									className="button button-small"
									onClick={() => void send(`${path}/${String(one.id)}/redeliver`, t('It is sent again.'))}
								>
									{t('Send again')}
								</button>
							</span>
						</li>
					))}
				</ul>
				{pages > 1 && (
					<p className="row-buttons">
						<button type="button" className="button" disabled={page < 2} onClick={() => setPage(page - 1)}>
							{t('Newer')}
						</button>
						<button type="button" className="button" disabled={page >= pages} onClick={() => setPage(page + 1)}>
							{t('Older')}
						</button>
					</p>
				)}
			</div>
			{shown !== null && <DeliveryDialog path={`${path}/${String(shown)}`} onClose={() => setShown(null)} />}
		</section>
	);
}

function DeliveryDialog({ path, onClose }: { path: string; onClose: () => void }) {
	const { value, error } = useResource<Delivery>(path, { context: 'edit' });
	return (
		<Dialog title={t('Delivery')} onClose={onClose} wide>
			<ErrorNotice error={error} />
			{value && (
				<>
					<p>
						{describeDelivery(value)} {value.error}
					</p>
					<h3>{t('What was sent')}</h3>
					<pre className="job-trace">{JSON.stringify(value.payload, null, 2)}</pre>
					<h3>{t('What was answered')}</h3>
					<pre className="job-trace">{value.response_body || t('nothing')}</pre>
				</>
			)}
		</Dialog>
	);
}

function describeDelivery(one: Delivery): string {
	switch (one.state) {
		case 'delivered':
			return sprintf(t('delivered, answered %d'), one.response_status);
		case 'failed':
			return one.response_status ? sprintf(t('given up, answered %d'), one.response_status) : t('given up, no answer');
		case 'waiting':
			return one.attempts > 0
				? sprintf(t('waits for another try after %d'), one.attempts)
				: tx('on its way', 'webhook');
	}
}
