import { useState } from 'react';

import { request } from '../../api/client';
import { ErrorNotice } from '../../app/error-notice';
import { sendFile } from '../../api/uploads';
import { Dialog } from '../../app/dialog';
import { FileButton } from '../../app/file-button';
import { sprintf, t } from '../../app/i18n';
import { navigate } from '../../app/router';
import { showDone, showError } from '../../app/toasts';
import { copyAddress } from './collection';
import { CropDialog } from './crop-dialog';
import { getFileName, getTitle, isEditableImage, MEDIA_PATH, type MediaFile } from './media-file';
import { countUses, UsageList, type Usage } from './usage';

interface Props {
	file: MediaFile;
	usage: Usage | undefined;
	onReplaced: () => void;
}

/** What can be done with one file: crop, replace, download, copy its address, remove. */
export function FileActions({ file, usage, onReplaced }: Props) {
	const [open, setOpen] = useState<'' | 'crop' | 'remove'>('');
	const [share, setShare] = useState<number | null>(null);
	const path = `${MEDIA_PATH}/${String(file.id)}`;

	const replace = async ([chosen]: File[]): Promise<void> => {
		if (!chosen) {
			return;
		}
		setShare(0);
		try {
			await sendFile(`${path}/replace`, chosen, { onProgress: setShare });
			showDone(t('The file is replaced. Its address stays.'));
			onReplaced();
		} catch (error) {
			showError(error);
		} finally {
			setShare(null);
		}
	};
	return (
		<div className="file-actions">
			{isEditableImage(file) && (
				<button type="button" className="button" onClick={() => setOpen('crop')}>
					{t('Crop and turn')}
				</button>
			)}
			<FileButton
				label={t('Replace the file')}
				accept={`.${getFileName(file).split('.').pop() ?? ''},${file.mime_type}`}
				onFiles={(files) => void replace(files)}
			/>
			<a className="button" href={file.source_url} download={getFileName(file)}>
				{t('Download')}
			</a>
			<button type="button" className="button" onClick={() => copyAddress(file.source_url)}>
				{t('Copy the address')}
			</button>
			<button type="button" className="button button-danger" onClick={() => setOpen('remove')}>
				{t('Remove for good')}
			</button>
			{share !== null && <progress max={1} value={share} aria-label={t('Progress of the replacement')} />}
			{open === 'crop' && (
				<CropDialog
					file={file}
					onClose={() => setOpen('')}
					onMade={(copy) => {
						setOpen('');
						showDone(t('The changed picture is a file of its own.'));
						navigate(`/media/${String(copy.id)}`);
					}}
				/>
			)}
			{open === 'remove' && <RemoveDialog file={file} usage={usage} path={path} onClose={() => setOpen('')} />}
		</div>
	);
}

/** Asks before a file goes, and names what would miss it. */
function RemoveDialog(props: { file: MediaFile; usage: Usage | undefined; path: string; onClose: () => void }) {
	const { file, usage, path, onClose } = props;
	const [error, setError] = useState<unknown>(null);
	const remove = async (): Promise<void> => {
		try {
			await request(path, { method: 'DELETE', query: { force: true } });
			onClose();
			showDone(sprintf(t('%s is removed.'), getTitle(file)));
			navigate('/media');
		} catch (problem) {
			setError(problem);
		}
	};
	return (
		<Dialog title={t('Remove this file for good?')} onClose={onClose}>
			<p>{t('Nothing brings it back. Pages that show it will show a gap.')}</p>
			{usage && countUses(usage) > 0 && (
				<>
					<h3>{t('It is used here')}</h3>
					<UsageList usage={usage} />
				</>
			)}
			<ErrorNotice error={error} />
			<div className="form-buttons">
				<button type="button" className="button" onClick={onClose}>
					{t('Keep it')}
				</button>
				<button type="button" className="button button-danger" onClick={() => void remove()}>
					{t('Remove for good')}
				</button>
			</div>
		</Dialog>
	);
}
