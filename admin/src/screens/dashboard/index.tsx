import { boot, can, canFor, isMultilingual, translates } from '../../app/boot';
import { selectWritableTypes, useContentTypes } from '../../app/content-types';
import { sprintf, t } from '../../app/i18n';
import { Screen } from '../../app/screen';
import { WaitingComments } from './comments';
import { FirstSteps } from './first-steps';
import { ServerPanel } from './server';
import { MissingTranslations, RecordsPanel } from './records';
import { ShopPanels } from './shop';
import { SiteHealth } from './site-health';
import { TranslationJobs } from './translation-jobs';

/** What needs a person: each panel asks for itself, and is not seen where nothing waits. */
export default function Dashboard() {
	const types = selectWritableTypes(useContentTypes() ?? []);
	const published = types.filter((type) => canFor(type.slug, type.capabilities['publish_posts'] ?? ''));
	const mine = types.filter((type) => 'author' in type.supports);
	return (
		<Screen title={t('Dashboard')}>
			<div className="dashboard">
				{can('manage_options') && <FirstSteps />}
				<div className="dashboard-panels">
					{can('manage_options') && <SiteHealth />}
					<ShopPanels />
					{can('manage_options') && <ServerPanel />}
					{can('moderate_comments') && <WaitingComments />}
					<RecordsPanel
						title={t('Waiting for review')}
						types={published}
						query={{ status: 'pending', orderby: 'modified', order: 'asc' }}
					/>
					<RecordsPanel
						title={t('Your drafts')}
						types={mine}
						query={{ status: 'draft', author: [boot.user.id], orderby: 'modified' }}
					/>
					{isMultilingual && boot.modules.includes('multilingual') && translates() && <TranslationJobs />}
					<RecordsPanel
						title={t('Scheduled')}
						types={types}
						query={{ status: 'future', orderby: 'date', order: 'asc' }}
						scheduled
					/>
					<MissingTranslations types={published} />
				</div>
				<p className="quiet nothing-waits">{sprintf(t('Nothing waits for you, %s.'), boot.user.name)}</p>
			</div>
		</Screen>
	);
}
