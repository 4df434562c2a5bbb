import { t } from '../../app/i18n';
import { Screen } from '../../app/screen';
import { ComparisonPanel } from './comparison-panel';
import { ImportPanel } from './import-panel';

/** Another site comes in, and is compared with this one. */
export default function Moving() {
	return (
		<Screen title={t('Import and comparison')}>
			<ImportPanel />
			<ComparisonPanel />
		</Screen>
	);
}
