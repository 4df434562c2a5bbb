import { t } from './i18n';
import { Link } from './link';
import { useNavigation } from './navigation';
import { useContentLanguage, useLocation, withContentLanguage } from './router';

/** The menu at the side; on a phone it is behind a button. */
export function Menu() {
	const { path } = useLocation();
	const language = useContentLanguage();
	const sections = useNavigation();
	// A screen below another belongs to the nearest: strings are not translations as well.
	const nearest = sections
		.flatMap(({ items }) => items)
		.filter(({ to }) => path === to || path.startsWith(`${to}/`))
		.sort((one, other) => other.to.length - one.to.length)[0]?.to;
	const link = (to: string, label: string) => (
		<li key={to}>
			<Link
				to={withContentLanguage(to, language)}
				aria-current={path === to || (to === '/' && path === '') ? 'page' : to === nearest ? 'true' : undefined}
			>
				{label}
			</Link>
		</li>
	);
	return (
		<nav id="menu" className="menu" aria-label={t('Administration')}>
			<ul>{link('/', t('Dashboard'))}</ul>
			{sections.map(({ label, items }) => (
				<section key={label} aria-label={label}>
					<h2>{label}</h2>
					<ul>{items.map((one) => link(one.to, one.label))}</ul>
				</section>
			))}
		</nav>
	);
}
