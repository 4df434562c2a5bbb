import { useState } from 'react';

import { ErrorNotice } from '../../app/error-notice';
import { boot } from '../../app/boot';
import { sprintf, t, tn } from '../../app/i18n';
import { showDone } from '../../app/toasts';
import { createJobs } from './job';
import { TranslatorField } from './translator-field';

interface Props {
	/** What is sent, as jobs name it. */
	items: { type: string; id: number }[];
	/** The language that it is in. */
	from: string;
	onClose: () => void;
}

const SERVICES: Record<string, () => string> = {
	machine: () => t('A machine'),
	ate: () => t('The translation service'),
	agency: () => t('The agency'),
};

/** Makes translation jobs: into which languages, for whom, until when. */
export function SendForm({ items, from, onClose }: Props) {
	const others = boot.languages.filter(({ code }) => code !== from);
	const [languages, setLanguages] = useState<string[]>(others.length === 1 ? others.map(({ code }) => code) : []);
	const [recipient, setRecipient] = useState('local');
	const [deadline, setDeadline] = useState('');
	const [batch, setBatch] = useState('');
	const [note, setNote] = useState('');
	const [error, setError] = useState<unknown>(null);

	const send = async (): Promise<void> => {
		try {
			const { total } = await createJobs(
				{
					items,
					target_languages: languages,
					sent_to: recipient,
					...(deadline ? { deadline } : {}),
					...(batch.trim() ? { batch_name: batch.trim() } : {}),
					...(note.trim() ? { note } : {}),
				},
				from,
			);
			showDone(sprintf(tn('%d translation job is made.', '%d translation jobs are made.', total), total));
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
				void send();
			}}
		>
			<ErrorNotice error={error} />
			<fieldset>
				<legend>{t('Into')}</legend>
				{others.map(({ code, name }) => (
					<label key={code}>
						<input
							type="checkbox"
							checked={languages.includes(code)}
							onChange={(event) =>
								setLanguages(event.target.checked ? [...languages, code] : languages.filter((one) => one !== code))
							}
						/>
						{name}
					</label>
				))}
			</fieldset>
			<TranslatorField
				label={t('Who translates')}
				options={[
					{ value: 'local', label: t('Whoever takes it') },
					...boot.translationServices.map((name) => ({ value: name, label: SERVICES[name]?.() ?? name })),
				]}
				value={recipient}
				onChange={setRecipient}
			/>
			<label>
				{t('Deadline')}
				<input type="date" value={deadline} onChange={(event) => setDeadline(event.target.value)} />
			</label>
			<label>
				{t('Name of the batch')}
				<input value={batch} maxLength={200} onChange={(event) => setBatch(event.target.value)} />
			</label>
			<label>
				{t('What the translator should know')}
				<textarea rows={3} value={note} maxLength={10_000} onChange={(event) => setNote(event.target.value)} />
			</label>
			<div className="form-buttons">
				<button type="submit" className="button button-primary" disabled={languages.length === 0 || !recipient}>
					{t('Send')}
				</button>
				<button type="button" className="button" onClick={onClose}>
					{t('Cancel')}
				</button>
			</div>
		</form>
	);
}
