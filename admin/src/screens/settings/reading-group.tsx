import { t } from '../../app/i18n';
import { Field, getFault } from '../../form/field';
import { RecordSelect } from './record-select';
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
					<Field label={t('Home page')} fault={getFault(error, 'page_on_front')}>
						{(control) => (
							<RecordSelect
								control={control}
								path="/wp/v2/pages"
								label="title"
								optional
								value={settings.page_on_front}
								onChange={(id) => change({ page_on_front: id })}
							/>
						)}
					</Field>
					<Field label={t('Page of the posts')} fault={getFault(error, 'page_for_posts')}>
						{(control) => (
							<RecordSelect
								control={control}
								path="/wp/v2/pages"
								label="title"
								optional
								value={settings.page_for_posts}
								onChange={(id) => change({ page_for_posts: id })}
							/>
						)}
					</Field>
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
