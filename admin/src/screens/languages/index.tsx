import { useState } from 'react';

import { boot, canSomewhere, isMultilingual, managesTranslation, translates } from '../../app/boot';
import { t, tx } from '../../app/i18n';
import { setQuery, useLocation } from '../../app/router';
import { Screen } from '../../app/screen';
import type { Query } from '../../api/client';
import { ImportFiles } from './import-files';
import { JobsList } from './jobs-list';

interface Show {
	name: string;
	label: string;
	query: Query;
	/** Whether those that somebody has are left out. */
	free?: boolean;
}

const OPEN = '1,2,4,40,102';

/** The translation jobs: for those who hand them out all of them, for a translator their own and the free ones. */
export default function TranslationJobsScreen() {
	const { query } = useLocation();
	const [importing, setImporting] = useState(false);
	const views = listViews();
	const shown = views.find((one) => one.name === query.get('show')) ?? views[0];
	if (!isMultilingual || !translates() || !shown) {
		return (
			<Screen title={t('Translations')}>
				<p>{isMultilingual ? t('You have no right to translate.') : t('The site has one language.')}</p>
			</Screen>
		);
	}
	return (
		<Screen
			title={t('Translations')}
			actions={
				<button type="button" className="button" onClick={() => setImporting(true)}>
					{t('Read files in')}
				</button>
			}
		>
			<div className="view-tabs">
				<nav aria-label={t('Views')}>
					{views.map(({ name, label }) => (
						<button
							key={name}
							type="button"
							aria-current={name === shown.name ? 'true' : undefined}
							onClick={() => setQuery({ show: name })}
						>
							{label}
						</button>
					))}
				</nav>
			</div>
			<JobsList key={shown.name} query={shown.query} onlyFree={shown.free === true} />
			{importing && <ImportFiles onClose={() => setImporting(false)} />}
		</Screen>
	);
}

function listViews(): Show[] {
	const mine = {
		name: 'mine',
		label: tx('Mine', 'translation jobs'),
		query: { scope: 'local', translated_by: boot.user.id, status: '1,2' },
	};
	const free = {
		name: 'free',
		label: tx('Free', 'translation jobs'),
		query: { scope: 'local', translated_by: 0, status: '1' },
		free: true,
	};
	if (!managesTranslation()) {
		return [
			mine,
			free,
			{
				name: 'done',
				label: tx('Done', 'translation jobs'),
				query: { scope: 'local', translated_by: boot.user.id, status: '10' },
			},
		];
	}
	return [
		{ name: 'open', label: tx('Open', 'translation jobs'), query: { status: OPEN } },
		...(canSomewhere('translate') ? [mine] : []),
		free,
		{ name: 'review', label: tx('To review', 'translation jobs'), query: { status: '30' } },
		{ name: 'outdated', label: tx('Original changed', 'translation jobs'), query: { needs_update: 'include' } },
		{ name: 'failed', label: tx('Failed', 'translation jobs'), query: { status: '40' } },
		{ name: 'done', label: tx('Done', 'translation jobs'), query: { status: '10' } },
		{ name: 'all', label: tx('All', 'translation jobs'), query: {} },
	];
}
