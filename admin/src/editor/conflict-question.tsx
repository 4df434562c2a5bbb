import { Button, Modal } from '@wordpress/components';
import { getDate } from '@wordpress/date';

import { formatTime } from '../app/formats';
import { sprintf, t } from '../app/i18n';

export interface TheirRecord {
	/** In the site's zone; styles have none. */
	modified?: string | null;
	title?: { raw: string };
	content?: { raw: string };
}

interface Props {
	theirs: TheirRecord | undefined;
	fault: string;
	onCopy?: () => void;
	onTakeTheirs: () => void;
	onKeepMine: () => void;
}

/** Shows what somebody else has saved, and asks whose version shall stay. */
export function ConflictQuestion({ theirs, fault, onCopy, onTakeTheirs, onKeepMine }: Props) {
	return (
		<Modal
			title={t('Somebody else has saved this meanwhile')}
			size="large"
			isDismissible={false}
			shouldCloseOnClickOutside={false}
			shouldCloseOnEsc={false}
			onRequestClose={() => undefined}
			className="conflict-dialog"
		>
			<p>{t('What you wrote is still here, and nothing is overwritten until you decide.')}</p>
			{fault && <p role="alert">{fault}</p>}
			{theirs && (
				<>
					{/* translators: %s: date and time */}
					{theirs.modified && <h2>{sprintf(t('Saved %s'), formatTime(getDate(theirs.modified)))}</h2>}
					<h3>{theirs.title?.raw}</h3>
					{theirs.content && <pre className="conflict-text">{theirs.content.raw}</pre>}
				</>
			)}
			<div className="dialog-actions">
				{onCopy && (
					<Button variant="tertiary" onClick={onCopy}>
						{t('Copy mine')}
					</Button>
				)}
				<Button variant="secondary" onClick={onTakeTheirs}>
					{t('Take theirs')}
				</Button>
				<Button variant="primary" onClick={onKeepMine}>
					{t('Keep mine')}
				</Button>
			</div>
		</Modal>
	);
}
