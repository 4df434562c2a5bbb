import { useMemo } from 'react';

import { useResource } from '../../api/collections';
import { usePolling } from '../../api/polling';
import { ListView } from '../../list/list-view';
import { buildJobCollection } from './collection';
import { JOBS_PATH } from './job';

/** Milliseconds between two looks; jobs are not in the change feed. */
const PAUSE = 4000;

/** What the site does in the background, and what it gave up. */
export default function Jobs() {
	const { value } = useResource<string[]>(`${JOBS_PATH}/kinds`);
	const kinds = (value ?? []).join(' ');
	const collection = useMemo(() => buildJobCollection(kinds ? kinds.split(' ') : []), [kinds]);
	usePolling([JOBS_PATH], PAUSE);
	return <ListView collection={collection} />;
}
