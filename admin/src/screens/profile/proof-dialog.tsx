import { useState, type ReactNode } from 'react';

import { describeError } from '../../api/errors';
import { Dialog } from '../../app/dialog';
import { t } from '../../app/i18n';
import { Field } from '../../form/field';

export interface Proof {
	password: string;
	code: string;
}

interface Props {
	title: string;
	children?: ReactNode;
	/** What the button says. */
	label: string;
	danger?: boolean;
	/** Whether a code is asked for, too. */
	withCode?: boolean;
	/** Does what the dialog is for; what it throws is shown, and the dialog stays. */
	onProve: (proof: Proof) => Promise<void>;
	onClose: () => void;
}

/** Asks for the password once more, before something changes by which the person signs in. */
export function ProofDialog({ title, children, label, danger = false, withCode = false, onProve, onClose }: Props) {
	const [password, setPassword] = useState('');
	const [code, setCode] = useState('');
	const [error, setError] = useState<unknown>(null);
	const [busy, setBusy] = useState(false);
	const prove = async (): Promise<void> => {
		setBusy(true);
		try {
			await onProve({ password, code });
		} catch (problem) {
			setError(problem);
			setBusy(false);
		}
	};
	return (
		<Dialog title={title} onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void prove();
				}}
			>
				{children}
				<Field label={t('Your password')} fault={error === null ? undefined : describeError(error)}>
					{(control) => (
						<input
							{...control}
							type="password"
							required
							autoComplete="current-password"
							value={password}
							onChange={(event) => setPassword(event.target.value)}
						/>
					)}
				</Field>
				{withCode && (
					<Field label={t('Code')} help={t('The one that your app shows now, or a recovery code.')}>
						{(control) => (
							<input
								{...control}
								required
								autoComplete="one-time-code"
								value={code}
								onChange={(event) => setCode(event.target.value)}
							/>
						)}
					</Field>
				)}
				<div className="form-buttons">
					<button type="button" className="button" onClick={onClose}>
						{t('Cancel')}
					</button>
					<button type="submit" className={danger ? 'button button-danger' : 'button button-primary'} disabled={busy}>
						{label}
					</button>
				</div>
			</form>
		</Dialog>
	);
}
