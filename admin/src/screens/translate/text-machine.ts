/** Single texts that the machine of the site translates; no job is made of them. */
import { request } from '../../api/client';
import { boot, translates } from '../../app/boot';
import type { TranslationUnit } from './translation-work';

const PATH = '/wpml/tm/v1/machine/texts';
/** Parts of addresses are no language. */
const NAMES = new Set(['slug', 'URL']);

/** Return whether the machine can be asked for a text. */
export function canAskMachine(unit: TranslationUnit): boolean {
	return boot.translationServices.includes('machine') && translates() && !NAMES.has(unit.id);
}

/** Return a text in another language. */
export async function askMachine(text: string, from: string, to: string): Promise<string> {
	const { texts } = await request<{ texts: string[] }>(PATH, {
		method: 'POST',
		body: { source_language: from, target_language: to, texts: [text] },
	});
	return texts[0] ?? '';
}
