/** What can be done with translation jobs, one or many at once. */
import type { Action } from '@wordpress/dataviews';
import { useMemo } from 'react';

import { managesTranslation } from '../../app/boot';
import { sprintf, t, tn } from '../../app/i18n';
import { navigate } from '../../app/router';
import { showDone, showError } from '../../app/toasts';
import { AssignForm } from './assign-form';
import { downloadJobFiles } from './download-files';
import {
	acceptJob,
	cancelJobs,
	getJobNumber,
	isAssignable,
	isCancellable,
	isFailed,
	isFree,
	isInReview,
	isResignable,
	isTranslatable,
	resignJob,
	retryJobs,
	takeJob,
	type TranslationJob,
} from './job';

/** Return the actions of a list of jobs. onDone: called after one, when its jobs are no longer selected. */
export function useJobActions(onDone: () => void): Action<TranslationJob>[] {
	return useMemo(() => {
		const run = (work: Promise<unknown>, text: string, undo?: () => unknown): void => {
			work.then(() => {
				onDone();
				showDone(text, undo);
			}, showError);
		};
		const each = (jobs: TranslationJob[], act: (job: TranslationJob) => Promise<unknown>): Promise<unknown> =>
			Promise.all(jobs.map(act));
		const actions: Action<TranslationJob>[] = [
			{
				id: 'translate',
				label: t('Translate'),
				isPrimary: true,
				isEligible: isTranslatable,
				callback: ([job]) => {
					if (job) {
						navigate(`/translate/job/${String(getJobNumber(job))}`);
					}
				},
			},
			{
				id: 'take',
				label: t('Take'),
				isPrimary: true,
				supportsBulk: true,
				isEligible: isFree,
				callback: (jobs) =>
					run(
						each(jobs, takeJob),
						sprintf(tn('%d job is yours.', '%d jobs are yours.', jobs.length), jobs.length),
						() => each(jobs, resignJob),
					),
			},
			{
				id: 'resign',
				label: t('Give back'),
				supportsBulk: true,
				isEligible: isResignable,
				callback: (jobs) =>
					run(
						each(jobs, resignJob),
						sprintf(tn('%d job is free again.', '%d jobs are free again.', jobs.length), jobs.length),
						() => each(jobs, takeJob),
					),
			},
			{
				id: 'accept',
				label: t('Accept the translation'),
				isPrimary: true,
				supportsBulk: true,
				isEligible: isInReview,
				callback: (jobs) => run(each(jobs, acceptJob), t('Accepted.')),
			},
			{
				id: 'download',
				label: t('Download as XLIFF'),
				supportsBulk: true,
				isEligible: isTranslatable,
				callback: (jobs) => {
					downloadJobFiles(jobs).then(onDone, showError);
				},
			},
		];
		if (managesTranslation()) {
			actions.push(
				{
					id: 'assign',
					label: t('Give to somebody'),
					supportsBulk: true,
					isEligible: isAssignable,
					RenderModal: ({ items, closeModal }) => (
						<AssignForm
							jobs={items}
							onClose={() => {
								closeModal?.();
								onDone();
							}}
						/>
					),
				},
				{
					id: 'retry',
					label: t('Send again'),
					isEligible: isFailed,
					callback: () => run(retryJobs(), t('Failed jobs are sent again.')),
				},
				{
					id: 'cancel',
					label: t('Call off'),
					supportsBulk: true,
					isEligible: isCancellable,
					RenderModal: ({ items, closeModal }) => (
						<div className="confirm">
							<p>{t('What is translated already stays as it is. A job that is called off can be made again.')}</p>
							<div className="form-buttons">
								<button
									type="button"
									className="button button-danger"
									onClick={() => {
										closeModal?.();
										run(
											cancelJobs(items),
											sprintf(tn('%d job is called off.', '%d jobs are called off.', items.length), items.length),
										);
									}}
								>
									{t('Call off')}
								</button>
								<button type="button" className="button" onClick={closeModal}>
									{t('Cancel')}
								</button>
							</div>
						</div>
					),
				},
			);
		}
		return actions;
	}, [onDone]);
}
