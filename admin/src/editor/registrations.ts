/**
 * What the editors' packages add each time that they register their blocks, and never take away themselves: filters, and
 * listeners of the window. Without this each opening of an editor would leave its own behind.
 */
import { filters } from '@wordpress/hooks';

interface Handler {
	callback: unknown;
}

type Handlers = Record<string, { handlers?: Handler[] } | undefined>;

let takeAway = (): void => undefined;

/** Run a function that registers things; what it registered the last time is removed first. */
export function replaceRegistrations(register: () => void): void {
	takeAway();
	const before = new Set(listHandlers().flatMap((handlers) => handlers));
	const listeners: Parameters<typeof window.addEventListener>[] = [];
	window.addEventListener = (...listener: Parameters<typeof window.addEventListener>) => {
		listeners.push(listener);
		EventTarget.prototype.addEventListener.apply(window, listener);
	};
	try {
		register();
	} finally {
		// The window has its own again, from its prototype.
		Reflect.deleteProperty(window, 'addEventListener');
	}
	const added = new Set(listHandlers().flatMap((handlers) => handlers.filter((one) => !before.has(one))));
	takeAway = () => {
		listeners.forEach((listener) => window.removeEventListener(...listener));
		for (const handlers of listHandlers()) {
			const kept = handlers.filter((one) => !added.has(one));
			// In place: the package holds the list itself.
			handlers.splice(0, handlers.length, ...kept);
		}
	};
}

function listHandlers(): Handler[][] {
	return Object.values(filters as unknown as Handlers).flatMap((hook) => (hook?.handlers ? [hook.handlers] : []));
}
