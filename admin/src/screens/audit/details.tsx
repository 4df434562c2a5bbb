import { formatTime, parseGmt } from '../../app/formats';
import { t } from '../../app/i18n';
import { describeAction, describeChange, describeItem, describeSource, describeWho, type AuditEntry } from './entry';

/** All that an entry says. */
export function EntryDetails({ entry }: { entry: AuditEntry }) {
	const facts: [string, string][] = [
		[t('What was done'), describeAction(entry.action)],
		[t('What'), describeItem(entry)],
		[t('Number or name'), entry.item],
		[t('Who'), describeWho(entry)],
		[t('How'), [describeSource(entry.source), entry.credential].filter(Boolean).join(' · ')],
		[t('From where'), entry.address],
		[t('Program'), entry.agent],
		[t('When'), formatTime(parseGmt(entry.date_gmt))],
	];
	return (
		<dl className="fact-list">
			{facts.map(
				([label, value]) =>
					value && (
						<div key={label}>
							<dt>{label}</dt>
							<dd>{value}</dd>
						</div>
					),
			)}
			{entry.changes.length > 0 && (
				<>
					<dt>{t('What changed')}</dt>
					<dd>
						<ul>
							{entry.changes.map((change) => (
								<li key={change.member}>{describeChange(change)}</li>
							))}
						</ul>
					</dd>
				</>
			)}
		</dl>
	);
}
