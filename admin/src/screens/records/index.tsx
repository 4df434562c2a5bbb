import { useMemo, type ReactNode } from 'react';

import { can } from '../../app/boot';
import { useTaxonomies } from '../../app/content-types';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import type { ScreenProps } from '../../app/routes';
import { Screen } from '../../app/screen';
import { RecordForm } from '../../form/record-form';
import { ListView } from '../../list/list-view';
import { COLLECTIONS } from './collections';
import { CsvTools } from './csv-tools';
import { GLOSSARY_PATH } from './glossary';
import { PersonFactors } from './person-factors';
import { RedirectTools } from './redirect-tools';
import { buildTermCollection } from './terms';
import { WebhookLog } from './webhook-log';

const TOOLS: Record<string, ReactNode> = {
	redirects: <RedirectTools />,
	glossary: <CsvTools path={GLOSSARY_PATH} fileName="glossary.csv" />,
};

/** The lists and forms of everything that is no content type: terms, comments, people, redirects and more. */
export default function Records({ params }: ScreenProps) {
	const name = params['collection'] ?? '';
	const taxonomies = useTaxonomies();
	const collection = useMemo(() => {
		const taxonomy = taxonomies?.find((one) => one.slug === name);
		return taxonomy ? buildTermCollection(taxonomy) : (COLLECTIONS[name]?.() ?? null);
	}, [name, taxonomies]);
	if (!collection) {
		return taxonomies ? (
			<Screen title={t('No such list')}>
				<p>{t('The address leads nowhere; the menu shows what there is.')}</p>
			</Screen>
		) : (
			<p className="loading" role="status">
				{t('Loading …')}
			</p>
		);
	}
	if ((name === 'users' || name === 'roles') && !can('promote_users')) {
		return (
			<Screen title={collection.title}>
				<ErrorNotice error={new Error(t('Accounts and their rights are for those who run the site.'))} />
			</Screen>
		);
	}
	const id = params['id'];
	return id === undefined ? (
		<ListView key={name} collection={collection} tools={TOOLS[name]} />
	) : (
		<>
			<RecordForm key={`${name} ${id}`} collection={collection} id={id} />
			{name === 'users' && id !== 'new' && <PersonFactors id={id} />}
			{name === 'webhooks' && id !== 'new' && <WebhookLog id={id} />}
		</>
	);
}
