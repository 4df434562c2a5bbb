import { useEffect, useState } from 'react';

import { t } from '../../app/i18n';
import { describeRest, type TransferState } from './transfer';

interface Props {
	label: string;
	state: TransferState;
	stopLabel: string;
	onStop: () => Promise<void>;
}

/** A job that runs: what it does, how far it is, and a way to stop it. */
export function RunningJob({ label, state, stopLabel, onStop }: Props) {
	const [stopping, setStopping] = useState(false);
	const [now, setNow] = useState(() => new Date());
	useEffect(() => setNow(new Date()), [state]);
	const known = state.progress !== null && state.progress.of > 0;
	return (
		<>
			<p role="status">
				{label} {t('You may leave this page meanwhile.')}
			</p>
			<div className="job-progress">
				<progress
					aria-label={label}
					max={known ? state.progress?.of : undefined}
					value={known ? Math.min(state.progress?.done ?? 0, state.progress?.of ?? 0) : undefined}
				/>
				<span className="quiet">{describeRest(state, now)}</span>
			</div>
			<button
				type="button"
				className="button"
				disabled={stopping}
				onClick={() => {
					setStopping(true);
					void onStop().finally(() => setStopping(false));
				}}
			>
				{stopLabel}
			</button>
		</>
	);
}
