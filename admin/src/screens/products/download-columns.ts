/** Columns of a file of products for the files that buyers get: each has some, `Download 1 name`, `Download 1 URL` … */
import { sprintf, t } from '../../app/i18n';
import { unguardCell } from '../catalogue/csv';
import type { ProductDownload } from '../catalogue/product';
import type { Column } from './columns';

/** Where the cells of files are kept until the whole row is read. */
const CELLS = 'download cells';
const NUMBERED = /^download (\d+) /;

type Cells = Record<number, ProductDownload>;

/** Return how many files of a product the headings have columns for; one is offered at least. */
export function countDownloads(headings: string[]): number {
	return Math.max(1, ...headings.map((one) => Number(NUMBERED.exec(one.trim().toLowerCase())?.[1] ?? 0)));
}

/** Return the columns of some files. */
export function listDownloadColumns(count: number): Column[] {
	return Array.from({ length: count }, (_, index) => describeDownload(index + 1)).flat();
}

function describeDownload(number: number): Column[] {
	const column = (part: keyof ProductDownload, label: string, alias: string): Column => ({
		member: `download_${String(number)}_${part}`,
		label: sprintf(label, number),
		aliases: [`download ${String(number)} ${alias}`],
		read: (cell, body) => {
			const own = ((body[CELLS] ??= {}) as Cells)[number];
			(body[CELLS] as Cells)[number] = { name: '', file: '', ...own, [part]: unguardCell(cell).trim() };
		},
		write: (product) => product.downloads[number - 1]?.[part] ?? '',
	});
	return [
		/* translators: %d: which file of a product */
		column('id', t('Download %d ID'), 'id'),
		column('name', t('Download %d name'), 'name'),
		column('file', t('Download %d address'), 'url'),
	];
}

/** Put the files that the cells of a row name into its body, in place of the cells. */
export function takeDownloads(body: Record<string, unknown>): void {
	const cells = body[CELLS] as Cells | undefined;
	body[CELLS] = undefined;
	if (cells) {
		body['downloads'] = Object.values(cells)
			.filter((one) => one.file !== '')
			.map(({ id, ...one }) => (id ? { id, ...one } : one));
	}
}
