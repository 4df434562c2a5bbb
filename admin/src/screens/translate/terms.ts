/** Terms of the glossary that the texts of an original have. */
import { useEffect, useState } from 'react';

import { request } from '../../api/client';
import { translates } from '../../app/boot';
import { showError } from '../../app/toasts';
import type { TranslationWork } from './translation-work';

const PATH = '/wpml/v1/glossary/matches';
const MAX_TEXTS = 500; // of one request

export interface GlossaryTerm {
	id: number;
	term: string;
	translation: string;
	note: string;
}

/** Return the terms of each text by its unit; none for those who may not read the glossary. */
export function useTerms(work: TranslationWork | null): Record<string, GlossaryTerm[]> {
	const [terms, setTerms] = useState<Record<string, GlossaryTerm[]>>({});
	useEffect(() => {
		let current = true;
		if (work && translates()) {
			loadTerms(work).then((found) => current && setTerms(found), showError);
		}
		return () => {
			current = false;
		};
	}, [work]);
	return terms;
}

async function loadTerms({ units, from, to }: TranslationWork): Promise<Record<string, GlossaryTerm[]>> {
	const found: Record<string, GlossaryTerm[]> = {};
	for (let start = 0; start < units.length; start += MAX_TEXTS) {
		const part = units.slice(start, start + MAX_TEXTS);
		const { matches } = await request<{ matches: GlossaryTerm[][] }>(PATH, {
			method: 'POST',
			body: { source_language: from, language: to, texts: part.map(({ source }) => source) },
		});
		part.forEach(({ id }, index) => (found[id] = matches[index] ?? []));
	}
	return found;
}
