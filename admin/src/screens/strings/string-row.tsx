import { useEffect, useRef, useState } from 'react';

import { request } from '../../api/client';
import type { Language } from '../../app/boot';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { readForms, STRINGS_PATH, type SiteString } from './site-string';

interface Props {
	text: SiteString;
	languages: Language[];
}

/** A text of the site and a field for each language. */
export function StringRow({ text, languages }: Props) {
	return (
		<div className="unit">
			<div className="unit-source">
				<span className="unit-label">
					{text.context} · {text.name}
				</span>
				<div lang={text.language}>{text.value}</div>
				{text.plural && <div lang={text.language}>{text.plural}</div>}
			</div>
			<div className="unit-target">
				{languages.map((language) => (
					<StringForms key={language.code} text={text} language={language} />
				))}
			</div>
		</div>
	);
}

/** The forms of one language; they are saved as soon as the last of them is left. */
function StringForms({ text, language }: { text: SiteString; language: Language }) {
	const saved = readForms(text, language.code);
	const joined = JSON.stringify(saved);
	const [forms, setForms] = useState(saved);
	const focused = useRef(false);
	useEffect(() => {
		if (!focused.current) {
			setForms(JSON.parse(joined) as string[]);
		}
	}, [joined]);

	const write = (values: string[]): Promise<unknown> =>
		request(`${STRINGS_PATH}/${String(text.id)}`, {
			method: 'POST',
			body: { translations: { [language.code]: text.plural ? values : values[0] } },
		});
	const leave = (): void => {
		focused.current = false;
		if (JSON.stringify(forms) === joined) {
			return;
		}
		if (forms.some((one) => !one.trim())) {
			// The interface takes no translation back; what was saved stays.
			if (saved.every(Boolean)) {
				setForms(saved);
				showError(new Error(t('A translation cannot be empty; the saved one is back.')));
			}
			return;
		}
		const before = saved;
		write(forms).then(
			() =>
				showDone(
					sprintf(t('Saved: %s'), forms[0] ?? ''),
					before.every(Boolean) ? () => write(before).then(() => setForms(before)) : undefined,
				),
			showError,
		);
	};
	const labels = text.plural ? [t('one'), t('more')] : [''];
	return (
		<div
			onFocus={() => {
				focused.current = true;
			}}
			onBlur={(event) => {
				if (!event.currentTarget.contains(event.relatedTarget)) {
					leave();
				}
			}}
		>
			{forms.map((form, index) => (
				<label key={index}>
					<span className="unit-label">{[language.name, labels[index]].filter(Boolean).join(', ')}</span>
					<textarea
						className="translation-field"
						rows={1}
						lang={language.code}
						aria-label={`${text.value} – ${[language.name, labels[index]].filter(Boolean).join(', ')}`}
						value={form}
						onChange={(event) => setForms(forms.map((one, place) => (place === index ? event.target.value : one)))}
					/>
				</label>
			))}
		</div>
	);
}
