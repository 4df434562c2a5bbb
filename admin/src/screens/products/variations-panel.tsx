import { useCallback, useEffect, useState } from 'react';

import { request } from '../../api/client';
import { ErrorNotice } from '../../app/error-notice';
import { sprintf, t, tn } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { useLeaveWarning } from '../../form/record-form';
import { dropSaved } from '../../form/schema-form';
import { readAll } from '../catalogue/all-items';
import { sendShopBatch } from '../../api/shop-batches';
import { PRODUCTS, type Product } from '../catalogue/product';
import { SetForAll } from './set-for-all';
import {
	buildMember,
	checkEdits,
	collectFaults,
	findConflicts,
	VARIATION_MEMBERS,
	type Variation,
	type VariationEdits,
} from './variation';
import { VariationTable } from './variation-table';

interface Props {
	/** Null as long as it is not stored. */
	product: Product | null;
	/** Whether the product has changes that are not stored. */
	needsSaving: boolean;
	onSave: () => Promise<boolean>;
}

/** All variations of a product: made in bulk, edited in place, stored at once. */
export function VariationsPanel({ product, needsSaving, onSave }: Props) {
	const [variations, setVariations] = useState<Variation[]>([]);
	const [edits, setEdits] = useState<Record<number, VariationEdits>>({});
	const [refused, setRefused] = useState<Record<number, Record<string, string>>>({});
	const [error, setError] = useState<unknown>(null);
	const [working, setWorking] = useState(false);
	const path = product ? `${PRODUCTS}/${String(product.id)}/variations` : '';
	const changed = Object.keys(edits).map(Number);
	useLeaveWarning(changed.length > 0 && !working);

	const read = useCallback(
		() => readAll<Variation>(path, { orderby: 'menu_order', order: 'asc', _fields: VARIATION_MEMBERS }),
		[path],
	);
	const load = useCallback(async (): Promise<void> => {
		if (path) {
			setVariations(await read());
		}
	}, [path, read]);
	useEffect(() => {
		load().catch(setError);
	}, [load]);

	const differing = product?.attributes.filter((one) => one.variation && one.options.length > 0) ?? [];
	const combinations = differing.reduce((count, one) => count * one.options.length, differing.length ? 1 : 0);
	const typed = Object.fromEntries(changed.map((id) => [id, checkEdits(edits[id] ?? {})]));
	const faults = Object.fromEntries(variations.map(({ id }) => [id, { ...refused[id], ...typed[id] }]));
	const isFaulty = changed.some((id) => Object.keys(typed[id] ?? {}).length > 0);

	const change = (id: number, next: VariationEdits): void => {
		setEdits((before) => ({ ...before, [id]: { ...before[id], ...next } }));
		// What was changed since the refusal is no longer said to be wrong.
		setRefused((before) => ({
			...before,
			[id]: Object.fromEntries(Object.entries(before[id] ?? {}).filter(([name]) => name !== '' && !(name in next))),
		}));
	};
	const run = async (work: () => Promise<void>): Promise<void> => {
		setWorking(true);
		try {
			await work();
			setError(null);
		} catch (problem) {
			setError(problem);
		} finally {
			setWorking(false);
		}
	};
	const make = (): Promise<void> =>
		run(async () => {
			if (needsSaving && !(await onSave())) {
				return;
			}
			const { count } = await request<{ count: number }>(`${path}/generate`, { method: 'POST', body: {} });
			await load();
			showDone(
				count
					? sprintf(tn('%d variation is made.', '%d variations are made.', count), count)
					: t('Every combination is there already.'),
			);
		});
	const store = (): Promise<void> =>
		run(async () => {
			const stored = await read();
			const conflicts = Object.fromEntries(
				changed.flatMap((id) => {
					const [shown, now] = [variations, stored].map((all) => all.find((one) => one.id === id));
					const found = shown && now ? findConflicts(edits[id] ?? {}, shown, now) : {};
					return Object.keys(found).length ? [[id, found]] : [];
				}),
			);
			if (Object.keys(conflicts).length) {
				// Nothing is written over that was not seen; the second time it was.
				setVariations(stored);
				setRefused(conflicts);
				showError(
					new Error(t('Somebody else saved variations meanwhile; the table says which. Nothing is saved yet.')),
				);
				return;
			}
			const answers = await sendShopBatch(path, { update: changed.map((id) => buildMember(id, edits[id] ?? {})) });
			const faulty = collectFaults(changed, answers);
			setRefused(faulty);
			setEdits((now) =>
				Object.fromEntries(
					Object.entries(now)
						.map(([id, one]) => [id, Number(id) in faulty ? one : dropSaved(one, edits[Number(id)] ?? {})] as const)
						.filter(([, one]) => Object.keys(one).length > 0),
				),
			);
			await load();
			const count = changed.length - Object.keys(faulty).length;
			if (count) {
				showDone(sprintf(tn('%d variation is saved.', '%d variations are saved.', count), count));
			}
			if (Object.keys(faulty).length) {
				showError(new Error(t('Some variations were refused; the table says why.')));
			}
		});
	const remove = (id: number): void => {
		request(`${path}/${String(id)}`, { method: 'DELETE', query: { force: true } }).then(() => {
			setVariations((before) => before.filter((one) => one.id !== id));
			setEdits((before) => Object.fromEntries(Object.entries(before).filter(([key]) => Number(key) !== id)));
			showDone(t('The variation is removed.'));
		}, showError);
	};

	return (
		<section className="panel" aria-labelledby="product-variations">
			<h2 id="product-variations">{t('Variations')}</h2>
			<ErrorNotice error={error} />
			{product === null ? (
				<p className="quiet">{t('Save the product first; then its variations are made here.')}</p>
			) : (
				<>
					<div className="add-line">
						<button
							type="button"
							className="button"
							disabled={working || combinations === 0}
							onClick={() => void make()}
						>
							{t('Make all combinations')}
						</button>
						<p className="quiet">
							{combinations
								? sprintf(
										tn('%d combination of the values', '%d combinations of the values', combinations),
										combinations,
									)
								: t('Give the product attributes in which its variations differ, with values.')}
						</p>
					</div>
					{variations.length > 0 && (
						<>
							<SetForAll onSet={(next) => variations.forEach(({ id }) => change(id, next))} />
							<VariationTable
								variations={variations}
								edits={edits}
								faults={faults}
								onChange={change}
								onRemove={remove}
							/>
							<div className="form-buttons">
								<button
									type="button"
									className="button button-primary"
									disabled={working || changed.length === 0 || isFaulty}
									onClick={() => void store()}
								>
									{working ? t('Saving …') : t('Save the variations')}
								</button>
							</div>
						</>
					)}
				</>
			)}
		</section>
	);
}
