import { useState } from 'react';

import { useCollection } from '../../api/collections';
import { describeError } from '../../api/errors';
import { t } from '../../app/i18n';
import { stripMarkup } from '../../list/collection';
import { labelValue } from '../../list/labels';
import type { MenuEntry } from './menu-tree';

type Added = Omit<MenuEntry, 'key' | 'id' | 'depth'>;

interface Props {
	language: string;
	onAdd: (entry: Added) => void;
}

interface Found {
	id: number;
	title: string;
	url: string;
	subtype: string;
}

const BARE: Pick<Added, 'attr_title' | 'target' | 'classes' | 'invalid'> = {
	attr_title: '',
	target: '',
	classes: [],
	invalid: false,
};

/** What can be put into a menu: pages, posts and terms that are searched, and addresses. */
export function AddEntries({ language, onAdd }: Props) {
	return (
		<section className="panel menu-add" aria-labelledby="menu-add-heading">
			<h2 id="menu-add-heading">{t('Add entries')}</h2>
			<SearchEntries language={language} onAdd={onAdd} />
			<OwnLink onAdd={onAdd} />
		</section>
	);
}

function SearchEntries({ language, onAdd }: Props) {
	const [kind, setKind] = useState<'post' | 'term'>('post');
	const [search, setSearch] = useState('');
	const { value, error, loading } = useCollection<Found>(
		'/wp/v2/search',
		{ type: kind, search, per_page: 12, _fields: 'id,title,url,subtype' },
		language,
	);
	return (
		<div className="menu-search">
			<div className="field">
				<label htmlFor="menu-search">{t('Pages, posts and terms of the site')}</label>
				<div className="menu-search-line">
					<input
						id="menu-search"
						className="input"
						type="search"
						value={search}
						placeholder={t('Search')}
						onChange={(event) => setSearch(event.target.value)}
					/>
					<select
						className="input"
						aria-label={t('What is searched')}
						value={kind}
						onChange={(event) => setKind(event.target.value as 'post' | 'term')}
					>
						<option value="post">{t('Pages and posts')}</option>
						<option value="term">{t('Terms')}</option>
					</select>
				</div>
			</div>
			{error !== undefined && (
				<p className="field-fault" role="alert">
					{describeError(error)}
				</p>
			)}
			<ul className="menu-found" aria-busy={loading}>
				{(value?.items ?? []).map((one) => {
					const title = stripMarkup(one.title) || t('(no title)');
					return (
						<li key={`${one.subtype} ${String(one.id)}`}>
							<span>
								{title} <span className="quiet">{labelValue(one.subtype)}</span>
							</span>
							<button
								type="button"
								className="button"
								aria-label={`${t('Add')}: ${title}`}
								onClick={() =>
									onAdd({
										...BARE,
										title,
										url: one.url,
										type: kind === 'post' ? 'post_type' : 'taxonomy',
										type_label: labelValue(one.subtype),
										object: one.subtype,
										object_id: one.id,
									})
								}
							>
								{t('Add')}
							</button>
						</li>
					);
				})}
			</ul>
			{value?.items.length === 0 && <p className="quiet">{t('Nothing fits this search.')}</p>}
		</div>
	);
}

function OwnLink({ onAdd }: { onAdd: Props['onAdd'] }) {
	const [title, setTitle] = useState('');
	const [url, setUrl] = useState('');
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				onAdd({ ...BARE, title, url, type: 'custom', type_label: t('Own link'), object: 'custom', object_id: 0 });
				setTitle('');
				setUrl('');
			}}
		>
			<h3>{t('Own link')}</h3>
			<div className="field">
				<label htmlFor="own-link-title">{t('Label')}</label>
				<input
					id="own-link-title"
					className="input"
					required
					value={title}
					onChange={(event) => setTitle(event.target.value)}
				/>
			</div>
			<div className="field">
				<label htmlFor="own-link-url">{t('Address')}</label>
				<input
					id="own-link-url"
					className="input"
					required
					placeholder="https://"
					value={url}
					onChange={(event) => setUrl(event.target.value)}
				/>
			</div>
			<button type="submit" className="button">
				{t('Add the link')}
			</button>
		</form>
	);
}
