import { Dialog } from '../../app/dialog';
import { t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';

/** Shows new recovery codes, this once. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
	const copy = (): void => {
		navigator.clipboard.writeText(codes.join('\n')).then(() => showDone(t('The codes are copied.')), showError);
	};
	return (
		<Dialog title={t('Recovery codes')} onClose={onClose}>
			<p>
				{t(
					'Each of them opens your account once, on a day without the phone. They are shown this once: print or copy them.',
				)}
			</p>
			<ul className="recovery-codes">
				{codes.map((one) => (
					<li key={one}>
						<code>{one}</code>
					</li>
				))}
			</ul>
			<div className="form-buttons">
				<button type="button" className="button" onClick={() => window.print()}>
					{t('Print')}
				</button>
				<button type="button" className="button" onClick={copy}>
					{t('Copy')}
				</button>
				<button type="button" className="button button-primary" onClick={onClose}>
					{t('I have them')}
				</button>
			</div>
		</Dialog>
	);
}
