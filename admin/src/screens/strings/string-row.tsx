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

	// No text at all removes the translation; then what a file has is shown again.
	const write = (values: string[]): Promise<SiteString> =>
		request<SiteString>(`${STRINGS_PATH}/${String(text.id)}`, {
			method: 'POST',
			body: { translations: { [language.code]: text.plural ? values : values[0] } },
		});
	const leave = (): void => {
		focused.current = false;
		if (JSON.stringify(forms) === joined) {
			return;
		}
		const written = forms.map((one) => one.trim());
		if (written.some(Boolean) && !written.every(Boolean)) {
			// A plural is begun, and its other form comes next; all of it is needed.
			return;
		}
		const before = saved;
		const undo = (): Promise<unknown> => write(before).then(() => setForms(before));
		write(written).then((now) => {
			// What was typed meanwhile stays.
			setForms((shown) => (shown === forms ? readForms(now, language.code) : shown));
			showDone(
				written.every(Boolean) ? sprintf(t('Saved: %s'), forms[0] ?? '') : t('The translation is removed.'),
				undo,
			);
		}, showError);
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
