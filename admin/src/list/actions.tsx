/** What can be done with the records of a list, one or many at once. */
import type { Action } from '@wordpress/dataviews';
import { useMemo } from 'react';

import { sprintf, t, tn } from '../app/i18n';
import { navigate, useContentLanguage, withContentLanguage } from '../app/router';
import { showDone, showError } from '../app/toasts';
import { sendBatch, type BatchPart } from './batches';
import { readText, type Collection, type Item } from './collection';
import { ConfirmRemoval } from './confirm-removal';

/**
 * Return the actions of a collection.
 *
 * inTrash: whether the list shows the trash. onDone: called after an action, when its records are no longer selected.
 */
export function useListActions(collection: Collection, inTrash: boolean, onDone: () => void): Action<Item>[] {
	const language = useContentLanguage();
	return useMemo(() => {
		const key = collection.key ?? 'id';
		const send = collection.send ?? sendBatch;
		const pathOf = (item: Item): string => `${collection.path}/${String(item[key] as string | number)}`;
		const build = (method: string, item: Item, others: Partial<BatchPart> = {}): BatchPart => ({
			method,
			path: pathOf(item),
			seen: item,
			...others,
		});
		const run = (parts: BatchPart[], text: string, undo?: (answers: unknown[]) => unknown): void => {
			send(parts).then((answers) => {
				onDone();
				showDone(text, undo && (() => undo(answers)));
			}, showError);
		};

		const open: Action<Item> = {
			id: 'open',
			label: t('Change'),
			isEligible: (item) => !inTrash && collection.getItemPath(item) !== null,
			callback: ([item]) => {
				const to = item && collection.getItemPath(item);
				if (to) {
					navigate(withContentLanguage(to, language));
				}
			},
		};
		const view: Action<Item> = {
			id: 'view',
			label: t('View on the site'),
			isEligible: (item) => !inTrash && typeof item['link'] === 'string' && item['status'] !== 'draft',
			callback: ([item]) => {
				if (typeof item?.['link'] === 'string') {
					window.open(item['link'], '_blank', 'noopener');
				}
			},
		};
		const trash: Action<Item> = {
			id: 'trash',
			label: t('Put into the trash'),
			supportsBulk: true,
			isEligible: () => !inTrash,
			callback: (items) =>
				run(
					items.map((item) => build('DELETE', item)),
					sprintf(tn('%d record is in the trash.', '%d records are in the trash.', items.length), items.length),
					(answers) =>
						send(
							items.map((item, index) =>
								build('POST', item, { body: { status: item['status'] }, seen: answers[index] as Item }),
							),
						),
				),
		};
		const restore: Action<Item> = {
			id: 'restore',
			label: t('Take out of the trash'),
			isPrimary: true,
			supportsBulk: true,
			isEligible: () => inTrash,
			callback: (items) =>
				run(
					items.map((item) => build('POST', item, { body: { status: collection.restored?.status ?? 'draft' } })),
					collection.restored?.text ?? t('Taken out of the trash, as a draft.'),
				),
		};
		const remove: Action<Item> = {
			id: 'remove',
			label: t('Remove for good'),
			supportsBulk: true,
			isEligible: (item) => (inTrash || !collection.hasTrash) && (collection.canRemove?.(item) ?? true),
			RenderModal: ({ items, closeModal }) => (
				<ConfirmRemoval
					names={items.map((item) => readText(item[collection.titleField]))}
					onCancel={() => closeModal?.()}
					onConfirm={() => {
						closeModal?.();
						run(
							items.map((item) => build('DELETE', item, { query: { force: true, ...collection.removeQuery } })),
							sprintf(tn('%d record is removed.', '%d records are removed.', items.length), items.length),
						);
					}}
				/>
			),
		};
		return [open, ...(collection.actions ?? []), view, ...(collection.hasTrash ? [trash, restore] : []), remove];
	}, [collection, inTrash, language, onDone]);
}
