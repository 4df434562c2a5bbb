/** The table of a report: a page of its list, ordered by what the interface orders by. */
import { DataViews, type Field, type View } from '@wordpress/dataviews';
import { useMemo } from 'react';

import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import { formatNumber } from '../../app/formats';
import { formatMoney } from '../../app/money';
import { formatSiteTime } from './calendar';
import { choose, type Choices } from './choices';
import { readSort, type Column, type ReportDeclaration, type Row } from './reports';
import { labelReportValue } from './values';

interface Props {
	report: ReportDeclaration;
	rows: Row[];
	total: number;
	pages: number;
	loading: boolean;
	choices: Choices;
	/** What the interface orders by. */
	orders: readonly string[];
}

/** A row with what the table knows it by. */
type Entry = Row & { key: string };

export default function ReportTable({ report, rows, total, pages, loading, choices, orders }: Props) {
	const fields = useMemo(() => report.columns.map((column) => buildField(column, orders)), [report, orders]);
	const [title, ...others] = report.columns.map(({ name }) => name);
	const sort = readSort(report, choices);
	const view: View = {
		type: 'table',
		search: '',
		filters: [],
		page: choices.page,
		perPage: choices.perPage,
		...(title === undefined ? {} : { titleField: title }),
		fields: others,
		sort: { field: sort.column, direction: sort.order },
		layout: { density: 'compact', enableMoving: false },
	};
	const change = (next: View): void => {
		const sorted = next.sort?.field !== sort.column || next.sort?.direction !== sort.order;
		choose({
			orderby: next.sort?.field ?? '',
			order: next.sort?.direction ?? '',
			page: !sorted && next.page && next.page > 1 ? String(next.page) : '',
			per_page: next.perPage && next.perPage !== 25 ? String(next.perPage) : '',
		});
	};
	return (
		<div className="list report-table">
			<DataViews<Entry>
				data={rows.map((row, at) => ({ ...row, key: String(at) }))}
				fields={fields}
				view={view}
				onChangeView={change}
				isLoading={loading}
				paginationInfo={{ totalItems: total, totalPages: pages }}
				getItemId={({ key }) => key}
				search={false}
				isItemClickable={() => report.getRowPath !== undefined}
				renderItemLink={({ item, ...rest }) => <Link {...rest} to={report.getRowPath?.(item) ?? ''} />}
				defaultLayouts={{ table: {} }}
				empty={<p>{t('There is nothing in this period.')}</p>}
				config={{ perPageSizes: [10, 25, 50, 100] }}
			/>
		</div>
	);
}

function buildField(column: Column, orders: readonly string[]): Field<Entry> {
	const { name, label, kind } = column;
	const orderby = column.orderby === undefined ? name : column.orderby;
	const read = (row: Row): unknown => (column.read ? column.read(row) : row[name]);
	return {
		id: name,
		label: label(),
		type: kind === 'text' || kind === 'value' || kind === 'time' ? 'text' : 'number',
		enableSorting: orderby !== null && orders.includes(orderby),
		enableHiding: false,
		filterBy: false,
		getValue: ({ item }) => read(item),
		render: ({ item }) => <>{writeCell(kind, read(item))}</>,
	};
}

function writeCell(kind: Column['kind'], value: unknown): string {
	if (value === null || value === undefined || value === '') {
		return '';
	}
	switch (kind) {
		case 'money':
			return formatMoney(value as number);
		case 'count':
			return formatNumber(Number(value));
		case 'percent':
			return `${formatNumber(Number(value))} %`;
		case 'time':
			return formatSiteTime(String(value as string));
		case 'value':
			return labelReportValue(value);
		case 'text':
			return String(value as string | number);
	}
}
