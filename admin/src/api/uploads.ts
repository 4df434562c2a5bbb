/** Sending files with their progress, which `fetch` does not tell. */
import { t } from '../app/i18n';
import { announceWrite, buildUrl, getNonce, renewNonce } from './client';
import { ApiError, readError } from './errors';

interface UploadOptions {
	/** Called with the share that is sent, 0 to 1. */
	onProgress?: (share: number) => void;
	signal?: AbortSignal;
	fields?: Record<string, string>;
}

/** Send a file as a form and return the record that it became. Raises ApiError; a cancelled one rejects with AbortError. */
export async function sendFile<Body>(path: string, file: File, options: UploadOptions = {}): Promise<Body> {
	let response = await sendOnce(path, file, options);
	if (response.status === 403) {
		const { code } = (await response.clone().json()) as { code?: string };
		if (code === 'rest_cookie_invalid_nonce' && (await renewNonce())) {
			response = await sendOnce(path, file, options);
		}
	}
	if (!response.ok) {
		throw await readError(response);
	}
	announceWrite(path);
	return (await response.json()) as Body;
}

function sendOnce(path: string, file: File, { onProgress, signal, fields = {} }: UploadOptions): Promise<Response> {
	return new Promise((resolve, reject) => {
		const sending = new XMLHttpRequest();
		const form = new FormData();
		Object.entries(fields).forEach(([name, value]) => form.append(name, value));
		form.append('file', file, file.name);
		sending.open('POST', buildUrl(path));
		sending.setRequestHeader('Accept', 'application/json');
		sending.setRequestHeader('X-WP-Nonce', getNonce());
		sending.upload.onprogress = (event) => onProgress?.(event.lengthComputable ? event.loaded / event.total : 0);
		sending.onload = () => resolve(new Response(sending.responseText, { status: sending.status }));
		sending.onerror = () => reject(new ApiError('offline', t('The file did not arrive.'), 0));
		sending.onabort = () => reject(new DOMException('cancelled', 'AbortError'));
		signal?.addEventListener('abort', () => sending.abort());
		sending.send(form);
	});
}
