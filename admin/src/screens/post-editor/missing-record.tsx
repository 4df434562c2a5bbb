import type { ContentType } from '../../app/content-types';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import { withContentLanguage } from '../../app/router';
import { Screen } from '../../app/screen';

interface Props {
	type: ContentType;
	language: string;
}

/** Stands where a record was asked for that is gone, or that the person may not change. */
export function MissingRecord({ type, language }: Props) {
	return (
		<main className="missing-record">
			<Screen title={t('There is nothing to edit here')}>
				<p>{t('It may have been removed, or it is not yours to change.')}</p>
				<p>
					<Link className="button" to={withContentLanguage(`/content/${type.slug}`, language)}>
						{t('Back to the list')}
					</Link>
				</p>
			</Screen>
		</main>
	);
}
