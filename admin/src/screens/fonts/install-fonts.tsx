import { useState } from 'react';

import { forget } from '../../api/collections';
import { describeError } from '../../api/errors';
import { requestPage } from '../../api/client';
import { Dialog } from '../../app/dialog';
import { sprintf, t, tn } from '../../app/i18n';
import { showDone } from '../../app/toasts';
import { FAMILIES_PATH, installFont, type FontFamily } from './font-api';
import { guessFont, type FontGuess } from './font-files';

interface Props {
	files: File[];
	onClose: () => void;
}

const WEIGHTS = ['100', '200', '300', '400', '500', '600', '700', '800', '900', '100 900'];

/** Asks what the files are; what their names say is filled in. */
export function InstallFonts({ files, onClose }: Props) {
	const [fonts, setFonts] = useState<FontGuess[]>(() => files.map(({ name }) => guessFont(name)));
	const [faults, setFaults] = useState<Record<number, string>>({});
	const [installed, setInstalled] = useState<ReadonlySet<number>>(new Set());
	const [saving, setSaving] = useState(false);
	const change = (index: number, changes: Partial<FontGuess>): void =>
		setFonts(fonts.map((one, at) => (at === index ? { ...one, ...changes } : one)));

	const install = async (): Promise<void> => {
		setSaving(true);
		const failed: Record<number, string> = {};
		const done = new Set(installed);
		for (const [index, file] of files.entries()) {
			const font = fonts[index];
			if (!font || done.has(index)) {
				continue;
			}
			try {
				// The families are read again for each file: the one before may have made the family of this one.
				const { items } = await requestPage<FontFamily>(FAMILIES_PATH, { query: { per_page: 100 } });
				await installFont(file, font, items);
				done.add(index);
			} catch (error) {
				failed[index] = describeError(error);
			}
		}
		forget(FAMILIES_PATH);
		setInstalled(done);
		setFaults(failed);
		setSaving(false);
		if (Object.keys(failed).length === 0) {
			showDone(sprintf(tn('%d font is installed.', '%d fonts are installed.', files.length), files.length));
			onClose();
		}
	};
	return (
		<Dialog title={t('Add font files')} onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void install();
				}}
			>
				{files.map((file, index) => (
					<fieldset key={file.name} className="font-file" disabled={installed.has(index)}>
						<legend>{file.name}</legend>
						<label>
							{t('Family')}
							<input
								className="input"
								required
								value={fonts[index]?.family ?? ''}
								onChange={(event) => change(index, { family: event.target.value })}
							/>
						</label>
						<label>
							{t('Weight')}
							<select
								className="input"
								value={fonts[index]?.weight ?? '400'}
								onChange={(event) => change(index, { weight: event.target.value })}
							>
								{WEIGHTS.map((one) => (
									<option key={one} value={one}>
										{one === '100 900' ? t('All of them (variable)') : one}
									</option>
								))}
							</select>
						</label>
						<label>
							{t('Style')}
							<select
								className="input"
								value={fonts[index]?.style ?? 'normal'}
								onChange={(event) => change(index, { style: event.target.value as FontGuess['style'] })}
							>
								<option value="normal">{t('Upright')}</option>
								<option value="italic">{t('Italic')}</option>
							</select>
						</label>
						{faults[index] && (
							<p className="field-fault" role="alert">
								{faults[index]}
							</p>
						)}
					</fieldset>
				))}
				<div className="form-buttons">
					<button type="submit" className="button button-primary" disabled={saving}>
						{saving ? t('Saving …') : t('Install')}
					</button>
					<button type="button" className="button" onClick={onClose}>
						{t('Cancel')}
					</button>
				</div>
			</form>
		</Dialog>
	);
}
