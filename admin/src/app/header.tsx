import { useRef } from 'react';

import { boot, isMultilingual } from './boot';
import { openCommandPalette } from './command-palette';
import { t } from './i18n';
import { LanguageSwitch } from './language-switch';
import { Link } from './link';
import { setTheme, useTheme, type Theme } from './theme';

interface Props {
	menuOpen: boolean;
	onMenu: () => void;
}

/** The bar on top: the site, the command palette, the language of the content, the person. */
export function Header({ menuOpen, onMenu }: Props) {
	const theme = useTheme();
	const person = useRef<HTMLDetailsElement>(null);
	return (
		<header className="bar">
			<button type="button" className="menu-button" aria-expanded={menuOpen} aria-controls="menu" onClick={onMenu}>
				{t('Menu')}
			</button>
			<a className="site-name" href={boot.home}>
				{boot.site.title}
			</a>
			<button
				type="button"
				className="palette-button"
				onClick={openCommandPalette}
				aria-keyshortcuts="Control+K Meta+K"
			>
				<span className="on-wide">{t('Search or go to …')}</span>
				<span className="on-narrow">
					<span className="visually-hidden">{t('Search')}</span>
					<svg viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
						<circle cx="10" cy="10" r="6" />
						<path d="m15 15 6 6" />
					</svg>
				</span>
				<kbd>Ctrl K</kbd>
			</button>
			{isMultilingual && <LanguageSwitch />}
			{/* Escape closes it wherever the focus is in it. */}
			{/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
			<details
				ref={person}
				className="person"
				onKeyDown={(event) => {
					if (event.key === 'Escape' && person.current?.open) {
						person.current.open = false;
						person.current.querySelector('summary')?.focus();
					}
				}}
			>
				<summary>{boot.user.name}</summary>
				<div className="person-menu">
					<Link to="/profile">{t('Your profile')}</Link>
					<label>
						{t('Appearance')}
						<select value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
							<option value="system">{t('As the system')}</option>
							<option value="light">{t('Light')}</option>
							<option value="dark">{t('Dark')}</option>
						</select>
					</label>
					<a href={`${boot.admin}/sign-out`}>{t('Sign out')}</a>
				</div>
			</details>
		</header>
	);
}
