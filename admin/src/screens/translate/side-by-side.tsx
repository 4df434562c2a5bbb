import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

import { boot } from '../../app/boot';
import { sprintf, t } from '../../app/i18n';
import { Link } from '../../app/link';
import { Screen } from '../../app/screen';
import { showDone, showError } from '../../app/toasts';
import { describeError } from '../../api/errors';
import { dropSaved } from '../../form/schema-form';
import { dropDraft, keepDraft, readDraft } from './local-draft';
import { useTerms, type GlossaryTerm } from './terms';
import { isTranslated, type TranslationWork } from './translation-work';
import { UnitRow } from './unit-row';

interface Props {
	/** Names what is kept in the browser. */
	name: string;
	load: () => Promise<TranslationWork>;
	/** What else can be done; it is given how to read everything again. */
	tools?: (work: TranslationWork, reload: () => Promise<void>) => ReactNode;
	/** Called when the translation is published or delivered. */
	onFinished?: () => void;
}

const NO_TERMS: GlossaryTerm[] = [];

/** Original and translation side by side, text by text. */
export function SideBySide({ name, load, tools, onFinished }: Props) {
	const [work, setWork] = useState<TranslationWork | null>(null);
	const [texts, setTexts] = useState<Record<string, string>>({});
	const [typed, setTyped] = useState<Record<string, string>>({});
	const [error, setError] = useState<unknown>(null);
	const [saving, setSaving] = useState(false);

	const latest = useRef(texts);
	latest.current = texts;

	/** Read what is stored. sent: the texts that were just saved; what was typed since then stays. */
	const read = useCallback(
		async (sent?: Record<string, string>): Promise<void> => {
			try {
				const next = await load();
				if (sent) {
					const newer = dropSaved(latest.current, sent);
					dropDraft(name);
					if (Object.keys(newer).length > 0) {
						keepDraft(name, next.units, newer);
					}
				}
				const kept = readDraft(name, next.units);
				setWork(next);
				setTyped(kept);
				setTexts({ ...Object.fromEntries(next.units.map(({ id, target }) => [id, target])), ...kept });
				setError(null);
			} catch (problem) {
				setError(problem);
			}
		},
		[load, name],
	);
	useEffect(() => void read(), [read]);
	const terms = useTerms(work);

	const change = useCallback((id: string, text: string): void => {
		setTexts((before) => ({ ...before, [id]: text }));
		setTyped((before) => ({ ...before, [id]: text }));
	}, []);
	useEffect(() => {
		if (work && Object.keys(typed).length > 0) {
			keepDraft(name, work.units, typed);
		}
	}, [name, work, typed]);

	const discard = (): void => {
		const before = typed;
		dropDraft(name);
		void read();
		showDone(t('What was not saved is discarded.'), () => {
			if (work) {
				keepDraft(name, work.units, before);
				void read();
			}
		});
	};
	const save = async (finish: boolean): Promise<void> => {
		if (!work) {
			return;
		}
		setSaving(true);
		try {
			const said = await work.save(texts, finish);
			if (finish && onFinished) {
				dropDraft(name);
				onFinished();
			} else {
				await read(texts);
			}
			showDone(said);
		} catch (problem) {
			showError(problem);
		} finally {
			setSaving(false);
		}
	};
	const done = useMemo(
		() => work?.units.filter((unit) => isTranslated(unit, texts[unit.id] ?? '')).length ?? 0,
		[work, texts],
	);

	if (!work) {
		return (
			<Screen title={t('Translate')}>
				{error === null ? (
					<p className="loading" role="status">
						{t('Loading …')}
					</p>
				) : (
					<p className="notice notice-failed" role="alert">
						{describeError(error)}
					</p>
				)}
			</Screen>
		);
	}
	const unsaved = Object.keys(typed).length > 0;
	return (
		<Screen
			title={sprintf(t('Translate: %s'), work.title)}
			actions={
				<>
					{tools?.(work, read)}
					{work.translationPath && (
						<Link className="button" to={work.translationPath}>
							{t('Open in the editor')}
						</Link>
					)}
					{work.saveLabel && (
						<button type="button" className="button" disabled={saving} onClick={() => void save(false)}>
							{work.saveLabel}
						</button>
					)}
					{work.finishLabel && (
						<button type="button" className="button button-primary" disabled={saving} onClick={() => void save(true)}>
							{work.finishLabel}
						</button>
					)}
				</>
			}
		>
			{work.notes.map((note) => (
				<p key={note} className="notice">
					{note}
				</p>
			))}
			<div className="translation-progress">
				<label>
					<span role="status">{sprintf(t('%1$d of %2$d translated'), done, work.units.length)}</span>
					<progress max={work.units.length} value={done} />
				</label>
				<span className="quiet">{t('Ctrl+Enter goes to the next text.')}</span>
				{unsaved && (
					<span className="quiet">
						{t('Not saved yet; kept in this browser.')}{' '}
						<button type="button" className="unit-copy" onClick={discard}>
							{t('Discard')}
						</button>
					</span>
				)}
			</div>
			{/* Keys are heard here for all fields; each of them is reached by itself. */}
			{/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
			<div className="units" onKeyDown={goToNext}>
				<div className="units-head" aria-hidden="true">
					<span>{nameLanguage(work.from)}</span>
					<span>{nameLanguage(work.to)}</span>
				</div>
				{work.units.map((unit) => (
					<UnitRow
						key={unit.id}
						unit={unit}
						text={texts[unit.id] ?? ''}
						from={work.from}
						to={work.to}
						terms={terms[unit.id] ?? NO_TERMS}
						onChange={change}
					/>
				))}
			</div>
		</Screen>
	);
}

function nameLanguage(code: string): string {
	return boot.languages.find((one) => one.code === code)?.name ?? code;
}

/** Put the focus into the next field, from the last one back to the first. */
function goToNext(event: KeyboardEvent<HTMLElement>): void {
	if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) {
		return;
	}
	event.preventDefault();
	const fields = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-translation-field]')];
	const at = fields.indexOf(event.target as HTMLElement);
	fields[(at + (event.shiftKey ? fields.length - 1 : 1)) % fields.length]?.focus();
}
