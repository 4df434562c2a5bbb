import { useEffect, useState } from 'react';

import { t } from '../../app/i18n';

/** Takes files that are dropped anywhere on the screen. */
export function DropArea({ onFiles }: { onFiles: (files: File[]) => void }) {
	const [over, setOver] = useState(false);
	useEffect(() => {
		// A drag enters and leaves each element below it; only the last leaving counts.
		let depth = 0;
		const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
		const enter = (event: DragEvent): void => {
			if (hasFiles(event)) {
				event.preventDefault();
				depth += 1;
				setOver(true);
			}
		};
		const leave = (event: DragEvent): void => {
			if (hasFiles(event)) {
				depth = Math.max(0, depth - 1);
				setOver(depth > 0);
			}
		};
		const allow = (event: DragEvent): void => {
			if (hasFiles(event)) {
				event.preventDefault();
			}
		};
		const drop = (event: DragEvent): void => {
			depth = 0;
			setOver(false);
			if (event.dataTransfer?.files.length) {
				event.preventDefault();
				onFiles([...event.dataTransfer.files]);
			}
		};
		window.addEventListener('dragenter', enter);
		window.addEventListener('dragleave', leave);
		window.addEventListener('dragover', allow);
		window.addEventListener('drop', drop);
		return () => {
			window.removeEventListener('dragenter', enter);
			window.removeEventListener('dragleave', leave);
			window.removeEventListener('dragover', allow);
			window.removeEventListener('drop', drop);
		};
	}, [onFiles]);
	return over ? (
		<div className="drop-area" aria-hidden="true">
			<p>{t('Drop the files to upload them.')}</p>
		</div>
	) : null;
}
