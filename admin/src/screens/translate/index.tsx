import { useCallback } from 'react';

import { boot, defaultLanguage } from '../../app/boot';
import { useContentTypes, useTaxonomies, type ContentType, type Taxonomy } from '../../app/content-types';
import { t } from '../../app/i18n';
import { useLocation } from '../../app/router';
import type { ScreenProps } from '../../app/routes';
import { Screen } from '../../app/screen';
import { MachineButton } from './machine-button';
import { loadRecordWork } from './record-work';
import { SideBySide } from './side-by-side';

/** A record of the site beside its translation (`?to=`). */
export default function TranslateRecord({ params }: ScreenProps) {
	const types = useContentTypes();
	const taxonomies = useTaxonomies();
	const { query } = useLocation();
	const type = types?.find((one) => one.slug === params['type']);
	const wanted = query.get('to') ?? '';
	const to = boot.languages.some(({ code }) => code === wanted)
		? wanted
		: boot.languages.find(({ code }) => code !== (query.get('from') ?? defaultLanguage))?.code;
	if (types && (!type || !to)) {
		return (
			<Screen title={t('No such screen')}>
				<p>{t('The address leads nowhere; the menu shows what there is.')}</p>
			</Screen>
		);
	}
	if (!types || !type || !taxonomies || !to) {
		return (
			<p className="loading" role="status">
				{t('Loading …')}
			</p>
		);
	}
	const id = Number(params['id']);
	const key = `${type.slug} ${String(id)} ${to}`;
	return <RecordSides key={key} type={type} types={types} taxonomies={taxonomies} id={id} to={to} />;
}

interface Props {
	type: ContentType;
	types: ContentType[];
	taxonomies: Taxonomy[];
	id: number;
	to: string;
}

function RecordSides({ type, types, taxonomies, id, to }: Props) {
	const load = useCallback(() => loadRecordWork(type, types, taxonomies, id, to), [type, types, taxonomies, id, to]);
	return (
		<SideBySide
			name={`${type.slug} ${String(id)} ${to}`}
			load={load}
			tools={(work, reload) => (
				<MachineButton
					element={`post_${type.slug}`}
					id={id}
					from={work.from}
					to={to}
					exists={work.translationPath !== null}
					onDone={reload}
				/>
			)}
		/>
	);
}
