import { formatNumber } from '../../app/formats';
import { sprintf, t, tn, tx } from '../../app/i18n';
import { nameCollection, type ImportResult } from './transfer';

/** What came, or would come, collection by collection; what did not, and why. */
export function ImportReport({ result, isLook }: { result: ImportResult; isLook: boolean }) {
	const { skipped, left_out: leftOut, notes, accounts_without_password: logins } = result;
	return (
		<div className="transfer-report">
			<p>
				{result.keep_ids
					? sprintf(
							isLook ? t('Records of “%s” would keep their numbers.') : t('Records of “%s” keep their numbers.'),
							result.title,
						)
					: sprintf(
							isLook ? t('Records of “%s” would get new numbers.') : t('Records of “%s” got new numbers.'),
							result.title,
						)}
			</p>
			{/* A table that is wider than a phone is scrolled by keyboard as well. */}
			{/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
			<div className="table-scroll" role="group" aria-label={t('Report')} tabIndex={0}>
				<table className="order-table">
					<thead>
						<tr>
							<th scope="col">{t('Collection')}</th>
							<th scope="col" className="amount">
								{tx('New', 'records of an import')}
							</th>
							<th scope="col" className="amount">
								{tx('Changed', 'records of an import')}
							</th>
							<th scope="col" className="amount">
								{tx('Unchanged', 'records of an import')}
							</th>
							<th scope="col" className="amount">
								{tx('Here before', 'records of an import')}
							</th>
							<th scope="col" className="amount">
								{tx('Did not come', 'records of an import')}
							</th>
						</tr>
					</thead>
					<tbody>
						{result.resources.map((one) => (
							<tr key={one.resource}>
								<th scope="row" title={one.resource}>
									{nameCollection(one.resource)}
								</th>
								{[one.created, one.updated, one.unchanged, one.found, one.skipped].map((count, at) => (
									<td key={at} className="amount">
										{formatNumber(count)}
									</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			</div>
			{logins.length > 0 && (
				<p>
					{sprintf(
						tn(
							'%d new account has no password and needs a reset link:',
							'%d new accounts have no password and need a reset link:',
							logins.length,
						),
						logins.length,
					)}{' '}
					{logins.join(', ')}
				</p>
			)}
			<Lines title={t('Worth knowing')} lines={notes.map((one) => `${one.text} (${formatNumber(one.records)})`)} />
			<Lines
				title={t('Did not come')}
				lines={skipped.map((one) => `${nameCollection(one.resource)} ${one.id}: ${one.reason}`)}
			/>
			<Lines title={t('Left out')} lines={leftOut.map((one) => `${nameCollection(one.resource)}: ${one.reason}`)} />
		</div>
	);
}

function Lines({ title, lines }: { title: string; lines: string[] }) {
	if (lines.length === 0) {
		return null;
	}
	return (
		<details open={lines.length <= 10}>
			<summary>
				{title} ({formatNumber(lines.length)})
			</summary>
			<ul className="fault-list">
				{lines.map((line, at) => (
					<li key={at}>{line}</li>
				))}
			</ul>
		</details>
	);
}
