/** Writes of the shop's collections, a hundred in one request; each member is answered by itself. */
import { request } from './client';
import { ApiError } from './errors';

export interface Members {
	create?: Record<string, unknown>[];
	update?: (Record<string, unknown> & { id: number })[];
	delete?: number[];
}

interface StoredItem {
	id: number;
	[name: string]: unknown;
}

/** What was answered to one member: the record, or why it was refused. */
export type MemberAnswer = { item: StoredItem; error: null } | { item: null; error: ApiError };

interface RawAnswer {
	id: number;
	error?: { code: string; message: string; data?: Record<string, unknown> };
}

interface SendOptions {
	headers?: Record<string, string>;
	onAnswer?: (count: number) => void;
	signal?: AbortSignal;
}

const VERBS = ['create', 'update', 'delete'] as const;
const MAX_MEMBERS = 100;

/**
 * Send members and return what was answered to each, in the order of creates, updates and deletes.
 *
 * path: of the collection, `/wc/v3/products`. headers: conditions, which hold for each member by itself. onAnswer: called
 * after each request, with how many were answered so far.
 */
export async function sendShopBatch(
	path: string,
	members: Members,
	{ headers, onAnswer, signal }: SendOptions = {},
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
			...(headers ? { headers } : {}),
			...(signal ? { signal } : {}),
		});
		VERBS.forEach((verb) => answers.push(...(answer[verb] ?? []).map(readAnswer)));
		onAnswer?.(answers.length);
	}
	return answers;
}

function readAnswer(answer: RawAnswer): MemberAnswer {
	if (!answer.error) {
		return { item: answer as unknown as StoredItem, error: null };
	}
	const { code, message, data = {} } = answer.error;
	const params = (data['params'] ?? {}) as Record<string, string>;
	return { item: null, error: new ApiError(code, message, Number(data['status'] ?? 400), params, data) };
}
