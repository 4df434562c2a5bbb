import { store as coreStore } from '@wordpress/core-data';
import { dispatch } from '@wordpress/data';
import { store as noticesStore } from '@wordpress/notices';
import { useEffect, useState } from 'react';

import { request } from '../api/client';
import { describeError } from '../api/errors';
import { ConflictQuestion, type TheirRecord } from './conflict-question';
import { EDITOR_NOTICE } from './connection';
import { guardReads, noteState, type ConflictChoice } from './guarded-writes';

/** What the editor's store calls the records of a collection. */
const ENTITIES: Record<string, readonly [kind: string, name: string]> = {
	templates: ['postType', 'wp_template'],
	'template-parts': ['postType', 'wp_template_part'],
	navigation: ['postType', 'wp_navigation'],
	blocks: ['postType', 'wp_block'],
	pages: ['postType', 'page'],
	'global-styles': ['root', 'globalStyles'],
};

interface Conflict {
	path: string;
	theirs?: TheirRecord;
	fault?: string;
	answer: (choice: ConflictChoice) => void;
}

interface Props {
	language: string;
}

/** Asks whose version shall stay of a template, a part, a navigation, a pattern or the styles; several are asked in order. */
export function DesignConflicts({ language }: Props) {
	const [conflicts, setConflicts] = useState<Conflict[]>([]);
	useEffect(
		() =>
			guardReads((path) => {
				const change = (changes: Partial<Conflict>): void =>
					setConflicts((all) => all.map((one) => (one.path === path ? { ...one, ...changes } : one)));
				request<TheirRecord>(path, { query: { context: 'edit' }, language }).then(
					(theirs) => change({ theirs }),
					(error: unknown) => change({ fault: describeError(error) }),
				);
				return new Promise((answer) => setConflicts((all) => [...all, { path, answer }]));
			}),
		[language],
	);
	const [first] = conflicts;
	if (!first) {
		return null;
	}
	const close = (choice: ConflictChoice): void => {
		setConflicts((all) => all.filter((one) => one !== first));
		first.answer(choice);
	};
	const takeTheirs = (): void => {
		close('discard');
		void takeStored(first.path, language);
	};
	return (
		<ConflictQuestion
			theirs={first.theirs}
			fault={first.fault ?? ''}
			onTakeTheirs={takeTheirs}
			onKeepMine={() => close('overwrite')}
		/>
	);
}

/** Let the editor show what is stored of a record. */
async function takeStored(path: string, language: string): Promise<void> {
	const [, collection = '', id = ''] = /^\/wp\/v2\/([^/]+)\/(.+)$/.exec(path) ?? [];
	const [kind, name] = ENTITIES[collection] ?? ['', ''];
	await noteState(path, language);
	dispatch(noticesStore).removeNotice(EDITOR_NOTICE);
	const core = dispatch(coreStore);
	core.clearEntityRecordEdits(kind, name, id);
	core.invalidateResolution('getEntityRecord', [kind, name, id]);
	core.invalidateResolution('getEntityRecord', [kind, name, Number(id)]);
}
