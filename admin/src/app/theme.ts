/** Light or dark: what the person chose, or what their system says. */
import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'vetrina-theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

export function getTheme(): Theme {
	const stored = localStorage.getItem(KEY);
	return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function setTheme(theme: Theme): void {
	localStorage.setItem(KEY, theme);
	applyTheme();
	listeners.forEach((listener) => listener());
}

/** Write the theme to the page, where the style sheets read it. */
export function applyTheme(): void {
	const theme = getTheme();
	document.documentElement.dataset['theme'] = theme === 'system' ? (system.matches ? 'dark' : 'light') : theme;
}

export function useTheme(): Theme {
	return useSyncExternalStore(
		(listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		() => getTheme(),
	);
}

system.addEventListener('change', applyTheme);
