import { useCallback } from 'react';

import { navigate } from '../../app/router';
import type { ScreenProps } from '../../app/routes';
import { loadJobWork } from './job-work';
import { SideBySide } from './side-by-side';

/** The texts of a translation job beside their translation, for those who have no right to the record itself. */
export default function TranslateJob({ params }: ScreenProps) {
	const number = Number(params['number']);
	const load = useCallback(() => loadJobWork(number), [number]);
	return (
		<SideBySide key={number} name={`job ${String(number)}`} load={load} onFinished={() => navigate('/languages')} />
	);
}
