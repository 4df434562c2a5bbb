import { useEffect, useMemo } from 'react';

import { canSomewhere } from '../../app/boot';
import { FileButton } from '../../app/file-button';
import { t } from '../../app/i18n';
import type { ScreenProps } from '../../app/routes';
import { guardUnload } from '../../app/router';
import { ListView } from '../../list/list-view';
import { buildMediaCollection } from './collection';
import { MediaDetail } from './detail';
import { DropArea } from './drop-area';
import { UploadList } from './upload-list';
import { addUploads, useUploads } from './upload-queue';

/** The files of the site: all of them, or one. */
export default function Media({ params }: ScreenProps) {
	const id = params['id'];
	return id === undefined ? <MediaLibrary /> : <MediaDetail key={id} id={id} />;
}

function MediaLibrary() {
	const collection = useMemo(() => buildMediaCollection(), []);
	const uploads = useUploads();
	const busy = uploads.some((one) => one.state === 'sending' || one.state === 'waiting');
	useEffect(() => (busy ? guardUnload() : undefined), [busy]);
	return (
		<ListView
			collection={collection}
			tools={
				canSomewhere('upload_files') && (
					<FileButton label={t('Upload files')} className="button button-primary" multiple onFiles={addUploads} />
				)
			}
		>
			{canSomewhere('upload_files') && <DropArea onFiles={addUploads} />}
			<UploadList />
		</ListView>
	);
}
