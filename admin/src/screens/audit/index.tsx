import { useMemo } from 'react';

import { send } from '../../api/client';
import { t } from '../../app/i18n';
import { showError } from '../../app/toasts';
import type { Collection } from '../../list/collection';
import { ListView, readListQuery } from '../../list/list-view';
import { buildAuditCollection } from './collection';
import { AUDIT_PATH } from './entry';

/** Who did what on the site, from where. */
export default function Audit() {
	const collection = useMemo(() => buildAuditCollection(), []);
	return (
		<ListView
			collection={collection}
			tools={
				<button type="button" className="button" onClick={() => void saveFile(collection).catch(showError)}>
					{t('Export CSV')}
				</button>
			}
		/>
	);
}

/** Save what the list shows, all its pages, as a file. */
async function saveFile(collection: Collection): Promise<void> {
	const response = await send(`${AUDIT_PATH}/export`, {
		headers: { Accept: 'text/csv' },
		query: readListQuery(collection),
	});
	const address = URL.createObjectURL(await response.blob());
	const link = document.createElement('a');
	link.href = address;
	link.download = 'audit.csv';
	link.click();
	URL.revokeObjectURL(address);
}
