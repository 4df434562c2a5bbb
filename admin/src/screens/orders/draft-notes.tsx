import { ErrorNotice } from '../../app/error-notice';
import { ConflictNotice } from '../../form/conflict-notice';
import type { Draft } from './use-draft';

interface Props {
	draft: Draft;
	/** Saves the change whatever somebody else has saved. */
	onKeepMine: () => unknown;
}

/** What went wrong with a change, and that somebody else was faster. */
export function DraftNotes({ draft, onKeepMine }: Props) {
	if (draft.isOutdated) {
		return (
			<ConflictNotice
				savedGmt={draft.savedGmt}
				saving={draft.saving}
				onTakeTheirs={draft.cancel}
				onKeepMine={onKeepMine}
			/>
		);
	}
	return <ErrorNotice error={draft.error} />;
}
