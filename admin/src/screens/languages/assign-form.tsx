import { useState } from 'react';

import { ErrorNotice } from '../../app/error-notice';
import { sprintf, t, tn } from '../../app/i18n';
import { showDone } from '../../app/toasts';
import { assignJob, type TranslationJob } from './job';
import { TranslatorField } from './translator-field';

/** Gives jobs to a translator. */
export function AssignForm({ jobs, onClose }: { jobs: TranslationJob[]; onClose: () => void }) {
	const [chosen, setChosen] = useState('');
	const [error, setError] = useState<unknown>(null);
	const assign = async (): Promise<void> => {
		try {
			const answers = await Promise.all(jobs.map((job) => assignJob(job, Number(chosen))));
			if (answers.includes(null)) {
				throw new Error(t('Not every job is there any more; the list shows what is.'));
			}
			showDone(sprintf(tn('%d job is handed over.', '%d jobs are handed over.', jobs.length), jobs.length));
			onClose();
		} catch (problem) {
			setError(problem);
		}
	};
	return (
		<form
			className="job-form"
			onSubmit={(event) => {
				event.preventDefault();
				void assign();
			}}
		>
			<ErrorNotice error={error} />
			<TranslatorField
				label={t('Translator')}
				options={[{ value: '', label: t('Choose …') }]}
				value={chosen}
				onChange={setChosen}
			/>
			<div className="form-buttons">
				<button type="submit" className="button button-primary" disabled={!chosen}>
					{t('Hand over')}
				</button>
				<button type="button" className="button" onClick={onClose}>
					{t('Cancel')}
				</button>
			</div>
		</form>
	);
}
