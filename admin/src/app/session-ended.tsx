import { useEffect, useState } from 'react';

import { boot } from './boot';
import { t } from './i18n';

/** Says that the session is over; signing in opens another window, so that nothing on this screen is lost. */
export function SessionEnded() {
	const [ended, setEnded] = useState(false);
	useEffect(() => {
		const show = (): void => setEnded(true);
		window.addEventListener('vetrina-signed-out', show);
		return () => window.removeEventListener('vetrina-signed-out', show);
	}, []);
	if (!ended) {
		return null;
	}
	return (
		<div className="banner" role="alert">
			<p>{t('Your session is over. Sign in again in a new window; what is on this screen stays.')}</p>
			<a
				className="button"
				href={`${boot.admin}/sign-in?redirect_to=${encodeURIComponent(`${boot.admin}/`)}`}
				target="_blank"
				rel="noopener"
			>
				{t('Sign in')}
			</a>
			<button type="button" className="button" onClick={() => setEnded(false)}>
				{t('I have signed in')}
			</button>
		</div>
	);
}
