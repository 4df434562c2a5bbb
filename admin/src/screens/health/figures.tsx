import { useCollection, useResource } from '../../api/collections';
import { boot } from '../../app/boot';
import { Fact } from '../../app/fact';
import { formatBytes, formatNumber, formatTime, parseGmt } from '../../app/formats';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import { JOBS_PATH } from '../jobs/job';

interface Sizes {
	database_size: { raw: number };
	uploads_size: { raw: number };
}

interface ShopStatus {
	environment: { version: string; [name: string]: unknown };
	database: { database_prefix?: string; [name: string]: unknown };
}

/** Versions, sizes, how much waits in the background, and when the last backup was made. */
export function Figures() {
	const { value: sizes } = useResource<Sizes>('/wp-site-health/v1/directory-sizes');
	const { value: backups } = useCollection<{ date_gmt: string }>('/wp/v2/backups');
	const hasShop = boot.modules.includes('shop');
	const { value: shop } = useResource<ShopStatus>(hasShop ? '/wc/v3/system_status' : null);
	const waiting = useTotal('waiting');
	const running = useTotal('running');
	const failed = useTotal('failed');
	const last = backups?.items[0]?.date_gmt;
	return (
		<section className="panel" aria-labelledby="figures-heading">
			<h2 id="figures-heading">{t('Figures')}</h2>
			<dl className="fact-list">
				<Fact name={t('Version')} value={boot.version} />
				{shop && <Fact name={t('Version of the shop')} value={shop.environment.version} />}
				<Fact name={t('Profile')} value={boot.site.profile} />
				<Fact name={t('Database')} value={sizes && formatBytes(sizes.database_size.raw)} />
				<Fact name={t('Uploaded files')} value={sizes && formatBytes(sizes.uploads_size.raw)} />
				<Fact name={t('Jobs that wait')} value={waiting} />
				<Fact name={t('Jobs that run')} value={running} />
				<Fact name={t('Jobs that were given up')} value={failed} />
				<Fact name={t('Last backup')} value={backups && (last ? formatTime(parseGmt(last)) : t('none yet'))} />
			</dl>
			<p className="row-buttons">
				<Link to="/jobs">{t('Background jobs')}</Link> <Link to="/backups">{t('Backups')}</Link>
			</p>
		</section>
	);
}

function useTotal(state: string): string | undefined {
	const { value } = useCollection(JOBS_PATH, { state: [state], per_page: 1 });
	return value && formatNumber(value.total);
}
