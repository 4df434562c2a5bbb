import { useState } from 'react';

import { request } from '../../api/client';
import { describeError } from '../../api/errors';
import { Dialog } from '../../app/dialog';
import { t } from '../../app/i18n';
import { showDone } from '../../app/toasts';
import { Field } from '../../form/field';
import { ProofDialog } from './proof-dialog';

interface Enrolment {
	secret: string;
	uri: string;
	qr_code: string;
}

const PATH = '/access/v1/second-factors/one-time-codes';

/** Turns one-time codes on, by an app that scans a picture, and off. */
export function OneTimeCodes({ on, onCodes }: { on: boolean; onCodes: (codes: string[]) => void }) {
	const [asking, setAsking] = useState(false);
	const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
	const close = (): void => setAsking(false);
	return (
		<>
			<h3>{t('One-time codes')}</h3>
			<p className="field-help">
				{on
					? t('They are on: signing in asks for the code that your app shows.')
					: t('An app on your phone shows a code that you write when you sign in.')}
			</p>
			<button type="button" className={on ? 'button button-danger' : 'button'} onClick={() => setAsking(true)}>
				{on ? t('Turn off one-time codes') : t('Set up one-time codes')}
			</button>
			{asking &&
				(on ? (
					<ProofDialog
						title={t('Turn off one-time codes?')}
						label={t('Turn off')}
						danger
						withCode
						onClose={close}
						onProve={async (proof) => {
							await request(PATH, { method: 'DELETE', body: proof });
							close();
							showDone(t('One-time codes are off.'));
						}}
					/>
				) : (
					<ProofDialog
						title={t('Set up one-time codes')}
						label={t('Go on')}
						onClose={close}
						onProve={async ({ password }) => {
							setEnrolment(await request<Enrolment>(PATH, { method: 'POST', body: { password } }));
							close();
						}}
					/>
				))}
			{enrolment && (
				<FirstCode
					enrolment={enrolment}
					onClose={() => setEnrolment(null)}
					onDone={(codes) => {
						setEnrolment(null);
						showDone(t('One-time codes are on.'));
						onCodes(codes);
					}}
				/>
			)}
		</>
	);
}

interface FirstCodeProps {
	enrolment: Enrolment;
	onClose: () => void;
	onDone: (codes: string[]) => void;
}

function FirstCode({ enrolment, onClose, onDone }: FirstCodeProps) {
	const [code, setCode] = useState('');
	const [error, setError] = useState<unknown>(null);
	const confirm = async (): Promise<void> => {
		try {
			const { recovery_codes } = await request<{ recovery_codes: string[] }>(`${PATH}/confirm`, {
				method: 'POST',
				body: { code },
			});
			onDone(recovery_codes);
		} catch (problem) {
			setError(problem);
		}
	};
	return (
		<Dialog title={t('Set up one-time codes')} onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void confirm();
				}}
			>
				<p>{t('Scan this picture with an app for one-time codes, or type the key into it.')}</p>
				<p>
					<img
						className="qr-code"
						src={`data:image/svg+xml,${encodeURIComponent(enrolment.qr_code)}`}
						alt={t('The key as a picture')}
					/>
				</p>
				<p>
					<code className="shown-password">{enrolment.secret}</code>
				</p>
				<Field label={t('Code that the app shows')} fault={error === null ? undefined : describeError(error)}>
					{(control) => (
						<input
							{...control}
							required
							inputMode="numeric"
							autoComplete="one-time-code"
							value={code}
							onChange={(event) => setCode(event.target.value)}
						/>
					)}
				</Field>
				<div className="form-buttons">
					<button type="button" className="button" onClick={onClose}>
						{t('Cancel')}
					</button>
					<button type="submit" className="button button-primary">
						{t('Turn on')}
					</button>
				</div>
			</form>
		</Dialog>
	);
}
