import { t } from '../../app/i18n';
import { Field, getFault } from '../../form/field';
import { RecordSetting } from './record-setting';
import type { GroupProps } from './site-settings';

/** What the home page shows, and how long lists are. */
export function ReadingGroup({ settings, change, error }: GroupProps) {
	const hasPage = settings.show_on_front === 'page';
	return (
		<>
			<fieldset className="field">
				<legend>{t('The home page shows')}</legend>
				<label className="check">
					<input
						type="radio"
						name="show_on_front"
						checked={!hasPage}
						onChange={() => change({ show_on_front: 'posts' })}
					/>
					{t('the newest posts')}
				</label>
				<label className="check">
					<input
						type="radio"
						name="show_on_front"
						checked={hasPage}
						onChange={() => change({ show_on_front: 'page' })}
					/>
					{t('a page')}
				</label>
			</fieldset>
			{hasPage && (
				<>
					<RecordSetting
						name="page_on_front"
						label={t('Home page')}
						refersTo="page"
						value={settings.page_on_front}
						onChange={(id) => change({ page_on_front: id })}
						error={error}
					/>
					<RecordSetting
						name="page_for_posts"
						label={t('Page of the posts')}
						refersTo="page"
						value={settings.page_for_posts}
						onChange={(id) => change({ page_for_posts: id })}
						error={error}
					/>
				</>
			)}
			<Field label={t('Posts on a page')} fault={getFault(error, 'posts_per_page')}>
				{(control) => (
					<input
						{...control}
						type="number"
						min={1}
						max={100}
						value={settings.posts_per_page}
						onChange={(event) => change({ posts_per_page: event.target.valueAsNumber || 1 })}
					/>
				)}
			</Field>
		</>
	);
}
