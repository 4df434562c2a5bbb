import { memo } from 'react';

import { t } from '../../app/i18n';
import { escapeText, showInline } from './inline-html';
import { MachineTextButton } from './machine-text-button';
import { RichField } from './rich-field';
import type { GlossaryTerm } from './terms';
import { canAskMachine } from './text-machine';
import { isTranslated, type TranslationUnit } from './translation-work';

interface Props {
	unit: TranslationUnit;
	text: string;
	from: string;
	to: string;
	terms: GlossaryTerm[];
	onChange: (id: string, text: string) => void;
}

const LONG = 80; // characters from which a text gets a field of several lines

/** A text of the original, and beside it the field of its translation. */
export const UnitRow = memo(function UnitRow({ unit, text, from, to, terms, onChange }: Props) {
	const { id, label, source, format } = unit;
	const done = isTranslated(unit, text);
	const change = (next: string): void => onChange(id, next);
	const insert = (term: string): void => {
		const written = format === 'html' ? escapeText(term) : term;
		change(text.trim() ? `${text.trimEnd()} ${written}` : written);
	};
	return (
		<div className={done ? 'unit unit-done' : 'unit'} data-unit={id}>
			<div className="unit-source">
				<span className="unit-label">{label}</span>
				<div lang={from}>{format === 'html' ? showInline(source) : source}</div>
				{terms.length > 0 && (
					<ul className="unit-terms" aria-label={`${t('Glossary')}: ${label}`}>
						{terms.map(({ id: number, term, translation, note }) => (
							<li key={number} title={note || undefined}>
								<span lang={from}>{term}</span> →{' '}
								<button type="button" className="unit-copy" lang={to} onClick={() => insert(translation)}>
									{translation}
								</button>
								{note && <span className="visually-hidden">{note}</span>}
							</li>
						))}
					</ul>
				)}
			</div>
			<div className="unit-target">
				<div className="unit-label">
					<span>{done ? t('translated') : text.trim() ? t('same as the original') : t('not translated')}</span>
					{!text.trim() && (
						<button
							type="button"
							className="unit-copy"
							aria-label={`${t('Start from the original')}: ${label}`}
							onClick={() => change(source)}
						>
							{t('Start from the original')}
						</button>
					)}
					{canAskMachine(unit) && <MachineTextButton unit={unit} text={text} from={from} to={to} onChange={change} />}
				</div>
				{format === 'html' ? (
					<RichField label={label} language={to} html={text} placeholder={t('Translation …')} onChange={change} />
				) : (
					<textarea
						className="translation-field"
						rows={Math.max(1, Math.ceil(Math.max(source.length, text.length) / LONG))}
						lang={to}
						aria-label={label}
						placeholder={t('Translation …')}
						data-translation-field=""
						spellCheck
						value={text}
						onChange={(event) => change(event.target.value)}
					/>
				)}
			</div>
		</div>
	);
});
