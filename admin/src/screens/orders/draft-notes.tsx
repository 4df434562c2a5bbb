import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import type { Draft } from './use-draft';

/** What went wrong with a change, and that another window was faster. */
export function DraftNotes({ draft }: { draft: Draft }) {
	if (draft.isOutdated) {
		return (
			<div className="notice notice-warning" role="alert">
				<p>{t('This order was changed in another window. Look at what is there now, then make your change again.')}</p>
				<button type="button" className="button" onClick={draft.cancel}>
					{t('Show what is there now')}
				</button>
			</div>
		);
	}
	return <ErrorNotice error={draft.error} />;
}
