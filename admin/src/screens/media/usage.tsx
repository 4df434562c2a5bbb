import { useResource, type Loaded } from '../../api/collections';
import { t, tx } from '../../app/i18n';
import { Link } from '../../app/link';
import { withContentLanguage } from '../../app/router';
import { labelValue } from '../../list/labels';
import { MEDIA_PATH } from './media-file';

export interface Usage {
	records: { id: number; type: string; title: string; status: string; lang: string; ways: string[] }[];
	settings: string[];
	partial: boolean;
}

export function useUsage(id: number): Loaded<Usage> {
	return useResource<Usage>(`${MEDIA_PATH}/${String(id)}/usage`);
}

export function countUses(usage: Usage | undefined): number {
	return usage ? usage.records.length + usage.settings.length : 0;
}

/** Where a file is used, as links to what uses it. */
export function UsageList({ usage }: { usage: Usage }) {
	if (countUses(usage) === 0) {
		return <p className="quiet">{t('No record and no setting uses this file.')}</p>;
	}
	return (
		<>
			<ul className="usage-list">
				{usage.settings.map((name) => (
					<li key={name}>
						<Link to="/settings">{name === 'site_icon' ? t('Icon of the site') : t('Logo of the site')}</Link>
					</li>
				))}
				{usage.records.map(({ id, type, title, status, lang, ways }) => (
					<li key={id}>
						<Link to={withContentLanguage(`/content/${type}/${String(id)}`, lang)}>{title || t('(no title)')}</Link>
						<span className="quiet">
							{' '}
							{[
								...ways.map((way) =>
									way === 'content' ? tx('in the text', 'use of a file') : tx('as featured image', 'use of a file'),
								),
								...(status === 'publish' ? [] : [labelValue(status)]),
							].join(', ')}
						</span>
					</li>
				))}
			</ul>
			{usage.partial && <p className="quiet">{t('There may be more: only the newest hundred were looked at.')}</p>}
		</>
	);
}
