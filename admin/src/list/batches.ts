/** Many writes in one request each 25, so that a hundred records take four. */
import { announceWrite, request, type Query } from '../api/client';
import { defaultLanguage } from '../app/boot';
import { ApiError } from '../api/errors';
import { sprintf, t, tn } from '../app/i18n';
import { buildUnchangedCondition, type SeenRow } from './conditions';
import { isShopPart, sendShopParts } from './shop-batches';

export interface BatchPart {
	method: string;
	path: string;
	query?: Query;
	body?: Record<string, unknown>;
	/** The record as the person saw it: the write is refused where it was changed since. */
	seen?: SeenRow | undefined;
}

/** What was answered to a write, or why it was refused. */
export type PartAnswer = { body: object | null; error: null } | { body: null; error: ApiError };

interface BatchAnswer {
	responses: { status: number; body: (object & { code?: string; message?: string; data?: object }) | null }[];
}

const MAX_PARTS = 25;

/**
 * Send writes and return what was answered to each; raises ApiError with the first refusal, after all were tried.
 *
 * language: of the content, that of the site where it is left out.
 */
export async function sendBatch(parts: BatchPart[], language: string = defaultLanguage): Promise<unknown[]> {
	const [only] = parts;
	if (parts.length === 1 && only) {
		const { method, path, query = {}, body, seen } = only;
		const headers = buildUnchangedCondition([seen]);
		try {
			const answer = await request(path, { method: method as 'POST', query, body, language, headers });
			// What the shop puts into the trash it answers as it was before.
			return [isShopPart(only) && method === 'DELETE' ? null : answer];
		} catch (error) {
			if (!(error instanceof ApiError) || !error.isConflict) {
				throw error;
			}
			announceWrite(path);
			throw describeConflicts([error]);
		}
	}
	const answers = parts.every(isShopPart) ? await sendShopParts(parts) : await sendParts(parts, language);
	const refused = answers.flatMap(({ error }) => (error ? [error] : []));
	const [first] = refused;
	if (first?.isConflict) {
		throw describeConflicts(refused);
	}
	if (first) {
		const count = sprintf(tn('%d was refused.', '%d were refused.', refused.length), refused.length);
		throw new ApiError(first.code, `${first.message} ${count}`, first.status, first.params, first.data);
	}
	return answers.map(({ body }) => body);
}

async function sendParts(parts: BatchPart[], language: string): Promise<PartAnswer[]> {
	const answers: PartAnswer[] = [];
	for (let start = 0; start < parts.length; start += MAX_PARTS) {
		const chunk = parts.slice(start, start + MAX_PARTS);
		const { responses } = await request<BatchAnswer>('/batch/v1', {
			method: 'POST',
			language,
			body: {
				validation: 'normal',
				requests: chunk.map(({ method, path, query, body, seen }) => ({
					method,
					path: path + formatQuery(query),
					headers: buildUnchangedCondition([seen]),
					...(body ? { body } : {}),
				})),
			},
		});
		for (const [index, { status, body }] of responses.entries()) {
			const error = new ApiError(body?.code ?? '', body?.message ?? '', status);
			const isAlone = error.code === 'rest_batch_not_allowed';
			const answer = status < 400 ? { body, error: null } : { body: null, error };
			// Comments and media are in no batch of the interface.
			answers.push(isAlone ? await sendAlone(chunk[index] as BatchPart, language) : answer);
		}
	}
	parts.forEach(({ path }) => announceWrite(path));
	return answers;
}

/** Send one write and return what was answered. Raises whatever is no refusal. */
async function sendAlone({ method, path, query = {}, body, seen }: BatchPart, language: string): Promise<PartAnswer> {
	try {
		const headers = buildUnchangedCondition([seen]);
		const answer = await request<object>(path, { method: method as 'POST', query, body, language, headers });
		return { body: answer, error: null };
	} catch (error) {
		if (!(error instanceof ApiError)) {
			throw error;
		}
		return { body: null, error };
	}
}

/** Return what is said where somebody else has changed records meanwhile; the lists that show them ask again. */
function describeConflicts(refused: ApiError[]): ApiError {
	const count = refused.filter((one) => one.isConflict).length;
	const text = sprintf(
		tn(
			'Somebody else has changed %d record meanwhile; it is left as it is.',
			'Somebody else has changed %d records meanwhile; they are left as they are.',
			count,
		),
		count,
	);
	const others = refused.find((one) => !one.isConflict);
	const parts = [text, ...(others ? [others.message] : []), t('Look at the list and try again.')];
	return new ApiError(refused[0]?.code ?? '', parts.join(' '), 412);
}

function formatQuery(query: Query | undefined): string {
	const parameters = new URLSearchParams();
	Object.entries(query ?? {}).forEach(([name, value]) => parameters.set(name, String(value as string)));
	const text = parameters.toString();
	return text && `?${text}`;
}
