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
	const params = body.data?.['params'];
	return new ApiError(
		body.code ?? `http_${String(response.status)}`,
		body.message ?? t('The server gave no reason.'),
		response.status,
		params && typeof params === 'object' && !Array.isArray(params) ? (params as Record<string, string>) : {},
		body.data ?? {},
	);
}

/** Return any thrown value as a sentence for the person. */
export function describeError(error: unknown): string {
	if (error instanceof ApiError && error.isOffline) {
		return t('There is no connection to the site. What you wrote stays here and can be sent again.');
	}
	return error instanceof Error ? error.message : String(error);
}
