import { IN_OWN_LANGUAGE } from '../../api/client';
import { useResource } from '../../api/collections';
import { t } from '../../app/i18n';
import { stripMarkup } from '../../list/collection';
import { Entry, Panel } from './panel';

/** The checks that look at what runs in the background and what it needs. */
const CHECKS = ['background-updates', 'disk-space', 'clock'];

interface Check {
	label: string;
	status: string;
	description: string;
}

/** What the site says of itself where something is wrong. */
export function SiteHealth() {
	return (
		<Panel title={t('The site needs attention')}>
			{CHECKS.map((name) => (
				<CheckEntry key={name} name={name} />
			))}
		</Panel>
	);
}

function CheckEntry({ name }: { name: string }) {
	const { value } = useResource<Check>(`/wp-site-health/v1/tests/${name}`, IN_OWN_LANGUAGE);
	return value && value.status !== 'good' ? <Entry note={stripMarkup(value.description)}>{value.label}</Entry> : null;
}
