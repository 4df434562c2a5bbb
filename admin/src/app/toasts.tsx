/** Short messages at the edge of the screen: what was done, how to take it back, what went wrong. */
import { useSyncExternalStore } from 'react';

import { describeError } from '../api/errors';
import { t } from './i18n';

export interface Toast {
	id: number;
	text: string;
	kind: 'done' | 'failed';
	undo?: (() => unknown) | undefined;
}

const SECONDS = 8;
let toasts: Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: Toast[]): void {
	toasts = next;
	listeners.forEach((listener) => listener());
}

export function closeToast(id: number): void {
	set(toasts.filter((one) => one.id !== id));
}

function show(toast: Omit<Toast, 'id'>): void {
	const id = nextId++;
	set([...toasts.slice(-3), { ...toast, id }]);
	if (toast.kind === 'done') {
		window.setTimeout(() => closeToast(id), SECONDS * 1000);
	}
}

/** Say what was done. undo: takes it back. */
export function showDone(text: string, undo?: () => unknown): void {
	show({ text, kind: 'done', undo });
}

/** Say what went wrong; it stays until it is closed. */
export function showError(error: unknown): void {
	show({ text: describeError(error), kind: 'failed' });
}

export function Toasts() {
	const shown = useSyncExternalStore(
		(listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		() => toasts,
	);
	return (
		<div className="toasts" role="status" aria-live="polite">
			{shown.map(({ id, text, kind, undo }) => (
				<div key={id} className={`toast toast-${kind}`}>
					<p>{text}</p>
					{undo && (
						<button
							type="button"
							onClick={() => {
								closeToast(id);
								Promise.resolve(undo()).catch(showError);
							}}
						>
							{t('Undo')}
						</button>
					)}
					<button type="button" aria-label={t('Close message')} onClick={() => closeToast(id)}>
						×
					</button>
				</div>
			))}
		</div>
	);
}
