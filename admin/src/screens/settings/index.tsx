import { useMemo, useState } from 'react';

import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { describeError } from '../../api/errors';
import { t, tx } from '../../app/i18n';
import { Link } from '../../app/link';
import type { ScreenProps } from '../../app/routes';
import { Screen } from '../../app/screen';
import { showDone } from '../../app/toasts';
import { FormButtons } from '../../form/form-buttons';
import { useLeaveWarning } from '../../form/record-form';
import { useEdits } from '../../form/schema-form';
import type { Item } from '../../list/collection';
import { GeneralGroup } from './general-group';
import { OptionsPageForm } from './options-page';
import { useOptionsPages } from './options-pages';
import { ReadingGroup } from './reading-group';
import { SETTINGS_PATH, type SiteSettings } from './site-settings';
import { DiscussionGroup, WritingGroup } from './writing-groups';

/** The settings of the site, or one of its own options pages. */
export default function Settings({ params }: ScreenProps) {
	const page = params['page'];
	return page === undefined ? <SettingsForm /> : <OptionsPageForm key={page} name={page} />;
}

function SettingsForm() {
	const { value, error: missing } = useResource<SiteSettings>(SETTINGS_PATH);
	const start = useMemo<Item | undefined>(() => value && { ...value, id: 'settings' }, [value]);
	const { item, edits, change, clear } = useEdits(start);
	const [error, setError] = useState<unknown>(null);
	const [saving, setSaving] = useState(false);
	const pages = useOptionsPages();
	const changed = Object.keys(edits).length > 0;
	useLeaveWarning(changed);
	const settings = item as SiteSettings | undefined;

	const save = async (): Promise<void> => {
		setSaving(true);
		try {
			await request(SETTINGS_PATH, { method: 'POST', body: edits });
			setError(null);
			clear();
			showDone(t('The settings are saved.'));
		} catch (problem) {
			setError(problem);
		} finally {
			setSaving(false);
		}
	};
	const groups = [
		{ id: 'general', label: tx('General', 'settings'), Group: GeneralGroup },
		{ id: 'reading', label: tx('Reading', 'settings'), Group: ReadingGroup },
		{ id: 'discussion', label: tx('Discussion', 'settings'), Group: DiscussionGroup },
		{ id: 'writing', label: tx('Writing', 'settings'), Group: WritingGroup },
	];
	return (
		<Screen title={t('Settings')}>
			{(missing ?? error) !== undefined && (missing ?? error) !== null && (
				<p className="notice notice-failed" role="alert">
					{describeError(missing ?? error)}
				</p>
			)}
			{pages.length > 0 && (
				<nav className="panel options-pages" aria-label={t('Further settings of this site')}>
					{pages.map(({ name, label }) => (
						<Link key={name} className="button" to={`/settings/${name}`}>
							{label}
						</Link>
					))}
				</nav>
			)}
			{settings && (
				<form
					className="settings-form"
					onSubmit={(event) => {
						event.preventDefault();
						void save();
					}}
				>
					{groups.map(({ id, label, Group }) => (
						<section key={id} className="panel" aria-labelledby={`settings-${id}`}>
							<h2 id={`settings-${id}`}>{label}</h2>
							<Group settings={settings} change={change} error={error} />
						</section>
					))}
					<FormButtons changed={changed} saving={saving} label={t('Save the settings')} sticky />
				</form>
			)}
		</Screen>
	);
}
