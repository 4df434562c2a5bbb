import { IN_OWN_LANGUAGE } from '../../api/client';
import { useResource } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { t, tx } from '../../app/i18n';
import { stripMarkup } from '../../list/collection';

/**
 * The checks of the interface, those that look at what may go wrong at any hour first. Not here: whether the header of
 * programs arrives, which a browser does not send, and the stored data, which are looked through in the background.
 */
const CHECKS = [
	'background-updates',
	'disk-space',
	'clock',
	'https-status',
	'loopback-requests',
	'page-cache',
	'dotorg-communication',
];

interface Finding {
	label: string;
	status: 'good' | 'recommended' | 'critical';
	description: string;
	actions: string;
}

/** What the site found out about itself, each with what to do. */
export function Findings() {
	return (
		<section className="panel" aria-labelledby="findings-heading">
			<h2 id="findings-heading">{t('What the site says of itself')}</h2>
			<ul className="finding-list">
				{CHECKS.map((name) => (
					<FindingEntry key={name} name={name} />
				))}
			</ul>
		</section>
	);
}

function FindingEntry({ name }: { name: string }) {
	const { value, error } = useResource<Finding>(`/wp-site-health/v1/tests/${name}`, IN_OWN_LANGUAGE);
	if (error) {
		return (
			<li>
				<ErrorNotice error={error} />
			</li>
		);
	}
	return value ? (
		<li className={`finding finding-${value.status}`}>
			<span className="finding-status">{describeStatus(value.status)}</span>
			<div>
				<strong>{value.label}</strong>
				<p>{stripMarkup(value.description)}</p>
				{value.actions && <p className="finding-actions">{stripMarkup(value.actions)}</p>}
			</div>
		</li>
	) : (
		<li className="quiet">{t('Loading …')}</li>
	);
}

function describeStatus(status: Finding['status']): string {
	switch (status) {
		case 'good':
			return tx('Good', 'finding');
		case 'recommended':
			return tx('To improve', 'finding');
		case 'critical':
			return tx('Critical', 'finding');
	}
}
