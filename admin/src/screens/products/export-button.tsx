import { useRef, useState } from 'react';

import { Dialog } from '../../app/dialog';
import { sprintf, t } from '../../app/i18n';
import { showDone, showError } from '../../app/toasts';
import { readListQuery } from '../../list/list-view';
import type { Collection } from '../../list/collection';
import { readAll, readPages } from '../catalogue/all-items';
import { formatCsv, saveCsv } from '../catalogue/csv';
import { PRODUCTS, type Product } from '../catalogue/product';
import { listColumns } from './columns';
import { mapSkus } from './linked-columns';
import { readNameTables } from './name-tables';
import { buildVariationRow, type StoredVariation } from './variation-export';

/** Writes products into a file, page by page: all of them, or those that the list shows. */
export function ExportButton({ collection }: { collection: Collection }) {
	const [open, setOpen] = useState(false);
	const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
	const running = useRef<AbortController | null>(null);

	const write = async (onlyListed: boolean): Promise<void> => {
		const stop = new AbortController();
		running.current = stop;
		const query = onlyListed ? readListQuery(collection) : { orderby: 'id', order: 'asc', context: 'edit' };
		try {
			setProgress({ done: 0, total: 0 });
			const names = await readNameTables();
			const rows: Product[] = [];
			let done = 0;
			for await (const { items, total } of readPages<Product>(PRODUCTS, query, stop.signal)) {
				for (const item of items) {
					rows.push(item, ...(await readVariationRows(item, stop.signal)));
					done += 1;
					setProgress({ done, total });
				}
			}
			names.skus = mapSkus(rows);
			// As many columns as the products with the most attributes and files need.
			const columns = listColumns(
				Math.max(0, ...rows.map((one) => one.attributes.length)),
				Math.max(0, ...rows.map((one) => one.downloads.length)),
			);
			const headings = formatCsv([columns.map((one) => one.label)]);
			saveCsv('products.csv', [
				headings,
				...rows.map((row) => formatCsv([columns.map((one) => one.write(row, names))])),
			]);
			showDone(sprintf(t('%d products are in the file.'), done));
			setOpen(false);
		} catch (error) {
			if (!stop.signal.aborted) {
				showError(error);
			}
		} finally {
			setProgress(null);
		}
	};
	const close = (): void => {
		running.current?.abort();
		setOpen(false);
	};
	return (
		<>
			<button type="button" className="button" onClick={() => setOpen(true)}>
				{t('Export CSV')}
			</button>
			{open && (
				<Dialog title={t('Export products')} onClose={close}>
					{progress ? (
						<>
							<p role="status">{sprintf(t('%1$d of %2$d products'), progress.done, progress.total)}</p>
							<progress aria-label={t('Export products')} max={progress.total || 1} value={progress.done} />
							<div className="form-buttons">
								<button type="button" className="button" onClick={() => running.current?.abort()}>
									{t('Stop')}
								</button>
							</div>
						</>
					) : (
						<>
							<p>
								{t(
									'A spreadsheet opens the file, and it can be imported again. Each variation has a line below its product.',
								)}
							</p>
							<div className="form-buttons">
								<button type="button" className="button button-primary" onClick={() => void write(false)}>
									{t('All products')}
								</button>
								<button type="button" className="button" onClick={() => void write(true)}>
									{t('Those of the list')}
								</button>
							</div>
						</>
					)}
				</Dialog>
			)}
		</>
	);
}

/** Return the rows of the variations of a product. */
async function readVariationRows(product: Product, signal: AbortSignal): Promise<Product[]> {
	if (product.type !== 'variable') {
		return [];
	}
	const query = { orderby: 'menu_order', order: 'asc', context: 'edit' };
	const all = await readAll<StoredVariation>(`${PRODUCTS}/${String(product.id)}/variations`, query, signal);
	return all.map((one) => buildVariationRow(one, product));
}
