import { describeError } from '../api/errors';

/** Says what went wrong, to screen readers at once; nothing where nothing did. */
export function ErrorNotice({ error }: { error: unknown }) {
	if (error === null || error === undefined) {
		return null;
	}
	return (
		<p className="notice notice-failed" role="alert">
			{describeError(error)}
		</p>
	);
}
