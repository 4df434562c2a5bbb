import { useMemo, useState } from 'react';

import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { useDeclaration } from '../../api/declarations';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import { useContentLanguage } from '../../app/router';
import { Screen } from '../../app/screen';
import { showDone } from '../../app/toasts';
import { FormButtons } from '../../form/form-buttons';
import { MetaFields } from '../../form/meta-fields';
import { useLeaveWarning } from '../../form/record-form';
import { useEdits } from '../../form/schema-form';
import type { Item } from '../../list/collection';
import { OPTIONS_PAGES_PATH, type OptionsPage } from './options-pages';

/** The form of one of the site's own options pages, from what the profile declares. */
export function OptionsPageForm({ name }: { name: string }) {
	const language = useContentLanguage();
	const path = `${OPTIONS_PAGES_PATH}/${name}`;
	const { value: page, error: missing } = useResource<OptionsPage>(path, { context: 'edit' }, language);
	const { value: declaration } = useDeclaration(path);
	const stored = useMemo<Item | undefined>(() => page && { ...page, id: name }, [page, name]);
	const { edits, change, clear } = useEdits(stored);
	const [error, setError] = useState<unknown>(null);
	const changed = Object.keys(edits).length > 0;
	useLeaveWarning(changed);

	const save = async (): Promise<void> => {
		try {
			await request(path, { method: 'POST', body: edits, language });
			setError(null);
			clear();
			showDone(t('Saved.'));
		} catch (problem) {
			setError(problem);
		}
	};
	return (
		<Screen
			title={page?.label ?? name}
			actions={
				<Link className="button" to="/settings">
					{t('All settings')}
				</Link>
			}
		>
			<ErrorNotice error={missing ?? error} />
			{stored && (
				<form
					className="panel record-form"
					noValidate
					onSubmit={(event) => {
						event.preventDefault();
						void save();
					}}
				>
					<MetaFields
						schema={declaration?.schema?.properties['meta']}
						stored={stored}
						edits={edits}
						onChange={change}
						error={error}
						language={language}
						whole
					/>
					<FormButtons changed={changed} />
				</form>
			)}
		</Screen>
	);
}
