import { useEffect, useRef, useState } from 'react';

import { boot, managesTranslation } from '../../app/boot';
import { t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { createJobs, findJobs, isFailed } from '../languages/job';

interface Props {
	/** Type of the record as jobs name it, `post_page`. */
	element: string;
	id: number;
	from: string;
	to: string;
	/** Whether a translation is there, which the machine writes over. */
	exists: boolean;
	onDone: () => Promise<void>;
}

const POLL = 1500; // milliseconds between two looks at the job
const MAX_POLLS = 80;
const COMPLETE = 10;

/** Sends the record to the machine of the site and waits for its texts; what was typed here stays. */
export function MachineButton({ element, id, from, to, exists, onDone }: Props) {
	const [running, setRunning] = useState(false);
	const open = useRef(true);
	useEffect(() => {
		open.current = true;
		return () => {
			open.current = false;
		};
	}, []);
	if (!boot.translationServices.includes('machine') || !managesTranslation()) {
		return null;
	}
	const run = async (): Promise<void> => {
		setRunning(true);
		try {
			const { jobs } = await createJobs(
				{ items: [{ type: element, id }], target_languages: [to], sent_to: 'machine' },
				from,
			);
			const number = jobs[0]?.extra_data.icl_translate_job_id;
			for (let count = 0; count < MAX_POLLS && open.current; count++) {
				await new Promise((resolve) => window.setTimeout(resolve, POLL));
				const job = (await findJobs(element, id, to)).find((one) => one.extra_data.icl_translate_job_id === number);
				if (job?.status === COMPLETE) {
					await onDone();
					showDone(t('The machine has translated it. Please read its texts.'));
					return;
				}
				if (job && isFailed(job)) {
					throw new Error(t('The machine could not translate it; the job can be sent again.'));
				}
			}
			if (open.current) {
				showDone(t('The machine is still at work; its job is among the translations.'));
			}
		} catch (error) {
			showError(error);
		} finally {
			setRunning(false);
		}
	};
	const begin = (): void => {
		if (!exists || window.confirm(t('The machine writes over the saved translation. Go on?'))) {
			void run();
		}
	};
	return (
		<button type="button" className="button" disabled={running} onClick={begin}>
			{running ? t('The machine is translating …') : t('Translate by machine')}
		</button>
	);
}
