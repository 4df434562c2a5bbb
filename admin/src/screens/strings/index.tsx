import { useEffect, useState } from 'react';

import { useCollection } from '../../api/collections';
import { ErrorNotice } from '../../app/error-notice';
import { boot } from '../../app/boot';
import { sprintf, t, tx } from '../../app/i18n';
import { setQuery, useLocation } from '../../app/router';
import { Screen } from '../../app/screen';
import { STATES, STRINGS_PATH, type SiteString } from './site-string';
import { StringRow } from './string-row';

const PER_PAGE = 50;
const WAIT = 250; // milliseconds between the last key and the search

/** Texts that are no records, each with what it is in every other language. */
export default function Strings() {
	const { query } = useLocation();
	const [typed, setTyped] = useState(query.get('search') ?? '');
	const [page, setPage] = useState(1);
	const [search, domain, state] = [query.get('search') ?? '', query.get('domain') ?? '', query.get('state') ?? ''];
	const choose = (change: Record<string, string>): void => {
		setPage(1);
		setQuery(change);
	};
	useEffect(() => {
		const timer = window.setTimeout(() => {
			if (typed !== search) {
				setPage(1);
				setQuery({ search: typed });
			}
		}, WAIT);
		return () => window.clearTimeout(timer);
	}, [typed, search]);
	const { value, error, loading } = useCollection<SiteString>(STRINGS_PATH, {
		search,
		domain,
		status: STATES[state] ?? '',
		page,
		per_page: PER_PAGE,
	});
	const domains = useDomains(value?.items);
	const shown = value?.items ?? [];
	const pages = value?.pages ?? 1;
	return (
		<Screen title={t('Strings')}>
			<form className="strings-filters" role="search" onSubmit={(event) => event.preventDefault()}>
				<label>
					{t('Search')}
					<input type="search" value={typed} onChange={(event) => setTyped(event.target.value)} />
				</label>
				<label>
					{t('Domain')}
					<select value={domain} onChange={(event) => choose({ domain: event.target.value })}>
						<option value="">{tx('All', 'domains of strings')}</option>
						{domains.map((one) => (
							<option key={one}>{one}</option>
						))}
					</select>
				</label>
				<label>
					{t('State')}
					<select value={state} onChange={(event) => choose({ state: event.target.value })}>
						<option value="">{tx('All', 'strings')}</option>
						<option value="open">{tx('Not translated', 'strings')}</option>
						<option value="outdated">{tx('Needs an update', 'strings')}</option>
						<option value="waiting">{tx('Being translated', 'strings')}</option>
						<option value="done">{tx('Translated', 'strings')}</option>
					</select>
				</label>
			</form>
			<ErrorNotice error={error} />
			<div className="units">
				{shown.map((one) => (
					<StringRow key={one.id} text={one} languages={boot.languages.filter(({ code }) => code !== one.language)} />
				))}
			</div>
			{!loading && shown.length === 0 && <p>{t('Nothing fits this search.')}</p>}
			{pages > 1 && (
				<nav className="strings-pages" aria-label={t('Pages')}>
					<button type="button" className="button" disabled={page <= 1} onClick={() => setPage(page - 1)}>
						{t('Previous page')}
					</button>
					<span role="status">{sprintf(t('Page %1$d of %2$d'), page, pages)}</span>
					<button type="button" className="button" disabled={page >= pages} onClick={() => setPage(page + 1)}>
						{t('Next page')}
					</button>
				</nav>
			)}
		</Screen>
	);
}

/** Return the domains that were seen; the interface has no list of them. */
function useDomains(items: SiteString[] | undefined): string[] {
	const [seen, setSeen] = useState<string[]>([]);
	const { value } = useCollection<SiteString>(STRINGS_PATH, { per_page: 100 });
	useEffect(() => {
		const found = [...(items ?? []), ...(value?.items ?? [])].map(({ context }) => context);
		setSeen((before) => [...new Set([...before, ...found])].sort());
	}, [items, value]);
	return seen;
}
