/** Many writes to records of the shop: its collections have batches of their own, of a hundred each. */
import { request } from '../api/client';
import { ApiError } from '../api/errors';
import type { BatchPart, Refusal } from './batches';

interface ShopBatchAnswer {
	update?: { id: number; error?: { code: string; message: string; data?: { status?: number } } }[];
	delete?: ShopBatchAnswer['update'];
}

const MAX_PARTS = 100;

/** Return whether a write is to a record of the shop. */
export function isShopPart({ path }: BatchPart): boolean {
	return path.startsWith('/wc/');
}

/** Send writes to records of the shop and return what was refused. */
export async function sendShopParts(parts: BatchPart[]): Promise<Refusal[]> {
	const refused: Refusal[] = [];
	const batches = new Map<string, BatchPart[]>();
	for (const part of parts) {
		if (part.method === 'DELETE' && !part.query?.['force']) {
			// A batch removes for good; into the trash each record goes by itself.
			await request(part.path, { method: 'DELETE' }).catch((error: unknown) => refused.push(readRefusal(error)));
		} else {
			const collection = part.path.slice(0, part.path.lastIndexOf('/'));
			batches.set(collection, [...(batches.get(collection) ?? []), part]);
		}
	}
	for (const [collection, members] of batches) {
		for (let start = 0; start < members.length; start += MAX_PARTS) {
			const chunk = members.slice(start, start + MAX_PARTS);
			const answer = await request<ShopBatchAnswer>(`${collection}/batch`, {
				method: 'POST',
				body: {
					update: chunk
						.filter(({ method }) => method !== 'DELETE')
						.map((part) => ({ ...part.body, id: getNumber(part) })),
					delete: chunk.filter(({ method }) => method === 'DELETE').map(getNumber),
				},
			});
			for (const { error } of [...(answer.update ?? []), ...(answer.delete ?? [])]) {
				if (error) {
					refused.push({ code: error.code, message: error.message, status: error.data?.status ?? 400 });
				}
			}
		}
	}
	return refused;
}

function getNumber({ path }: BatchPart): number {
	return Number(path.slice(path.lastIndexOf('/') + 1));
}

/** Return what a refusal says. Raises whatever is none. */
function readRefusal(error: unknown): Refusal {
	if (!(error instanceof ApiError)) {
		throw error;
	}
	return { code: error.code, message: error.message, status: error.status };
}
