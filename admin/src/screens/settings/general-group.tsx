import { useDeclaration } from '../../api/declarations';
import { boot } from '../../app/boot';
import { t } from '../../app/i18n';
import { Field, getFault } from '../../form/field';
import { labelLocale } from '../../app/locales';
import { DATE_FORMATS, TIME_FORMATS } from './date-formats';
import { FormatField } from './format-field';
import { PictureField } from './picture-field';
import type { GroupProps } from './site-settings';

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((one) => one !== 'UTC')];

/** What the site is called, and how it writes times. */
export function GeneralGroup({ settings, change, error }: GroupProps) {
	const { value: accounts } = useDeclaration('/wp/v2/users');
	const locales = (accounts?.schema?.properties['locale']?.enum ?? []).map(String).filter(Boolean);
	const zones = ZONES.includes(settings.timezone) ? ZONES : [settings.timezone, ...ZONES];
	const languages = locales.includes(settings.language) ? locales : [settings.language, ...locales];
	return (
		<>
			<Field label={t('Title')} fault={getFault(error, 'title')}>
				{(control) => (
					<input {...control} value={settings.title} onChange={(event) => change({ title: event.target.value })} />
				)}
			</Field>
			<Field
				label={t('Tagline')}
				help={t('In a few words, what the site is about.')}
				fault={getFault(error, 'description')}
			>
				{(control) => (
					<input
						{...control}
						value={settings.description}
						onChange={(event) => change({ description: event.target.value })}
					/>
				)}
			</Field>
			<Field
				label={t('E-mail address')}
				help={t('What the site has to say to its administrators goes here.')}
				fault={getFault(error, 'email')}
			>
				{(control) => (
					<input
						{...control}
						type="email"
						value={settings.email}
						onChange={(event) => change({ email: event.target.value })}
					/>
				)}
			</Field>
			<PictureField
				label={t('Logo')}
				help={t('Shown where a template has the block of the logo.')}
				value={settings.site_logo ?? 0}
				onChange={(id) => change({ site_logo: id || null })}
			/>
			<PictureField
				label={t('Icon')}
				help={t('Square, at least 512 pixels wide; shown by browsers beside the title.')}
				value={settings.site_icon}
				onChange={(id) => change({ site_icon: id })}
			/>
			<Field label={t('Language of the site')} fault={getFault(error, 'language')}>
				{(control) => (
					<select {...control} value={settings.language} onChange={(event) => change({ language: event.target.value })}>
						{languages.map((one) => (
							<option key={one} value={one}>
								{labelLocale(one)}
							</option>
						))}
					</select>
				)}
			</Field>
			<Field label={t('Time zone')} fault={getFault(error, 'timezone')}>
				{(control) => (
					<select {...control} value={settings.timezone} onChange={(event) => change({ timezone: event.target.value })}>
						{zones.map((one) => (
							<option key={one} value={one}>
								{one.replaceAll('_', ' ')}
							</option>
						))}
					</select>
				)}
			</Field>
			<FormatField
				label={t('Dates')}
				formats={DATE_FORMATS}
				value={settings.date_format}
				onChange={(format) => change({ date_format: format })}
			/>
			<FormatField
				label={t('Times')}
				formats={TIME_FORMATS}
				value={settings.time_format}
				onChange={(format) => change({ time_format: format })}
			/>
			<Field label={t('The week begins on')} fault={getFault(error, 'start_of_week')}>
				{(control) => (
					<select
						{...control}
						value={settings.start_of_week}
						onChange={(event) => change({ start_of_week: Number(event.target.value) })}
					>
						{[0, 1, 2, 3, 4, 5, 6].map((day) => (
							<option key={day} value={day}>
								{labelWeekday(day)}
							</option>
						))}
					</select>
				)}
			</Field>
		</>
	);
}

/** Return the name of a weekday; 0 is Sunday. */
function labelWeekday(day: number): string {
	const format = new Intl.DateTimeFormat(boot.locale.replace('_', '-'), { weekday: 'long', timeZone: 'UTC' });
	// The fourth of January 1970 was a Sunday.
	return format.format(new Date(Date.UTC(1970, 0, 4 + day)));
}
