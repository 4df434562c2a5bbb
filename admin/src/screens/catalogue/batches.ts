/** Writes of the shop's collections, a hundred in one request; each member is answered by itself. */
import { request } from '../../api/client';
import { ApiError } from '../../api/errors';
import { sprintf, tn } from '../../app/i18n';
import type { BatchPart } from '../../list/batches';
import type { Item } from '../../list/collection';

export interface Members {
	create?: Record<string, unknown>[];
	update?: (Record<string, unknown> & { id: number })[];
	delete?: number[];
}

/** What was answered to one member: the record, or why it was refused. */
export type MemberAnswer = { item: Item; error: null } | { item: null; error: ApiError };

interface RawAnswer {
	id: number;
	error?: { code: string; message: string; data?: Record<string, unknown> };
}

const VERBS = ['create', 'update', 'delete'] as const;
const MAX_MEMBERS = 100;

/**
 * Send members and return what was answered to each, in the order of creates, updates and deletes.
 *
 * path: of the collection, `/wc/v3/products`. onAnswer: called after each request, with how many were answered so far.
 */
export async function sendShopBatch(
	path: string,
	members: Members,
	{ onAnswer, signal }: { onAnswer?: (count: number) => void; signal?: AbortSignal } = {},
): Promise<MemberAnswer[]> {
	const all = VERBS.flatMap((verb) => (members[verb] ?? []).map((member) => ({ verb, member })));
	const answers: MemberAnswer[] = [];
	for (let start = 0; start < all.length; start += MAX_MEMBERS) {
		const part = all.slice(start, start + MAX_MEMBERS);
		const body = Object.fromEntries(
			VERBS.map((verb) => [verb, part.filter((one) => one.verb === verb).map((one) => one.member)] as const).filter(
				([, list]) => list.length > 0,
			),
		);
		const answer = await request<Partial<Record<(typeof VERBS)[number], RawAnswer[]>>>(`${path}/batch`, {
			method: 'POST',
			body,
			...(signal ? { signal } : {}),
		});
		VERBS.forEach((verb) => answers.push(...(answer[verb] ?? []).map(readAnswer)));
		onAnswer?.(answers.length);
	}
	return answers;
}

function readAnswer(answer: RawAnswer): MemberAnswer {
	if (!answer.error) {
		return { item: answer as unknown as Item, error: null };
	}
	const { code, message, data = {} } = answer.error;
	const params = (data['params'] ?? {}) as Record<string, string>;
	return { item: null, error: new ApiError(code, message, Number(data['status'] ?? 400), params, data) };
}

/**
 * Send the writes of a list's actions; raises ApiError with the first refusal, after all were tried.
 *
 * A batch of the shop removes for good, so what goes into the trash is written one by one.
 */
export async function sendShopWrites(parts: BatchPart[]): Promise<unknown[]> {
	const [first] = parts;
	if (!first) {
		return [];
	}
	const path = first.path.replace(/\/\d+$/, '');
	const idOf = (part: BatchPart): number => Number(part.path.slice(path.length + 1));
	const trashed = parts.filter((one) => one.method === 'DELETE' && one.query?.['force'] !== true);
	const refusals: ApiError[] = [];
	for (const part of trashed) {
		try {
			await request(part.path, { method: 'DELETE' });
		} catch (error) {
			if (!(error instanceof ApiError)) {
				throw error;
			}
			refusals.push(error);
		}
	}
	const answers = await sendShopBatch(path, {
		update: parts.filter((one) => one.method === 'POST').map((one) => ({ ...one.body, id: idOf(one) })),
		delete: parts.filter((one) => one.method === 'DELETE' && !trashed.includes(one)).map(idOf),
	});
	refusals.push(...answers.flatMap(({ error }) => (error ? [error] : [])));
	const [refused] = refusals;
	if (refused) {
		const count = sprintf(tn('%d was refused.', '%d were refused.', refusals.length), refusals.length);
		throw new ApiError(refused.code, `${refused.message} ${count}`, refused.status);
	}
	return answers;
}
