/** A record in a form whose writes reach no state but the one that the person has seen. */
import { useEffect, useRef, useState } from 'react';

import { buildCondition, getState, request, type Query } from '../api/client';
import { forget, useResource } from '../api/collections';
import { ApiError } from '../api/errors';

export interface GuardedRecord<Value> {
	/** As it is stored, as far as is known here. */
	record: Value | undefined;
	/** Why it could not be read. */
	missing: unknown;
	/** Say at each drawing whether the form has changes; returns whether somebody else has saved since they were begun. */
	findConflict: (isChanged: boolean) => boolean;
	saving: boolean;
	/**
	 * Store changes and return the record as it is then; null where somebody else was faster.
	 *
	 * overwrite: whatever was saved meanwhile. Raises ApiError where they are refused for another reason.
	 */
	save: (body: unknown, overwrite?: boolean) => Promise<Value | null>;
	/** Go on from what is there now. */
	takeTheirs: () => void;
}

/** Read a record, and write to it. path: null as there is none yet. language: of the content, that of the site by default. */
export function useGuardedRecord<Value extends object>(
	path: string | null,
	query: Query = {},
	language?: string,
): GuardedRecord<Value> {
	const { value: loaded, error: missing, loading } = useResource<Value>(path, query, language);
	const inLanguage = language === undefined ? {} : { language };
	const [saved, setSaved] = useState<Value | null>(null);
	const [refused, setRefused] = useState(false);
	const [saving, setSaving] = useState(false);
	// What was read later is newer than the answer to the last write.
	useEffect(() => setSaved(null), [loaded]);
	const record = saved ?? loaded;
	const state = getState(record);
	/** In which the record was when the changes were begun. */
	const begun = useRef(state);
	/** Whether the record was still being read then: what comes is shown, and is no change of somebody else. */
	const begunEarly = useRef(false);
	const save = async (body: unknown, overwrite = false): Promise<Value | null> => {
		const target = path ?? '';
		setSaving(true);
		try {
			const headers = overwrite ? {} : buildCondition(begun.current);
			const answer = await request<Value>(target, { method: 'POST', body, headers, ...inLanguage });
			// A write is answered without the state; where it cannot be read, the next one goes unguarded.
			const now = await request<Value>(target, { query, ...inLanguage }).catch(() => answer);
			setSaved(now);
			// Changes that were begun meanwhile are changes of this state.
			begun.current = getState(now);
			setRefused(false);
			return now;
		} catch (problem) {
			if (!(problem instanceof ApiError) || !problem.isConflict) {
				throw problem;
			}
			setRefused(true);
			forget(target);
			return null;
		} finally {
			setSaving(false);
		}
	};
	return {
		record,
		missing,
		findConflict: (isChanged) => {
			if (!isChanged || begunEarly.current) {
				begun.current = state;
				begunEarly.current = loading;
			}
			return isChanged && !saving && (refused || (state !== undefined && state !== begun.current));
		},
		saving,
		save,
		takeTheirs: () => setRefused(false),
	};
}
