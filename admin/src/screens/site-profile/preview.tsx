import { ApiError } from '../../api/errors';
import { formatNumber } from '../../app/formats';
import { sprintf, t, tn, tx } from '../../app/i18n';

interface KeyChange {
	key: string;
	before: string;
	after: string;
}

interface ProfileChange {
	part: 'module' | 'language' | 'type' | 'taxonomy' | 'field' | 'options_page' | 'role' | 'setting';
	name: string;
	action: 'added' | 'removed' | 'changed';
	keys: KeyChange[];
	out_of_reach: { what: string; count: number }[];
}

export interface ProfilePreview {
	name: string;
	changes: ProfileChange[];
	routes: Record<'added' | 'removed' | 'changed', string[]>;
}

interface ProfileFault {
	line: number;
	key: string;
	message: string;
}

/** Return what a refusal says is wrong in a profile, null where it is about something else. */
export function readFaults(error: unknown): ProfileFault[] | null {
	const faults = error instanceof ApiError ? error.data['faults'] : undefined;
	return Array.isArray(faults) ? (faults as ProfileFault[]) : null;
}

/** What keeps a profile from being served, each with its line. */
export function FaultList({ faults }: { faults: ProfileFault[] }) {
	return (
		<div className="notice notice-failed profile-faults" role="alert">
			<p>{t('This profile cannot be served:')}</p>
			<ul>
				{faults.map((fault, at) => (
					<li key={at}>
						{fault.line > 0 && <strong>{sprintf(t('Line %d'), fault.line)} </strong>}
						{fault.key && <code>{fault.key}</code>} {fault.message}
					</li>
				))}
			</ul>
		</div>
	);
}

/** What another profile changes, and which command puts it in the place of the one in force. */
export function Preview({ preview }: { preview: ProfilePreview }) {
	const { added, removed, changed } = preview.routes;
	const lost = preview.changes.some((one) => one.out_of_reach.length > 0);
	return (
		<div className="profile-preview" role="status">
			<h3>{t('What changes')}</h3>
			{preview.changes.length === 0 && <p>{t('Nothing: both say the same.')}</p>}
			<ul className="finding-list">
				{preview.changes.map((change) => (
					<ChangeEntry key={`${change.part} ${change.name}`} change={change} />
				))}
			</ul>
			{lost && (
				<p className="notice notice-warning">
					{t('What is out of reach stays in the database, and is there again when the profile declares it again.')}
				</p>
			)}
			<RouteList label={t('Routes that are added')} paths={added} />
			<RouteList label={t('Routes that go')} paths={removed} />
			<RouteList label={t('Routes with other methods')} paths={changed} />
			{preview.changes.length > 0 && (
				<>
					<p>{t('Save it in a file on the server, and run there:')}</p>
					<pre className="profile-command">vetrina profile apply FILE --site FOLDER</pre>
					<p className="field-help">
						{t(
							'A browser does not apply it: a profile names programs and files on the server, which whoever gets hold of your session must not reach.',
						)}
					</p>
				</>
			)}
		</div>
	);
}

function ChangeEntry({ change }: { change: ProfileChange }) {
	const kind = change.action === 'removed' ? 'critical' : 'recommended';
	return (
		<li className={`finding finding-${kind}`}>
			<span className="finding-status">{describeAction(change.action)}</span>
			<div>
				<strong>{describePart(change.part)}</strong> <code>{change.name}</code>
				{change.keys.map((one) => (
					<p key={one.key} className="profile-key">
						{change.part !== 'setting' && `${one.key}: `}
						<del>{one.before || tx('nothing', 'value of a key')}</del>
						{' → '}
						<ins>{one.after || tx('nothing', 'value of a key')}</ins>
					</p>
				))}
				{change.out_of_reach.map((one) => (
					<p key={one.what} className="finding-actions">
						{sprintf(t('Out of reach: %s'), describeStored(one.what, one.count))}
					</p>
				))}
			</div>
		</li>
	);
}

function RouteList({ label, paths }: { label: string; paths: string[] }) {
	return paths.length === 0 ? null : (
		<details>
			<summary>{`${label}: ${formatNumber(paths.length)}`}</summary>
			<ul className="fault-list">
				{paths.map((path) => (
					<li key={path}>
						<code>{path}</code>
					</li>
				))}
			</ul>
		</details>
	);
}

function describeAction(action: ProfileChange['action']): string {
	switch (action) {
		case 'added':
			return tx('Added', 'part of a site');
		case 'removed':
			return tx('Removed', 'part of a site');
		case 'changed':
			return tx('Changed', 'part of a site');
	}
}

function describePart(part: ProfileChange['part']): string {
	switch (part) {
		case 'module':
			return tx('Module', 'part of a site');
		case 'language':
			return tx('Language', 'part of a site');
		case 'type':
			return tx('Content type', 'part of a site');
		case 'taxonomy':
			return tx('Taxonomy', 'part of a site');
		case 'field':
			return tx('Own field', 'part of a site');
		case 'options_page':
			return tx('Options page', 'part of a site');
		case 'role':
			return tx('Role', 'part of a site');
		case 'setting':
			return tx('Setting', 'part of a site');
	}
}

/** Say how much is stored; what a module names that is not known here is said as it is named. */
function describeStored(what: string, count: number): string {
	switch (what) {
		case 'records':
			return sprintf(tn('%d record', '%d records', count), count);
		case 'terms':
			return sprintf(tn('%d term', '%d terms', count), count);
		case 'values':
			return sprintf(tn('%d value', '%d values', count), count);
		case 'accounts':
			return sprintf(tn('%d account with this role', '%d accounts with this role', count), count);
		case 'orders':
			return sprintf(tn('%d order', '%d orders', count), count);
		case 'coupons':
			return sprintf(tn('%d coupon', '%d coupons', count), count);
		case 'translation jobs':
			return sprintf(tn('%d translation job', '%d translation jobs', count), count);
		case 'glossary entries':
			return sprintf(tn('%d entry of the glossary', '%d entries of the glossary', count), count);
		default:
			return `${formatNumber(count)} ${what}`;
	}
}
