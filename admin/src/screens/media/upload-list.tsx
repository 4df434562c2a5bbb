import { sprintf, t, tn } from '../../app/i18n';
import { Link } from '../../app/link';
import { getTitle } from './media-file';
import { cancelUpload, clearDone, retryUpload, useUploads, type Upload } from './upload-queue';

/** What is being uploaded: a line a file, with its progress or what went wrong. */
export function UploadList() {
	const uploads = useUploads();
	if (uploads.length === 0) {
		return null;
	}
	const open = uploads.filter((one) => one.state === 'waiting' || one.state === 'sending').length;
	return (
		<section className="panel uploads" aria-label={t('Uploads')}>
			<div className="uploads-head">
				<p role="status">
					{open > 0
						? sprintf(tn('%d file is on its way.', '%d files are on their way.', open), open)
						: t('Everything has been sent.')}
				</p>
				{uploads.some((one) => one.state === 'done') && (
					<button type="button" className="button" onClick={clearDone}>
						{t('Clear what is done')}
					</button>
				)}
			</div>
			<ul>
				{uploads.map((one) => (
					<UploadLine key={one.id} upload={one} />
				))}
			</ul>
		</section>
	);
}

function UploadLine({ upload: { id, file, state, share, error, record } }: { upload: Upload }) {
	const percent = Math.round(share * 100);
	return (
		<li className={`upload upload-${state}`}>
			<span className="upload-name">
				{record ? <Link to={`/media/${String(record.id)}`}>{getTitle(record)}</Link> : file.name}
			</span>
			{state === 'failed' ? (
				<span className="upload-error" role="alert">
					{error}
				</span>
			) : (
				<progress max={100} value={percent} aria-label={sprintf(t('Progress of %s'), file.name)}>
					{percent} %
				</progress>
			)}
			<span className="upload-buttons">
				{state === 'failed' && (
					<button
						type="button"
						className="button"
						aria-label={sprintf(t('Try again: %s'), file.name)}
						onClick={() => retryUpload(id)}
					>
						{t('Try again')}
					</button>
				)}
				{state !== 'done' && (
					<button
						type="button"
						className="button"
						aria-label={sprintf(t('Cancel: %s'), file.name)}
						onClick={() => cancelUpload(id)}
					>
						{t('Cancel')}
					</button>
				)}
			</span>
		</li>
	);
}
