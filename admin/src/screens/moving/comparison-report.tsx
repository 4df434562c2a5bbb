import { formatNumber } from '../../app/formats';
import { sprintf, t, tn, tx } from '../../app/i18n';
import { nameCollection, type ComparisonState, type RecordDifference } from './transfer';

/** How each collection compares, and what differs. */
export function ComparisonReport({ result }: { result: NonNullable<ComparisonState['result']> }) {
	const compared = result.collections.filter(
		(one) => !one.not_compared && one.same + one.differing + one.only_here + one.only_there > 0,
	);
	const left = result.collections.filter((one) => one.not_compared);
	return (
		<div className="transfer-report">
			{/* A table that is wider than a phone is scrolled by keyboard as well. */}
			{/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
			<div className="table-scroll" role="group" aria-label={t('Comparison')} tabIndex={0}>
				<table className="order-table">
					<thead>
						<tr>
							<th scope="col">{t('Collection')}</th>
							<th scope="col" className="amount">
								{tx('Same', 'records of a comparison')}
							</th>
							<th scope="col" className="amount">
								{tx('Different', 'records of a comparison')}
							</th>
							<th scope="col" className="amount">
								{tx('Only here', 'records of a comparison')}
							</th>
							<th scope="col" className="amount">
								{tx('Only there', 'records of a comparison')}
							</th>
						</tr>
					</thead>
					<tbody>
						{compared.map((one) => (
							<tr key={one.resource}>
								<th scope="row" title={one.resource}>
									{nameCollection(one.resource)}
								</th>
								{[one.same, one.differing, one.only_here, one.only_there].map((count, at) => (
									<td key={at} className="amount">
										{formatNumber(count)}
									</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			</div>
			{result.unreadable > 0 && (
				<p>
					{sprintf(
						tn('%d record could not be read.', '%d records could not be read.', result.unreadable),
						result.unreadable,
					)}
				</p>
			)}
			{left.map((one) => (
				<p key={one.resource}>
					{sprintf(t('%1$s was not compared: %2$s'), nameCollection(one.resource), one.not_compared)}
				</p>
			))}
			{result.differences.length > 0 && (
				<details open={result.differences.length <= 10}>
					<summary>{sprintf(t('What differs (%s)'), formatNumber(result.differences.length))}</summary>
					<ul className="fault-list">
						{result.differences.map((one, at) => (
							<Difference key={at} difference={one} />
						))}
					</ul>
				</details>
			)}
		</div>
	);
}

function Difference({ difference }: { difference: RecordDifference }) {
	const { resource, here, there, label, only, members } = difference;
	const name = `${nameCollection(resource)} ${here || there}${label && label !== (here || there) ? ` ${label}` : ''}`;
	if (only) {
		return <li>{only === 'here' ? sprintf(t('%s: only here'), name) : sprintf(t('%s: only there'), name)}</li>;
	}
	return (
		<li>
			{name}
			<ul>
				{members.map((one) => (
					<li key={one.member}>{sprintf(t('%1$s: here %2$s, there %3$s'), one.member, one.here, one.there)}</li>
				))}
			</ul>
		</li>
	);
}
