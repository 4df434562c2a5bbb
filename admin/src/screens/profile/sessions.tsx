import { request } from '../../api/client';
import { useCollection } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { formatAge, formatTime, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { describeAgent } from './agents';

interface Session {
	id: string;
	name: string;
	current: boolean;
	agent: string;
	address: string;
	date_gmt: string;
	last_used_gmt: string;
}

const PATH = '/access/v1/sessions';

/** Where the person is signed in: each device can be signed out, and all others at once. */
export function Sessions() {
	const { value, error } = useCollection<Session>(PATH);
	const sessions = value?.items ?? [];
	const end = async (path: string, done: string): Promise<void> => {
		try {
			await request(path, { method: 'DELETE' });
			showDone(done);
		} catch (problem) {
			showError(problem);
		}
	};
	return (
		<section className="panel" aria-labelledby="sessions-heading">
			<h2 id="sessions-heading">{t('Where you are signed in')}</h2>
			<ErrorNotice error={error} />
			<ul className="plain-list">
				{sessions.map((one) => {
					const device = one.name || describeAgent(one.agent);
					return (
						<li key={one.id}>
							<span>
								<strong>{device}</strong>
								{one.current && <span className="quiet"> ({t('this one')})</span>}
								<span className="quiet">
									{' '}
									{one.address}, {sprintf(t('since %s'), formatTime(parseGmt(one.date_gmt)))},{' '}
									{sprintf(t('last used %s'), formatAge(parseGmt(one.last_used_gmt)))}
								</span>
							</span>
							{!one.current && (
								<button
									type="button"
									className="button"
									aria-label={sprintf(t('Sign out %s'), device)}
									onClick={() => void end(`${PATH}/${one.id}`, t('The device is signed out.'))}
								>
									{t('Sign out')}
								</button>
							)}
						</li>
					);
				})}
			</ul>
			{sessions.some((one) => !one.current) && (
				<button
					type="button"
					className="button button-danger"
					onClick={() => void end(PATH, t('All other devices are signed out.'))}
				>
					{t('Sign out everywhere else')}
				</button>
			)}
		</section>
	);
}
