import { t } from '../../app/i18n';
import { useConnection } from '../../editor/connection';

/** Says that the site cannot be reached, and that nothing is lost by it. */
export function SiteConnection() {
	return useConnection() ? null : (
		<p className="site-connection" role="alert">
			{t(
				'There is no connection to the site. What you change stays in this browser; save it when the site answers again.',
			)}
		</p>
	);
}
