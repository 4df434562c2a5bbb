/** The files on their way to the site: up to three at once, each with its progress, its error and a way to try again. */
import { useSyncExternalStore } from 'react';

import { sendFile } from '../../api/uploads';
import { describeError } from '../../api/errors';
import { MEDIA_PATH, type MediaFile } from './media-file';

export interface Upload {
	id: number;
	file: File;
	state: 'waiting' | 'sending' | 'done' | 'failed';
	/** Share that is sent, 0 to 1. */
	share: number;
	error: string;
	record?: MediaFile;
}

const PARALLEL = 3;
let uploads: readonly Upload[] = [];
let nextId = 1;
const controllers = new Map<number, AbortController>();
const listeners = new Set<() => void>();

export function useUploads(): readonly Upload[] {
	return useSyncExternalStore(
		(listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		() => uploads,
	);
}

export function addUploads(files: readonly File[]): void {
	const added = files.map((file): Upload => ({ id: nextId++, file, state: 'waiting', share: 0, error: '' }));
	set([...uploads, ...added]);
	startNext();
}

export function retryUpload(id: number): void {
	change(id, { state: 'waiting', share: 0, error: '' });
	startNext();
}

/** Stop a file that is on its way, and take it off the list. */
export function cancelUpload(id: number): void {
	controllers.get(id)?.abort();
	set(uploads.filter((one) => one.id !== id));
	startNext();
}

/** Take what has arrived off the list. */
export function clearDone(): void {
	set(uploads.filter((one) => one.state !== 'done'));
}

function startNext(): void {
	const free = PARALLEL - uploads.filter((one) => one.state === 'sending').length;
	uploads
		.filter((one) => one.state === 'waiting')
		.slice(0, Math.max(0, free))
		.forEach((one) => void run(one));
}

async function run({ id, file }: Upload): Promise<void> {
	const controller = new AbortController();
	controllers.set(id, controller);
	change(id, { state: 'sending' });
	try {
		const record = await sendFile<MediaFile>(MEDIA_PATH, file, {
			signal: controller.signal,
			onProgress: (share) => change(id, { share }),
		});
		change(id, { state: 'done', share: 1, record });
	} catch (error) {
		if (!controller.signal.aborted) {
			change(id, { state: 'failed', error: describeError(error) });
		}
	} finally {
		controllers.delete(id);
		startNext();
	}
}

function change(id: number, changes: Partial<Upload>): void {
	set(uploads.map((one) => (one.id === id ? { ...one, ...changes } : one)));
}

function set(next: readonly Upload[]): void {
	uploads = next;
	listeners.forEach((listener) => listener());
}
