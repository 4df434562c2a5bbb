import { useState } from 'react';

import { getState } from '../../api/client';
import { forget } from '../../api/collections';
import { ApiError } from '../../api/errors';
import { ORDERS_PATH, saveOrder, type Order } from './order';

export interface Draft {
	/** The order on which the change was begun, null while nothing is changed. */
	base: Order | null;
	/** Whether somebody else has changed the order since. */
	isOutdated: boolean;
	/** When the order, as it is now, was saved. */
	savedGmt: string;
	error: unknown;
	saving: boolean;
	begin: () => void;
	cancel: () => void;
	/** Send the changes; whether they were taken. */
	save: (changes: Record<string, unknown>) => Promise<boolean>;
	/** Send changes whatever somebody else has saved; whether they were taken. */
	overwrite: (changes: Record<string, unknown>) => Promise<boolean>;
}

/** A change of an order in the making: it is not lost, and loses nothing, where the order is changed meanwhile. */
export function useDraft(order: Order): Draft {
	const [base, setBase] = useState<Order | null>(null);
	const [refused, setRefused] = useState(false);
	const [error, setError] = useState<unknown>(null);
	const [saving, setSaving] = useState(false);
	const end = (): void => {
		setBase(null);
		setRefused(false);
		setError(null);
	};
	const send = async (begun: Order | null, changes: Record<string, unknown>): Promise<boolean> => {
		setSaving(true);
		try {
			await saveOrder(order.id, begun, changes);
			end();
			return true;
		} catch (problem) {
			if (problem instanceof ApiError && problem.isConflict) {
				setBase(begun);
				setRefused(true);
				forget(ORDERS_PATH);
			} else {
				setError(problem);
			}
			return false;
		} finally {
			setSaving(false);
		}
	};
	return {
		base,
		isOutdated: base !== null && !saving && (refused || getState(order) !== getState(base)),
		savedGmt: order.date_modified_gmt,
		error,
		saving,
		begin: () => setBase(order),
		cancel: end,
		save: (changes) => send(base ?? order, changes),
		overwrite: (changes) => send(null, changes),
	};
}
