import { useState } from 'react';

import { t } from '../../app/i18n';
import { MediaPicker } from '../../editor/media-picker';
import { CheckInput, TextInput } from '../../form/inputs';
import type { ProductDownload } from '../catalogue/product';
import type { PanelProps } from './product-form';

/** Files that buyers get. */
export function DownloadsPanel({ product, change, faults }: PanelProps) {
	const [choosing, setChoosing] = useState(false);
	const { downloads } = product;
	const replace = (at: number, edits: Partial<ProductDownload>): void =>
		change({ downloads: downloads.map((one, index) => (index === at ? { ...one, ...edits } : one)) });
	return (
		<section className="panel" aria-labelledby="product-downloads">
			<h2 id="product-downloads">{t('Files for buyers')}</h2>
			<CheckInput
				label={t('Buyers get files')}
				checked={product.downloadable === true}
				onChange={(checked) => change({ downloadable: checked })}
			/>
			{product.downloadable === true && (
				<>
					{faults['downloads'] && <p className="field-fault">{faults['downloads']}</p>}
					{downloads.map((one, index) => (
						<fieldset key={one.id ?? index} className="row-group">
							<legend className="visually-hidden">{one.name || t('File')}</legend>
							<TextInput label={t('Name')} value={one.name} onChange={(name) => replace(index, { name })} />
							<TextInput
								label={t('Address of the file')}
								value={one.file}
								onChange={(file) => replace(index, { file })}
							/>
							<button
								type="button"
								className="button button-small"
								onClick={() => change({ downloads: downloads.filter((_, at) => at !== index) })}
							>
								{t('Take away')}
							</button>
						</fieldset>
					))}
					<div className="picture-buttons">
						<button type="button" className="button" onClick={() => setChoosing(true)}>
							{t('Choose a file')}
						</button>
						<button
							type="button"
							className="button"
							onClick={() => change({ downloads: [...downloads, { name: '', file: '' }] })}
						>
							{t('Add an address')}
						</button>
					</div>
					<div className="field-pair">
						<TextInput
							label={t('Downloads an order')}
							type="number"
							help={t('Empty: as many as they like.')}
							value={showLimit(product.download_limit)}
							onChange={(text) => change({ download_limit: readLimit(text) })}
						/>
						<TextInput
							label={t('Days')}
							type="number"
							help={t('Empty: for ever.')}
							value={showLimit(product.download_expiry)}
							onChange={(text) => change({ download_expiry: readLimit(text) })}
						/>
					</div>
				</>
			)}
			{choosing && (
				<MediaPicker
					allowedTypes={[]}
					multiple
					onSelect={(files) => {
						const added = files.map((one) => ({ name: one.title.raw ?? one.title.rendered, file: one.source_url }));
						change({ downloads: [...downloads, ...added] });
						setChoosing(false);
					}}
					onClose={() => setChoosing(false)}
				/>
			)}
		</section>
	);
}

/** A limit of -1 is none. */
function showLimit(limit: number): string {
	return limit < 0 ? '' : String(limit);
}

function readLimit(text: string): number {
	return text === '' ? -1 : Math.max(-1, Math.trunc(Number(text)));
}
