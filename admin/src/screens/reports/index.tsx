import { t } from '../../app/i18n';
import type { ScreenProps } from '../../app/routes';
import { Screen } from '../../app/screen';
import { Overview } from './overview';
import { ReportScreen } from './report-screen';
import { findReport } from './reports';

/** The reports of the shop: an overview, and one screen for each. */
export default function Reports({ params }: ScreenProps) {
	const name = params['report'];
	if (name === undefined) {
		return <Overview />;
	}
	const report = findReport(name);
	return report ? (
		<ReportScreen report={report} />
	) : (
		<Screen title={t('No such report')}>
			<p>{t('The address leads nowhere; the menu shows what there is.')}</p>
		</Screen>
	);
}
