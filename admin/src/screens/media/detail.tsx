import { useMemo, useState } from 'react';

import { request } from '../../api/client';
import { useResource } from '../../api/collections';
import { getArguments, useDeclaration } from '../../api/declarations';
import { describeError } from '../../api/errors';
import { ErrorNotice } from '../../app/error-notice';
import { formatBytes, formatTime, parseGmt } from '../../app/formats';
import { sprintf, t } from '../../app/i18n';
import { Link } from '../../app/link';
import { useContentLanguage, withContentLanguage } from '../../app/router';
import { Screen } from '../../app/screen';
import { showDone } from '../../app/toasts';
import { FormButtons } from '../../form/form-buttons';
import { MetaFields } from '../../form/meta-fields';
import { useLeaveWarning } from '../../form/record-form';
import { SchemaForm, useEdits } from '../../form/schema-form';
import type { Item } from '../../list/collection';
import { buildFields } from '../../list/fields';
import { buildMediaCollection } from './collection';
import { FileActions } from './file-actions';
import { FilePreview } from './file-preview';
import { FocalPoint } from './focal-point';
import {
	getFileName,
	getThumbnail,
	getTitle,
	isEditableImage,
	isImage,
	lacksAltText,
	MEDIA_PATH,
	type MediaFile,
	type Point,
} from './media-file';
import { UsageList, useUsage } from './usage';

/** Pixels. */
const PREVIEW_WIDTH = 900;

/** One file: what it shows, what is said of it, where it is used. */
export function MediaDetail({ id }: { id: string }) {
	const language = useContentLanguage();
	const path = `${MEDIA_PATH}/${id}`;
	const { value: file, error: missing, reload } = useResource<MediaFile>(path, { context: 'edit' }, language);
	const { value: declaration } = useDeclaration(MEDIA_PATH);
	const { value: usage, error: unknownUsage } = useUsage(Number(id));
	const collection = useMemo(() => buildMediaCollection(), []);
	const { item, edits, change, clear } = useEdits(file);
	const [error, setError] = useState<unknown>(null);
	const [saving, setSaving] = useState(false);
	const [version, setVersion] = useState(0);
	const changed = Object.keys(edits).length > 0;
	useLeaveWarning(changed);

	const fields = useMemo(
		() =>
			declaration?.schema
				? buildFields(collection, declaration.schema.properties, getArguments(declaration, 'GET')).map((one) =>
						one.id === 'caption' ? { ...one, Edit: { control: 'textarea', rows: 2 } as const } : one,
					)
				: [],
		[collection, declaration],
	);
	const save = async (): Promise<void> => {
		setSaving(true);
		try {
			await request(path, { method: 'POST', body: edits, language });
			setError(null);
			clear();
			showDone(t('Saved.'));
		} catch (problem) {
			setError(problem);
		} finally {
			setSaving(false);
		}
	};
	const shown = item as MediaFile | undefined;
	return (
		<Screen
			title={shown ? getTitle(shown) : t('File')}
			actions={
				<Link className="button" to={withContentLanguage('/media', language)}>
					{t('Back to the list')}
				</Link>
			}
		>
			<ErrorNotice error={missing} />
			{file && shown && (
				<div className="media-detail">
					<section className="panel media-look" aria-label={t('Preview')}>
						{isEditableImage(file) ? (
							<FocalPoint
								key={version}
								address={getPreviewAddress(file, version)}
								point={getPoint(file, edits)}
								onChange={(point) => change({ focal_point: point })}
								disabled={saving}
							/>
						) : isImage(file) ? (
							<img src={getPreviewAddress(file, version)} alt={file.alt_text} />
						) : (
							<FilePreview file={file} />
						)}
						<FileActions
							file={file}
							usage={usage}
							onReplaced={() => {
								// The browser has kept the old picture under the same address.
								const picture = getThumbnail(file, PREVIEW_WIDTH) ?? file.source_url;
								void fetch(picture, { cache: 'reload' })
									.then((response) => response.blob())
									.finally(() => {
										setVersion(version + 1);
										reload();
									});
							}}
						/>
						<FileFacts file={file} />
					</section>
					<form
						className="panel media-texts"
						onSubmit={(event) => {
							event.preventDefault();
							void save();
						}}
					>
						{lacksAltText(shown) && (
							<p className="notice notice-warning">
								{t('Without an alternative text, people who do not see the picture miss what it shows.')}
							</p>
						)}
						<SchemaForm
							fields={fields}
							members={['title', ...(isImage(file) ? ['alt_text'] : []), 'caption', 'description']}
							item={shown}
							onChange={change}
							error={error}
						/>
						<MetaFields
							schema={declaration?.schema?.properties['meta']}
							stored={file}
							edits={edits}
							onChange={change}
							error={error}
							language={language}
						/>
						<FormButtons changed={changed} saving={saving} />
					</form>
					<section className="panel" aria-labelledby="usage-heading">
						<h2 id="usage-heading">{t('Where it is used')}</h2>
						{usage ? <UsageList usage={usage} /> : <p className="quiet">{describeUsage(unknownUsage)}</p>}
					</section>
				</div>
			)}
		</Screen>
	);
}

function FileFacts({ file }: { file: MediaFile }) {
	const { width, height, filesize, length_formatted } = file.media_details;
	const facts: [string, string][] = [
		[t('File'), getFileName(file)],
		[t('Kind of file'), file.mime_type],
		...(width && height ? [[t('Size'), sprintf(t('%1$d × %2$d'), width, height)] as [string, string]] : []),
		...(filesize ? [[t('Bytes'), formatBytes(filesize)] as [string, string]] : []),
		...(length_formatted ? [[t('Length'), length_formatted] as [string, string]] : []),
		[t('Uploaded'), formatTime(parseGmt(file.date_gmt))],
	];
	return (
		<dl className="facts">
			{facts.map(([name, value]) => (
				<div key={name}>
					<dt>{name}</dt>
					<dd>{value}</dd>
				</div>
			))}
		</dl>
	);
}

function getPreviewAddress(file: MediaFile, version: number): string {
	const address = getThumbnail(file, PREVIEW_WIDTH) ?? file.source_url;
	// Another fragment, so that the page does not show the picture that it holds under this address.
	return version ? `${address}#${String(version)}` : address;
}

function getPoint(file: MediaFile, edits: Partial<Item>): Point | null {
	return 'focal_point' in edits ? (edits['focal_point'] as Point | null) : (file.media_details.focal_point ?? null);
}

function describeUsage(error: unknown): string {
	return error === undefined ? t('Loading …') : describeError(error);
}
