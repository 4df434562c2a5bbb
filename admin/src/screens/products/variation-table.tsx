import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { t } from '../../app/i18n';
import { MediaPicker } from '../../editor/media-picker';
import { CellInput } from '../catalogue/cell-input';
import type { ProductImage } from '../catalogue/product';
import { showStock, type Variation, type VariationEdits } from './variation';

interface Props {
	variations: Variation[];
	edits: Record<number, VariationEdits>;
	faults: Record<number, Record<string, string>>;
	onChange: (id: number, edits: VariationEdits) => void;
	onRemove: (id: number) => void;
}

/** The variations, a line each; every cell is a control. */
export function VariationTable({ variations, edits, faults, onChange, onRemove }: Props) {
	const [choosing, setChoosing] = useState<number | null>(null);
	const opener = useRef<HTMLElement | null>(null);
	const close = (): void => {
		flushSync(() => setChoosing(null));
		opener.current?.focus();
	};
	return (
		<div className="edit-table" role="group" aria-label={t('Variations')}>
			<table>
				<thead>
					<tr>
						<th scope="col">{t('Sold')}</th>
						<th scope="col">{t('Picture')}</th>
						<th scope="col">{t('Variation')}</th>
						<th scope="col">{t('Price')}</th>
						<th scope="col">{t('Sale price')}</th>
						<th scope="col">{t('Stock')}</th>
						<th scope="col">{t('SKU')}</th>
						<th scope="col">
							<span className="visually-hidden">{t('Remove')}</span>
						</th>
					</tr>
				</thead>
				<tbody>
					{variations.map((one) => {
						const typed = edits[one.id] ?? {};
						const wrong = faults[one.id] ?? {};
						const name = one.name || `#${String(one.id)}`;
						const image = typed.image === undefined ? one.image : typed.image;
						return (
							<tr key={one.id}>
								<td>
									<input
										type="checkbox"
										aria-label={`${t('Sold')}: ${name}`}
										checked={(typed.status ?? one.status) === 'publish'}
										onChange={(event) => onChange(one.id, { status: event.target.checked ? 'publish' : 'private' })}
									/>
								</td>
								<td>
									<button
										type="button"
										className="variation-picture"
										aria-label={`${t('Choose a picture')}: ${name}`}
										onClick={(event) => {
											opener.current = event.currentTarget;
											setChoosing(one.id);
										}}
									>
										{image ? <img src={image.src} alt="" /> : '+'}
									</button>
								</td>
								<th scope="row">
									{name}
									{wrong[''] && <span className="field-fault">{wrong['']}</span>}
								</th>
								<td>
									<CellInput
										label={`${t('Price')}: ${name}`}
										inputMode="decimal"
										fault={wrong['regular_price']}
										value={typed.regular_price ?? one.regular_price}
										onChange={(price) => onChange(one.id, { regular_price: price })}
									/>
								</td>
								<td>
									<CellInput
										label={`${t('Sale price')}: ${name}`}
										inputMode="decimal"
										fault={wrong['sale_price']}
										value={typed.sale_price ?? one.sale_price}
										onChange={(price) => onChange(one.id, { sale_price: price })}
									/>
								</td>
								<td>
									<CellInput
										label={`${t('Stock')}: ${name}`}
										inputMode="numeric"
										placeholder={one.manage_stock === true ? '' : t('not counted')}
										fault={wrong['stock'] ?? wrong['stock_quantity']}
										value={typed.stock ?? showStock(one)}
										onChange={(stock) => onChange(one.id, { stock })}
									/>
								</td>
								<td>
									<CellInput
										label={`${t('SKU')}: ${name}`}
										fault={wrong['sku']}
										value={typed.sku ?? one.sku}
										onChange={(sku) => onChange(one.id, { sku })}
									/>
								</td>
								<td>
									<button
										type="button"
										className="button button-small"
										aria-label={`${t('Remove')}: ${name}`}
										onClick={() => onRemove(one.id)}
									>
										×
									</button>
								</td>
							</tr>
						);
					})}
				</tbody>
			</table>
			{choosing !== null && (
				<MediaPicker
					allowedTypes={['image']}
					multiple={false}
					onSelect={([file]) => {
						if (file) {
							const image: ProductImage = { id: file.id, src: file.source_url };
							onChange(choosing, { image });
						}
						close();
					}}
					onClose={close}
				/>
			)}
		</div>
	);
}
