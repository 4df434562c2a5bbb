import { useState } from 'react';

import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { usePolling } from '../../api/polling';
import { Dialog } from '../../app/dialog';
import { ErrorNotice } from '../../app/error-notice';
import { Fact } from '../../app/fact';
import { t } from '../../app/i18n';
import { Screen } from '../../app/screen';
import { showDone, showError } from '../../app/toasts';
import { CONNECTION_PATH, CONNECTOR_PATH, SYNC_PATH, type ConnectionState } from './connector-api';
import { SyncPanel } from './sync-panel';
import { SyncSettings } from './sync-settings';

/** Milliseconds between two looks: what the service pulls is in no change feed. */
const PAUSE = 5000;

/** The connection to the outside service that follows the site. */
export default function Connector() {
	const { value, error } = useResource<ConnectionState>(CONNECTION_PATH);
	usePolling([SYNC_PATH], PAUSE, value?.isRegistered ?? false);
	return (
		<Screen title={t('Connector')}>
			<ErrorNotice error={error} />
			{value && <Connection state={value} />}
			{value?.isStaging && <CopiedSite />}
			{value && <SyncPanel isRegistered={value.isRegistered} />}
			{value && <SyncSettings />}
		</Screen>
	);
}

function Connection({ state }: { state: ConnectionState }) {
	const [busy, setBusy] = useState(false);
	const [ending, setEnding] = useState(false);
	const act = async (action: () => Promise<void>): Promise<void> => {
		setBusy(true);
		try {
			await action();
		} catch (problem) {
			showError(problem);
		} finally {
			setBusy(false);
		}
	};
	const here = window.location.href;
	const register = async (): Promise<void> => {
		await request(`${CONNECTION_PATH}/register`, { method: 'POST', body: { from: 'admin', redirect_uri: here } });
		showDone(t('The site is registered with the service.'));
	};
	const connectAccount = async (): Promise<void> => {
		const answer = await request<{ authorizeUrl: string }>(`${CONNECTION_PATH}/authorize_url`, {
			query: { redirect_uri: here },
		});
		window.location.assign(answer.authorizeUrl);
	};
	const mend = async (): Promise<void> => {
		await request(`${CONNECTION_PATH}/reconnect`, { method: 'POST', body: {} });
		showDone(t('The connection was looked at and mended.'));
	};
	const end = async (): Promise<void> => {
		setEnding(false);
		await request(CONNECTION_PATH, { method: 'POST', body: { isActive: false } });
		showDone(t('The connection is ended.'));
	};
	return (
		<section className="panel" aria-labelledby="connection-heading">
			<h2 id="connection-heading">{t('Connection')}</h2>
			{state.offlineMode.isActive ? (
				<p className="notice notice-warning">
					{t('No service is set. The key connector.service_url of the profile says which one the site registers with.')}
				</p>
			) : (
				<>
					<dl className="fact-list">
						<Fact
							name={t('Site')}
							value={state.isRegistered ? t('registered with the service') : t('not registered')}
						/>
						<Fact name={t('Your account')} value={state.isUserConnected ? t('connected') : t('not connected')} />
						<Fact
							name={t('Owner of the connection')}
							value={state.hasConnectedOwner ? t('there is one') : t('nobody')}
						/>
					</dl>
					<p className="row-buttons">
						{!state.isRegistered && (
							<button
								type="button"
								className="button button-primary"
								disabled={busy}
								onClick={() => void act(register)}
							>
								{t('Register the site')}
							</button>
						)}
						{state.isRegistered && !state.isUserConnected && (
							<button type="button" className="button" disabled={busy} onClick={() => void act(connectAccount)}>
								{t('Connect your account')}
							</button>
						)}
						{state.isRegistered && (
							<>
								<button type="button" className="button" disabled={busy} onClick={() => void act(mend)}>
									{t('Mend the connection')}
								</button>
								<button type="button" className="button" disabled={busy} onClick={() => setEnding(true)}>
									{t('End the connection')}
								</button>
							</>
						)}
					</p>
				</>
			)}
			{ending && (
				<Dialog title={t('End the connection')} onClose={() => setEnding(false)}>
					<div className="confirm">
						<p>{t('The service is told nothing more of the site, and all accounts lose their connection.')}</p>
						<div className="confirm-buttons">
							<button type="button" className="button" onClick={() => setEnding(false)}>
								{t('Cancel')}
							</button>
							<button type="button" className="button button-danger" onClick={() => void act(end)}>
								{t('End the connection')}
							</button>
						</div>
					</div>
				</Dialog>
			)}
		</section>
	);
}

/** What to do where the service knows this site by another address: it was moved, or copied. */
function CopiedSite() {
	const decide = async (path: string, done: string): Promise<void> => {
		try {
			await request(`${CONNECTOR_PATH}/identity-crisis/${path}`, { method: 'POST', body: {} });
			showDone(done);
		} catch (problem) {
			showError(problem);
		}
	};
	return (
		<section className="panel" aria-labelledby="copied-heading">
			<h2 id="copied-heading">{t('The service knows this site by another address')}</h2>
			<p>{t('It was moved, or this is a copy of it. Until that is decided, nothing is sent.')}</p>
			<p className="row-buttons">
				<button
					type="button"
					className="button"
					onClick={() => void decide('migrate', t('The connection is moved to this address.'))}
				>
					{t('It was moved: take the connection along')}
				</button>
				<button
					type="button"
					className="button"
					onClick={() => void decide('start-fresh', t('This copy is registered as a site of its own.'))}
				>
					{t('It is a copy: register it as a new site')}
				</button>
				<button
					type="button"
					className="button"
					onClick={() => void decide('confirm-safe-mode', t('This copy stays in safe mode.'))}
				>
					{t('It is a copy: leave it in safe mode')}
				</button>
			</p>
		</section>
	);
}
