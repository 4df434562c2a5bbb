import { formatTime, parseGmt } from '../app/formats';
import { sprintf, t } from '../app/i18n';

interface Props {
	/** When what is there now was saved; null where that is not known. */
	savedGmt: string | null | undefined;
	saving: boolean;
	onTakeTheirs: () => void;
	onKeepMine: () => void;
}

/** Says that somebody else has saved a record that is being changed here, and asks whose version shall stay. */
export function ConflictNotice({ savedGmt, saving, onTakeTheirs, onKeepMine }: Props) {
	return (
		<div className="notice notice-warning" role="alert">
			<p>
				<strong>{t('Somebody else has saved this meanwhile')}</strong>
			</p>
			<p>{t('What you wrote is still here, and nothing is overwritten until you decide.')}</p>
			{/* translators: %s: date and time */}
			{savedGmt && <p className="quiet">{sprintf(t('Saved %s'), formatTime(parseGmt(savedGmt)))}</p>}
			<div className="entry-buttons">
				<button type="button" className="button" disabled={saving} onClick={onTakeTheirs}>
					{t('Take theirs')}
				</button>
				<button type="button" className="button" disabled={saving} onClick={onKeepMine}>
					{t('Keep mine')}
				</button>
			</div>
		</div>
	);
}
