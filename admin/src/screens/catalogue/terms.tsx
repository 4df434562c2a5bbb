/** Choosing of categories, tags and brands. */
import { decodeEntities } from '@wordpress/html-entities';
import { useEffect, useState } from 'react';

import { request } from '../../api/client';
import { ApiError } from '../../api/errors';
import { showError } from '../../app/toasts';
import { TokenInput } from '../../form/token-input';
import { readAll } from './all-items';
import type { ProductTerm } from './product';

export interface Term {
	id: number;
	name: string;
	parent?: number;
}

const FIELDS = { _fields: 'id,name,parent', orderby: 'name', order: 'asc' };

/** Read all terms of a collection once. */
export function useTerms(path: string): Term[] | undefined {
	const [terms, setTerms] = useState<Term[]>();
	useEffect(() => {
		const stop = new AbortController();
		readAll<Term>(path, FIELDS, stop.signal).then(
			(all) => setTerms(all.map((one) => ({ ...one, name: decodeEntities(one.name) }))),
			(error: unknown) => {
				if (!stop.signal.aborted) {
					showError(error);
				}
			},
		);
		return () => stop.abort();
	}, [path]);
	return terms;
}

interface Props {
	label: string;
	path: string;
	chosen: ProductTerm[];
	onChange: (chosen: ProductTerm[]) => void;
}

/** A box for each category, those beneath others set in. */
export function TermTree({ label, path, chosen, onChange }: Props) {
	const terms = useTerms(path);
	const ids = new Set(chosen.map((one) => one.id));
	return (
		<fieldset className="field term-tree">
			<legend>{label}</legend>
			<div className="term-tree-list" role="group" aria-label={label}>
				{sortAsTree(terms ?? []).map(({ term, depth }) => (
					<label key={term.id} className="check" style={{ marginInlineStart: depth * 20 }}>
						<input
							type="checkbox"
							checked={ids.has(term.id)}
							onChange={() =>
								onChange(
									ids.has(term.id)
										? chosen.filter((one) => one.id !== term.id)
										: [...chosen, { id: term.id, name: term.name }],
								)
							}
						/>
						{term.name}
					</label>
				))}
			</div>
		</fieldset>
	);
}

/** Return terms with each one's children behind it, and how deep they are. */
export function sortAsTree(terms: Term[], parent = 0, depth = 0): { term: Term; depth: number }[] {
	return terms
		.filter((one) => (one.parent ?? 0) === parent)
		.flatMap((term) => [{ term, depth }, ...sortAsTree(terms, term.id, depth + 1)]);
}

/** Names of tags or brands, typed with suggestions; one that is not there yet is made at once. */
export function TermTokens({ label, path, chosen, onChange }: Props) {
	const terms = useTerms(path);
	const known = (name: string): ProductTerm | undefined => {
		const wanted = name.trim().toLowerCase();
		return [...chosen, ...(terms ?? [])].find((one) => decodeEntities(one.name ?? '').toLowerCase() === wanted);
	};
	const take = async (names: string[]): Promise<void> => {
		const next: ProductTerm[] = [];
		for (const name of names) {
			next.push(known(name) ?? (await makeTerm(path, name.trim())));
		}
		onChange(next);
	};
	return (
		<div className="field">
			<TokenInput
				label={label}
				value={chosen.map((one) => (one.name ? decodeEntities(one.name) : `#${String(one.id)}`))}
				suggestions={(terms ?? []).map((one) => one.name)}
				onChange={(names) => {
					take(names).catch(showError);
				}}
			/>
		</div>
	);
}

/** Make a term, or find the one that has this name already. */
async function makeTerm(path: string, name: string): Promise<ProductTerm> {
	try {
		return await request<Term>(path, { method: 'POST', body: { name } });
	} catch (error) {
		const there = error instanceof ApiError && error.code === 'term_exists' ? error.data['resource_id'] : null;
		if (typeof there === 'number') {
			return { id: there, name };
		}
		throw error;
	}
}
