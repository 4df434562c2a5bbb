import { t } from '../../app/i18n';
import { Field, getFault } from '../../form/field';
import { labelValue } from '../../list/labels';
import { RecordSetting } from './record-setting';
import type { GroupProps } from './site-settings';

const POST_FORMATS = ['0', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'];

/** What new posts begin with. */
export function WritingGroup({ settings, change, error }: GroupProps) {
	return (
		<>
			<RecordSetting
				name="default_category"
				label={t('Category of new posts')}
				refersTo="category"
				value={settings.default_category}
				// There is always one.
				onChange={(id) => id !== 0 && change({ default_category: id })}
				error={error}
			/>
			<Field label={t('Format of new posts')} fault={getFault(error, 'default_post_format')}>
				{(control) => (
					<select
						{...control}
						value={settings.default_post_format}
						onChange={(event) => change({ default_post_format: event.target.value })}
					>
						{POST_FORMATS.map((one) => (
							<option key={one} value={one}>
								{one === '0' ? t('Standard') : labelValue(one)}
							</option>
						))}
					</select>
				)}
			</Field>
			<label className="check">
				<input
					type="checkbox"
					checked={settings.use_smilies}
					onChange={(event) => change({ use_smilies: event.target.checked })}
				/>
				{t('Show typed smilies as emoji')}
			</label>
		</>
	);
}

/** Whether new posts can be answered. */
export function DiscussionGroup({ settings, change }: GroupProps) {
	return (
		<>
			<label className="check">
				<input
					type="checkbox"
					checked={settings.default_comment_status === 'open'}
					onChange={(event) => change({ default_comment_status: event.target.checked ? 'open' : 'closed' })}
				/>
				{t('New posts can be commented')}
			</label>
			<label className="check">
				<input
					type="checkbox"
					checked={settings.default_ping_status === 'open'}
					onChange={(event) => change({ default_ping_status: event.target.checked ? 'open' : 'closed' })}
				/>
				{t('Other sites can announce that they link to a new post')}
			</label>
		</>
	);
}
