import { t } from '../../app/i18n';
import { getFileName, type MediaFile } from './media-file';

/** What can be seen or heard of a file that is no picture. */
export function FilePreview({ file }: { file: MediaFile }) {
	const [kind] = file.mime_type.split('/');
	if (kind === 'video') {
		// Captions are files of their own, which the site doesn't join to a film.
		// eslint-disable-next-line jsx-a11y/media-has-caption
		return <video controls preload="metadata" src={file.source_url} />;
	}
	if (kind === 'audio') {
		// eslint-disable-next-line jsx-a11y/media-has-caption
		return <audio controls preload="metadata" src={file.source_url} />;
	}
	return (
		<p className="file-preview">
			<span className="file-tile">{(getFileName(file).split('.').pop() ?? '').toUpperCase()}</span>
			<a href={file.source_url} target="_blank" rel="noopener">
				{t('Open the document')}
			</a>
		</p>
	);
}
