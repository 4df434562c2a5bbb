/** What the interface refuses, in a form that screens can show. */
import { t } from '../app/i18n';

export class ApiError extends Error {
	override name = 'ApiError';

	/** `params`: for each refused argument, why. */
	constructor(
		readonly code: string,
		message: string,
		readonly status: number,
		readonly params: Record<string, string> = {},
		readonly data: Record<string, unknown> = {},
	) {
		super(message);
	}

	/** Whether the request never reached the server. */
	get isOffline(): boolean {
		return this.status === 0;
	}

	/** Whether somebody else changed the record meanwhile. */
	get isConflict(): boolean {
		return this.status === 412;
	}
}

/** Return the error of a refused response. */
export async function readError(response: Response): Promise<ApiError> {
	let body: { code?: string; message?: string; data?: Record<string, unknown> } = {};
	try {
		body = (await response.json()) as typeof body;
	} catch {
		// A proxy answers with a page of its own; the status is all that it says.
	}
	const message = body.message ?? t('The server gave no reason.');
	return new ApiError(
		body.code ?? `http_${String(response.status)}`,
		message,
		response.status,
		readParams(body.data?.['params'], message),
		body.data ?? {},
	);
}

/** Return what is said of each argument; a refusal that only lists their names says its message of each. */
function readParams(params: unknown, message: string): Record<string, string> {
	if (Array.isArray(params)) {
		return Object.fromEntries(params.map((name) => [String(name), message]));
	}
	return params && typeof params === 'object' ? (params as Record<string, string>) : {};
}

/** Return any thrown value as a sentence for the person. */
export function describeError(error: unknown): string {
	if (error instanceof ApiError && error.isOffline) {
		return t('There is no connection to the site. What you wrote stays here and can be sent again.');
	}
	return error instanceof Error ? error.message : String(error);
}
