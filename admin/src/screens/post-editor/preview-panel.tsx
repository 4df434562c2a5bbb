import { Button, PanelBody, SelectControl, TextControl } from '@wordpress/components';
import { useState } from 'react';

import { request } from '../../api/client';
import { useCollection } from '../../api/collections';
import { getCollectionPath, type ContentType } from '../../app/content-types';
import { formatTime, parseGmt } from '../../app/formats';
import { sprintf, t, tn } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';

interface PreviewLink {
	uuid: string;
	expires: string;
	link?: string;
	front_end?: string | null;
}

interface Props {
	type: ContentType;
	id: number;
	language: string;
}

const DAY = 86_400;

/** Links that show the draft to whoever has them. */
export function PreviewPanel({ type, id, language }: Props) {
	const path = `${getCollectionPath(type)}/${String(id)}/preview-links`;
	const { value, reload } = useCollection<PreviewLink>(type.viewable ? path : null, {}, language);
	const [days, setDays] = useState(1);
	const [made, setMade] = useState<PreviewLink>();
	if (!type.viewable) {
		return null;
	}
	const create = (): void => {
		request<PreviewLink>(path, { method: 'POST', body: { expires_in: days * DAY }, language }).then((link) => {
			setMade(link);
			reload();
		}, showError);
	};
	const withdraw = (uuid: string): void => {
		request(`${path}/${uuid}`, { method: 'DELETE', language }).then(() => {
			setMade((known) => (known?.uuid === uuid ? undefined : known));
			reload();
		}, showError);
	};
	const url = made?.front_end ?? made?.link ?? '';
	return (
		<PanelBody title={t('Preview links')} initialOpen={false}>
			<SelectControl
				__next40pxDefaultSize
				label={t('Valid for')}
				value={String(days)}
				options={[1, 7, 30].map((count) => ({
					value: String(count),
					label: sprintf(tn('%d day', '%d days', count), count),
				}))}
				onChange={(next) => setDays(Number(next))}
			/>
			<Button variant="secondary" onClick={create}>
				{t('Make a link')}
			</Button>
			{made && (
				<>
					<TextControl
						__next40pxDefaultSize
						label={t('Link, shown only now')}
						value={url}
						readOnly
						onFocus={(event) => event.target.select()}
						onChange={() => undefined}
					/>
					<Button
						variant="primary"
						onClick={() => {
							navigator.clipboard.writeText(url).then(() => showDone(t('Copied.')), showError);
						}}
					>
						{t('Copy')}
					</Button>
				</>
			)}
			<ul className="panel-list">
				{(value?.items ?? []).map(({ uuid, expires }) => (
					<li key={uuid}>
						{/* translators: %s: date and time */}
						<span>{sprintf(t('Until %s'), formatTime(parseGmt(expires)))}</span>
						<Button size="small" variant="tertiary" isDestructive onClick={() => withdraw(uuid)}>
							{t('Withdraw')}
						</Button>
					</li>
				))}
			</ul>
		</PanelBody>
	);
}
