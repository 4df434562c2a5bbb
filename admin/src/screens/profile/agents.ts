/** What a client calls itself, in words. */
import { sprintf, t } from '../../app/i18n';

// In this order: browsers name their forerunners, too.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
	[/Edg(?:e|A|iOS)?\//, 'Edge'],
	[/OPR\/|Opera/, 'Opera'],
	[/Firefox\/|FxiOS\//, 'Firefox'],
	[/Chrome\/|Chromium\/|CriOS\//, 'Chrome'],
	[/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
	[/iPhone|iPad/, 'iOS'],
	[/Android/, 'Android'],
	[/Windows/, 'Windows'],
	[/Mac OS X|Macintosh/, 'macOS'],
	[/CrOS/, 'ChromeOS'],
	[/Linux|X11/, 'Linux'],
];

/** Return the browser and the system of a client, or what it calls itself where it is no browser. */
export function describeAgent(agent: string): string {
	const find = (known: readonly (readonly [RegExp, string])[]): string | undefined =>
		known.find(([pattern]) => pattern.test(agent))?.[1];
	const browser = find(BROWSERS);
	const system = find(SYSTEMS);
	if (browser && system) {
		// translators: 1: browser, 2: operating system.
		return sprintf(t('%1$s on %2$s'), browser, system);
	}
	return browser ?? (agent.split(' ')[0] || t('Unknown device'));
}
