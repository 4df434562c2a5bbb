import { Suspense, useEffect, useState } from 'react';

import { boot } from './boot';
import { CommandPalette } from './command-palette';
import { ErrorBoundary } from './error-boundary';
import { Header } from './header';
import { t } from './i18n';
import { Menu } from './menu';
import { useLocation } from './router';
import { findRoute } from './routes';
import { SessionEnded } from './session-ended';
import { Toasts } from './toasts';

/** The whole administration: header, menu, and the screen of the address. */
export function App() {
	const { path } = useLocation();
	const found = findRoute(path);
	const [menuOpen, setMenuOpen] = useState(false);
	useEffect(() => setMenuOpen(false), [path]);
	useEffect(() => {
		if (!menuOpen) {
			return undefined;
		}
		const close = (event: KeyboardEvent): void => {
			if (event.key === 'Escape' && !event.defaultPrevented) {
				setMenuOpen(false);
				document.querySelector<HTMLElement>('.menu-button')?.focus();
			}
		};
		window.addEventListener('keydown', close);
		return () => window.removeEventListener('keydown', close);
	}, [menuOpen]);
	const Screen = found?.route.screen;
	const content = (
		<ErrorBoundary key={path}>
			<Suspense
				fallback={
					<p className="loading" role="status">
						{t('Loading …')}
					</p>
				}
			>
				{Screen ? <Screen params={found.params} /> : <NotFound />}
			</Suspense>
		</ErrorBoundary>
	);
	return (
		<>
			{found?.route.whole ? (
				<div className="whole">{content}</div>
			) : (
				<div className="shell" data-menu={menuOpen ? 'open' : 'closed'}>
					<a className="skip" href="#content">
						{t('Skip to content')}
					</a>
					<Header menuOpen={menuOpen} onMenu={() => setMenuOpen(!menuOpen)} />
					<Menu />
					<main id="content" tabIndex={-1}>
						{content}
					</main>
				</div>
			)}
			<CommandPalette />
			<SessionEnded />
			<Toasts />
		</>
	);
}

function NotFound() {
	useEffect(() => {
		document.title = `${t('No such screen')} – ${boot.site.title}`;
	}, []);
	return (
		<section className="screen">
			<h1>{t('No such screen')}</h1>
			<p>{t('The address leads nowhere; the menu shows what there is.')}</p>
		</section>
	);
}
