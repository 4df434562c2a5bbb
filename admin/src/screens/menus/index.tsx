import { useState } from 'react';

import { useCollection } from '../../api/collections';
import { describeError } from '../../api/errors';
import { ErrorNotice } from '../../app/error-notice';
import { t } from '../../app/i18n';
import { Link } from '../../app/link';
import type { ScreenProps } from '../../app/routes';
import { navigate, useContentLanguage, withContentLanguage } from '../../app/router';
import { Screen } from '../../app/screen';
import { showDone } from '../../app/toasts';
import { MenuEditor } from './menu-editor';
import { createMenu, MENUS_PATH, type Menu } from './menu-items';

/** The menus of the site, or one of them. */
export default function Menus({ params }: ScreenProps) {
	const language = useContentLanguage();
	const id = params['id'];
	return id === undefined ? <MenuList key={language} /> : <MenuEditor key={`${id} ${language}`} id={Number(id)} />;
}

function MenuList() {
	const language = useContentLanguage();
	const { value, error } = useCollection<Menu>(MENUS_PATH, { context: 'edit', per_page: 100 }, language);
	return (
		<Screen title={t('Menus')}>
			<ErrorNotice error={error} />
			<div className="menu-list">
				<section className="panel" aria-labelledby="menus-heading">
					<h2 id="menus-heading">{t('Menus in this language')}</h2>
					<ul className="plain-list">
						{(value?.items ?? []).map((menu) => (
							<li key={menu.id}>
								<Link to={withContentLanguage(`/menus/${String(menu.id)}`, language)}>{menu.name}</Link>
								<span className="quiet">{menu.locations.join(', ')}</span>
							</li>
						))}
					</ul>
					{value?.items.length === 0 && <p className="quiet">{t('There is none yet.')}</p>}
				</section>
				<NewMenu />
			</div>
		</Screen>
	);
}

function NewMenu() {
	const language = useContentLanguage();
	const [name, setName] = useState('');
	const [error, setError] = useState<unknown>(null);
	const make = async (): Promise<void> => {
		try {
			const menu = await createMenu(name, language);
			showDone(t('The menu is made.'));
			navigate(withContentLanguage(`/menus/${String(menu.id)}`, language));
		} catch (problem) {
			setError(problem);
		}
	};
	return (
		<form
			className="panel"
			onSubmit={(event) => {
				event.preventDefault();
				void make();
			}}
		>
			<h2>{t('A new menu')}</h2>
			<div className="field">
				<label htmlFor="new-menu-name">{t('Name')}</label>
				<input
					id="new-menu-name"
					className="input"
					required
					value={name}
					aria-describedby="new-menu-fault"
					onChange={(event) => setName(event.target.value)}
				/>
				<p id="new-menu-fault" className="field-fault" role="alert">
					{error === null ? '' : describeError(error)}
				</p>
			</div>
			<button type="submit" className="button button-primary">
				{t('Make the menu')}
			</button>
		</form>
	);
}
