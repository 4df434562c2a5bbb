/** Many writes in one request each 25, so that a hundred records take four. */
import { announceWrite, request, type Query } from '../api/client';
import { ApiError } from '../api/errors';
import { sprintf, tn } from '../app/i18n';

export interface BatchPart {
	method: string;
	path: string;
	query?: Query;
	body?: Record<string, unknown>;
}

interface BatchAnswer {
	responses: { status: number; body: { code?: string; message?: string } | null }[];
}

const MAX_PARTS = 25;

/** Send writes; raises ApiError with the first refusal, after all were tried. */
export async function sendBatch(parts: BatchPart[]): Promise<void> {
	const refused: { code?: string; message?: string; status: number }[] = [];
	const [only] = parts;
	if (parts.length === 1 && only) {
		const { method, path, query, body } = only;
		await request(path, { method: method as 'POST', ...(query ? { query } : {}), ...(body ? { body } : {}) });
		return;
	}
	for (let start = 0; start < parts.length; start += MAX_PARTS) {
		const chunk = parts.slice(start, start + MAX_PARTS);
		const { responses } = await request<BatchAnswer>('/batch/v1', {
			method: 'POST',
			body: {
				validation: 'normal',
				requests: chunk.map(({ method, path, query, body }) => ({
					method,
					path: path + formatQuery(query),
					...(body ? { body } : {}),
				})),
			},
		});
		for (const { status, body } of responses) {
			if (status >= 400) {
				refused.push({ status, ...body });
			}
		}
	}
	parts.forEach(({ path }) => announceWrite(path));
	const [first] = refused;
	if (first) {
		const count = sprintf(tn('%d was refused.', '%d were refused.', refused.length), refused.length);
		throw new ApiError(first.code ?? '', `${first.message ?? ''} ${count}`, first.status);
	}
}

function formatQuery(query: Query | undefined): string {
	const parameters = new URLSearchParams();
	Object.entries(query ?? {}).forEach(([name, value]) => parameters.set(name, String(value as string)));
	const text = parameters.toString();
	return text && `?${text}`;
}
