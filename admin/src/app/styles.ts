/** Style sheets beyond the shell's, loaded with the first screen that needs them. */
import { boot } from './boot';

const loaded = new Map<string, Promise<void>>();

/** Return the URL of a style sheet of the build. */
export function getStylesheetUrl(name: keyof typeof STYLESHEETS): string {
	return boot.assets + STYLESHEETS[name];
}

/** Load a style sheet and wait until it applies. */
export function loadStylesheet(name: keyof typeof STYLESHEETS): Promise<void> {
	const known = loaded.get(name);
	if (known) {
		return known;
	}
	const promise = new Promise<void>((resolve, reject) => {
		const link = document.createElement('link');
		link.rel = 'stylesheet';
		link.href = getStylesheetUrl(name);
		link.onload = () => resolve();
		link.onerror = () => reject(new Error(`The style sheet ${name} could not be loaded.`));
		document.head.append(link);
	});
	loaded.set(name, promise);
	return promise;
}
