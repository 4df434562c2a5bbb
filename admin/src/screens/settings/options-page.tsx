import { useMemo, useState } from 'react';

import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { getType, useDeclaration } from '../../api/declarations';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import { useContentLanguage } from '../../app/router';
import { Screen } from '../../app/screen';
import { showDone } from '../../app/toasts';
import { useLeaveWarning } from '../../form/record-form';
import { SchemaForm, UnsavedNote, useEdits } from '../../form/schema-form';
import type { Item } from '../../list/collection';
import { buildFields } from '../../list/fields';
import { OPTIONS_PAGES_PATH, type OptionsPage } from './options-pages';

/** Types of values that the form has controls for. */
const SHOWN = new Set(['string', 'integer', 'number', 'boolean']);

/** The form of one of the site's own options pages, from what the profile declares. */
export function OptionsPageForm({ name }: { name: string }) {
	const language = useContentLanguage();
	const path = `${OPTIONS_PAGES_PATH}/${name}`;
	const { value: page, error: missing } = useResource<OptionsPage>(path, {}, language);
	const { value: declaration } = useDeclaration(path);
	const start = useMemo<Item | undefined>(() => page && { id: name, ...page.meta }, [page, name]);
	const { item, edits, change, clear } = useEdits(start);
	const [error, setError] = useState<unknown>(null);
	const changed = Object.keys(edits).length > 0;
	useLeaveWarning(changed);
	const fields = useMemo(() => {
		const properties = declaration?.schema?.properties['meta']?.properties ?? {};
		const shown = Object.entries(properties).filter(([, schema]) => SHOWN.has(getType(schema)));
		const collection = { name, path, title: name, singular: name, titleField: '', columns: [] };
		return buildFields({ ...collection, getItemPath: () => null, addPath: null }, Object.fromEntries(shown), {});
	}, [declaration, name, path]);

	const save = async (): Promise<void> => {
		try {
			await request(path, { method: 'POST', body: { meta: edits }, language });
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
			<ErrorNotice error={missing} />
			{item && (
				<form
					className="panel record-form"
					onSubmit={(event) => {
						event.preventDefault();
						void save();
					}}
				>
					<SchemaForm
						fields={fields}
						members={fields.map((one) => one.id)}
						item={item}
						onChange={change}
						error={error}
					/>
					<div className="form-buttons">
						<button type="submit" className="button button-primary" disabled={!changed}>
							{t('Save')}
						</button>
						<UnsavedNote edits={edits} />
					</div>
				</form>
			)}
		</Screen>
	);
}
