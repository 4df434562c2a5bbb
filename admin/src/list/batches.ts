/** Many writes in one request each 25, so that a hundred records take four. */
import { announceWrite, request, type Query } from '../api/client';
import { defaultLanguage } from '../app/boot';
import { ApiError } from '../api/errors';
import { sprintf, tn } from '../app/i18n';
import { isShopPart, sendShopParts } from './shop-batches';

export interface BatchPart {
	method: string;
	path: string;
	query?: Query;
	body?: Record<string, unknown>;
}

/** What was answered to a part that was not done. */
export interface Refusal {
	code?: string;
	message?: string;
	status: number;
}

interface BatchAnswer {
	responses: { status: number; body: { code?: string; message?: string } | null }[];
}

const MAX_PARTS = 25;

/**
 * Send writes and return what was answered to each; raises ApiError with the first refusal, after all were tried.
 *
 * language: of the content, that of the site where it is left out.
 */
export async function sendBatch(parts: BatchPart[], language: string = defaultLanguage): Promise<unknown[]> {
	const refused: Refusal[] = [];
	const answers: unknown[] = [];
	const [only] = parts;
	if (parts.length === 1 && only) {
		const { method, path, query = {}, body } = only;
		return [await request(path, { method: method as 'POST', query, body, language })];
	}
	if (parts.every(isShopPart)) {
		throwRefusals(await sendShopParts(parts));
		return [];
	}
	for (let start = 0; start < parts.length; start += MAX_PARTS) {
		const chunk = parts.slice(start, start + MAX_PARTS);
		const { responses } = await request<BatchAnswer>('/batch/v1', {
			method: 'POST',
			language,
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
			answers.push(body);
			if (status >= 400) {
				refused.push({ status, ...body });
			}
		}
	}
	parts.forEach(({ path }) => announceWrite(path));
	throwRefusals(refused);
	return answers;
}

/** Raise ApiError with the first of some refusals, and how many there are. */
function throwRefusals(refused: Refusal[]): void {
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
