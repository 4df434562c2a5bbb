import { CommandMenu, useCommands } from '@wordpress/commands';

import { useNavigation } from '../app/navigation';
import { sprintf, t } from '../app/i18n';
import { navigate, useContentLanguage, withContentLanguage } from '../app/router';

/** The command palette of the editors, with the screens of the administration among its commands. */
export function EditorCommands() {
	const language = useContentLanguage();
	const items = useNavigation().flatMap((section) => section.items);
	useCommands(
		[{ to: '/', label: t('Dashboard') }, ...items].map(({ to, label }) => ({
			name: `vetrina${to}`,
			/* translators: %s: name of a screen, for example "Media" */
			label: sprintf(t('Go to: %s'), label),
			callback: ({ close }) => {
				close();
				navigate(withContentLanguage(to, language));
			},
		})),
	);
	return <CommandMenu />;
}
