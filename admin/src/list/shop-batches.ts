/** Many writes to records of the shop: its collections have batches of their own. */
import { request } from '../api/client';
import { ApiError } from '../api/errors';
import { sendShopBatch } from '../api/shop-batches';
import type { BatchPart, PartAnswer } from './batches';
import { buildUnchangedCondition } from './conditions';

const MAX_PARTS = 100;

/** Return whether a write is to a record of the shop. */
export function isShopPart({ path }: BatchPart): boolean {
	return path.startsWith('/wc/');
}

/** Send writes to records of the shop and return what was answered to each. */
export async function sendShopParts(parts: readonly BatchPart[]): Promise<PartAnswer[]> {
	const answers = new Map<BatchPart, PartAnswer>();
	const batches = new Map<string, BatchPart[]>();
	for (const part of parts) {
		if (part.method === 'DELETE' && !part.query?.['force']) {
			// A batch removes for good; into the trash each record goes by itself.
			answers.set(part, await trashAlone(part));
		} else {
			const key = `${part.method} ${part.path.slice(0, part.path.lastIndexOf('/'))}`;
			batches.set(key, [...(batches.get(key) ?? []), part]);
		}
	}
	for (const [key, members] of batches) {
		const [method = '', collection = ''] = key.split(' ');
		for (let start = 0; start < members.length; start += MAX_PARTS) {
			const chunk = members.slice(start, start + MAX_PARTS);
			const given =
				method === 'DELETE'
					? { delete: chunk.map(getNumber) }
					: { update: chunk.map((part) => ({ ...part.body, id: getNumber(part) })) };
			const headers = buildUnchangedCondition(chunk.map(({ seen }) => seen));
			const sent = await sendShopBatch(collection, given, { headers });
			sent.forEach(({ item, error }, index) =>
				answers.set(chunk[index] as BatchPart, error ? { body: null, error } : { body: item, error }),
			);
		}
	}
	return parts.map((part) => answers.get(part) as PartAnswer);
}

function getNumber({ path }: BatchPart): number {
	return Number(path.slice(path.lastIndexOf('/') + 1));
}

/** Put one record into the trash and return whether that was refused. Raises whatever is no refusal. */
async function trashAlone({ path, seen }: BatchPart): Promise<PartAnswer> {
	try {
		const headers = buildUnchangedCondition([seen]);
		// It is answered as it was before: in which state it is in the trash is not known.
		await request(path, { method: 'DELETE', headers });
		return { body: null, error: null };
	} catch (error) {
		if (!(error instanceof ApiError)) {
			throw error;
		}
		return { body: null, error };
	}
}
