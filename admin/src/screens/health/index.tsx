import { t } from '../../app/i18n';
import { Screen } from '../../app/screen';
import { Figures } from './figures';
import { Findings } from './findings';
import { StoredData } from './stored-data';

/** How the site is: what it says of itself, its figures, its stored data. */
export default function Health() {
	return (
		<Screen title={t('Health')}>
			<Findings />
			<Figures />
			<StoredData />
		</Screen>
	);
}
