import { useState } from 'react';

import { describeState, saveOrder, type Order } from './order';

export interface Draft {
	/** The order on which the change was begun, null while nothing is changed. */
	base: Order | null;
	/** Whether another window has changed the order since. */
	isOutdated: boolean;
	error: unknown;
	saving: boolean;
	begin: () => void;
	cancel: () => void;
	/** Send the changes; whether they were taken. */
	save: (changes: Record<string, unknown>) => Promise<boolean>;
}

/** A change of an order in the making: it is not lost, and loses nothing, where the order is changed meanwhile. */
export function useDraft(order: Order): Draft {
	const [base, setBase] = useState<Order | null>(null);
	const [error, setError] = useState<unknown>(null);
	const [saving, setSaving] = useState(false);
	const end = (): void => {
		setBase(null);
		setError(null);
	};
	return {
		base,
		isOutdated: base !== null && !saving && describeState(order) !== describeState(base),
		error,
		saving,
		begin: () => setBase(order),
		cancel: end,
		save: async (changes) => {
			setSaving(true);
			try {
				await saveOrder(base ?? order, changes);
				end();
				return true;
			} catch (problem) {
				setError(problem);
				return false;
			} finally {
				setSaving(false);
			}
		},
	};
}
