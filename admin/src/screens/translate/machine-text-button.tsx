import { useState } from 'react';

import { t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { askMachine } from './text-machine';
import type { TranslationUnit } from './translation-work';

interface Props {
	unit: TranslationUnit;
	/** What is in the field, which comes back by "Undo". */
	text: string;
	from: string;
	to: string;
	onChange: (text: string) => void;
}

/** Lets the machine write one field; nothing is saved by it. */
export function MachineTextButton({ unit, text, from, to, onChange }: Props) {
	const [running, setRunning] = useState(false);
	const run = async (): Promise<void> => {
		setRunning(true);
		try {
			onChange(await askMachine(unit.source, from, to));
			if (text.trim()) {
				showDone(t('The machine has written over this text.'), () => onChange(text));
			}
		} catch (error) {
			showError(error);
		} finally {
			setRunning(false);
		}
	};
	return (
		<button
			type="button"
			className="unit-copy"
			aria-label={`${t('Translate by machine')}: ${unit.label}`}
			disabled={running}
			onClick={() => void run()}
		>
			{running ? t('The machine is translating …') : t('Translate by machine')}
		</button>
	);
}
