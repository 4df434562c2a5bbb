import type { View } from '@wordpress/dataviews';
import { useState } from 'react';

import { t } from '../app/i18n';
import { showDone, showError } from '../app/toasts';
import type { Collection } from './collection';
import { useSavedViews } from './saved-views';

interface Props {
	collection: Collection;
	/** Name of the view that is shown. */
	preset: string;
	view: View;
	/** saved: what a saved view holds, null for one of the collection's own. */
	onChoose: (name: string, saved: View | null) => void;
}

/** The views of a list: the collection's, the person's own, and how to save one. */
export function ViewTabs({ collection, preset, view, onChoose }: Props) {
	const { views, save } = useSavedViews(collection.name);
	const [naming, setNaming] = useState(false);
	const [name, setName] = useState('');
	const presets = collection.presets ?? [];
	const changed =
		Boolean(view.search) ||
		Boolean(view.filters?.length) ||
		view.type !== (collection.grid === 'first' ? 'grid' : 'table');

	const store = (): void => {
		const own = { name: name.trim(), preset, view: { ...view, page: 1 } };
		if (own.name) {
			save([...views.filter((one) => one.name !== own.name), own]).then(() => {
				setNaming(false);
				setName('');
				showDone(t('The view is saved.'));
			}, showError);
		}
	};
	const remove = (gone: string): void => {
		save(views.filter((one) => one.name !== gone)).then(
			() => showDone(t('The view is removed.'), () => save(views)),
			showError,
		);
	};
	if (presets.length < 2 && !views.length && !changed) {
		return null;
	}
	return (
		<div className="view-tabs">
			<nav aria-label={t('Views')}>
				{presets.map((one) => (
					<button
						key={one.name}
						type="button"
						aria-current={one.name === preset ? 'true' : undefined}
						onClick={() => onChoose(one.name, null)}
					>
						{one.label}
					</button>
				))}
				{views.map((one) => (
					<span key={one.name} className="saved-view">
						<button type="button" onClick={() => onChoose(one.preset, one.view)}>
							{one.name}
						</button>
						<button type="button" aria-label={`${t('Remove view')}: ${one.name}`} onClick={() => remove(one.name)}>
							×
						</button>
					</span>
				))}
			</nav>
			{changed &&
				(naming ? (
					<form
						onSubmit={(event) => {
							event.preventDefault();
							store();
						}}
					>
						<label>
							<span className="visually-hidden">{t('Name of the view')}</span>
							<input
								value={name}
								maxLength={60}
								placeholder={t('Name of the view')}
								onChange={(event) => setName(event.target.value)}
							/>
						</label>
						<button type="submit" className="button">
							{t('Save')}
						</button>
					</form>
				) : (
					<button type="button" className="button" onClick={() => setNaming(true)}>
						{t('Save this view')}
					</button>
				))}
		</div>
	);
}
