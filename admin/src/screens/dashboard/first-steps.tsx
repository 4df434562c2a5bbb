import { useId } from 'react';

import { useCollection, useResource } from '../../api/collections';
import { usePreference } from '../../api/preferences';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import { showDone, showError } from '../../app/toasts';

/** The title that a site has until somebody gives it one. */
const FIRST_TITLE = 'Vetrina';
const ONE = { per_page: 1, _fields: 'id' };

interface Step {
	label: string;
	to: string;
	done: boolean;
}

/** What a new site wants; each step is ticked by what is there, and all of it can be put away. */
export function FirstSteps() {
	const { value: choice, store } = usePreference<string>('vetrina/first-steps');
	const steps = useSteps(choice === null);
	const id = useId();
	if (choice !== null || !steps || steps.every(({ done }) => done)) {
		return null;
	}
	const dismiss = (): void => {
		store(() => 'dismissed').then(() => showDone(t('The first steps are put away.'), () => store(() => '')), showError);
	};
	return (
		<section className="panel first-steps" aria-labelledby={id}>
			<h2 id={id}>{t('First steps')}</h2>
			<ol>
				{steps.map(({ label, to, done }) => (
					<li key={label} className={done ? 'step-done' : 'step-open'}>
						<span aria-hidden="true">{done ? '✓' : '○'}</span>
						{done ? (
							<>
								{label} <span className="visually-hidden">({t('done')})</span>
							</>
						) : (
							<Link to={to}>{label}</Link>
						)}
					</li>
				))}
			</ol>
			<button type="button" className="button" onClick={dismiss}>
				{t('Put away')}
			</button>
		</section>
	);
}

/** Return the steps, undefined as long as it is not known which are done. */
function useSteps(wanted: boolean): Step[] | undefined {
	const path = (name: string): string | null => (wanted ? name : null);
	const me = useResource<{ registered_date: string }>(path('/wp/v2/users/me'), {
		context: 'edit',
		_fields: 'registered_date',
	});
	// The posts of the sample content are older than the site.
	const since = me.value?.registered_date;
	const posts = useCollection(since ? path('/wp/v2/posts') : null, {
		...ONE,
		status: 'any',
		...(since ? { after: since } : {}),
	});
	const settings = useResource<{ title: string; show_on_front: string }>(path('/wp/v2/settings'), {
		_fields: 'title,show_on_front',
	});
	const menus = useCollection(path('/wp/v2/menus'), ONE);
	const navigations = useCollection(path('/wp/v2/navigation'), { ...ONE, status: 'any' });
	const styles = useUserStyles(wanted);
	const people = useCollection(path('/wp/v2/users'), ONE);
	if (!posts.value || !settings.value || !menus.value || !navigations.value || styles === undefined || !people.value) {
		return undefined;
	}
	return [
		{ label: t('Write a first post'), to: '/content/post/new', done: posts.value.total > 0 },
		{
			label: t('Give the site its title and its home page'),
			to: '/settings',
			done: settings.value.title !== FIRST_TITLE && settings.value.show_on_front === 'page',
		},
		{ label: t('Make a menu'), to: '/menus', done: menus.value.total + navigations.value.total > 0 },
		{ label: t('Choose colours and fonts'), to: '/site', done: styles },
		{ label: t('Invite a person'), to: '/records/users/new', done: people.value.total > 1 },
	];
}

/** Return whether somebody changed the styles of the theme, undefined as long as it is not known. */
function useUserStyles(wanted: boolean): boolean | undefined {
	const themes = useResource<{ _links: Record<string, { href: string }[]> }[]>(wanted ? '/wp/v2/themes' : null, {
		status: 'active',
		_fields: '_links',
	});
	const href = themes.value?.[0]?._links['wp:user-global-styles']?.[0]?.href;
	const id = href && /\/(\d+)$/.exec(href)?.[1];
	const { value } = useResource<{ settings: object; styles: object }>(id ? `/wp/v2/global-styles/${id}` : null, {
		context: 'edit',
		_fields: 'settings,styles',
	});
	if (themes.value && !id) {
		return false;
	}
	return value && [value.settings, value.styles].some((one) => Object.keys(one).length > 0);
}
