import { useCallback, useEffect, useState } from 'react';

import { buildCondition, getState, request } from '../../api/client';
import { ApiError, describeError } from '../../api/errors';
import { ErrorNotice } from '../../app/error-notice';
import { Dialog } from '../../app/dialog';
import { sprintf, t } from '../../app/i18n';
import { Link } from '../../app/link';
import { navigate, useContentLanguage, withContentLanguage } from '../../app/router';
import { Screen } from '../../app/screen';
import { showDone } from '../../app/toasts';
import { ConflictNotice } from '../../form/conflict-notice';
import { useLeaveWarning } from '../../form/record-form';
import { AddEntries } from './add-entries';
import { EntryList } from './entry-list';
import { loadEntries, MENUS_PATH, saveEntries, type Menu } from './menu-items';
import type { MenuEntry } from './menu-tree';
import { MenuPlaces } from './menu-places';

interface Draft {
	name: string;
	locations: string[];
	entries: MenuEntry[];
}

/** A menu as it was read, and its entries. */
interface LoadedMenu {
	menu: Menu;
	entries: MenuEntry[];
}

let nextKey = 1;

/** The screen of one menu: its entries, its name, its places. */
export function MenuEditor({ id }: { id: number }) {
	const language = useContentLanguage();
	const path = `${MENUS_PATH}/${String(id)}`;
	const [loaded, setLoaded] = useState<LoadedMenu | null>(null);
	const { menu, entries: stored } = loaded ?? {};
	const [isOutdated, setOutdated] = useState(false);
	const [draft, setDraft] = useState<Draft | null>(null);
	const [error, setError] = useState<unknown>(null);
	const [saving, setSaving] = useState(false);
	const [removing, setRemoving] = useState(false);
	const changed = Boolean(menu && draft && stored && !isSame(draft, menu, stored));
	useLeaveWarning(changed && !removing);

	const load = useCallback(async (): Promise<LoadedMenu> => {
		// First the menu: its state is then no newer than the entries that are shown.
		const found = await request<Menu>(path, { query: { context: 'edit' }, language });
		return { menu: found, entries: await loadEntries(id, language) };
	}, [path, id, language]);
	useEffect(() => {
		let left = false;
		load().then(
			(found) => {
				if (!left) {
					setLoaded(found);
				}
			},
			(problem: unknown) => setError(problem),
		);
		return () => {
			left = true;
		};
	}, [load]);
	// Each language has a menu of its own: the switch leads to the one that belongs to this.
	const twin = menu && menu.lang !== language ? menu.translations?.[language]?.id : undefined;
	useEffect(() => {
		if (twin && twin !== id) {
			navigate(withContentLanguage(`/menus/${String(twin)}`, language), { replace: true });
		}
	}, [twin, id, language]);
	const shown: Draft | null =
		draft ?? (menu && stored ? { name: menu.name, locations: menu.locations, entries: stored } : null);

	const save = async (overwrite = false): Promise<void> => {
		if (!shown || !loaded) {
			return;
		}
		setSaving(true);
		try {
			const { menu, entries: before } = overwrite ? await load() : loaded;
			const members = {
				...(shown.name === menu.name ? {} : { name: shown.name }),
				...(shown.locations.join() === menu.locations.join() ? {} : { locations: shown.locations }),
			};
			// Sent even where it changes nothing: it is refused where somebody else has saved the menu or an entry.
			const headers = overwrite ? {} : buildCondition(getState(menu));
			await request(path, { method: 'POST', body: members, language, headers });
			const numbers = await saveEntries(id, before, makeMissingNew(shown.entries, before), language);
			setLoaded(await load());
			setOutdated(false);
			// What was changed meanwhile stays, and an entry that was new then is the one that is stored now.
			setDraft((now) => (now === draft ? null : now && { ...now, entries: now.entries.map(numberEntry(numbers)) }));
			setError(null);
			showDone(t('The menu is saved.'));
		} catch (problem) {
			if (problem instanceof ApiError && problem.isConflict) {
				setOutdated(true);
				return;
			}
			setError(problem);
			setLoaded(await load().catch(() => loaded));
		} finally {
			setSaving(false);
		}
	};
	const takeTheirs = (): void => {
		load().then((found) => {
			setLoaded(found);
			setDraft(null);
			setOutdated(false);
		}, setError);
	};
	return (
		<Screen
			title={shown ? sprintf(t('Menu: %s'), shown.name) : t('Menu')}
			actions={
				<>
					<Link className="button" to={withContentLanguage('/menus', language)}>
						{t('All menus')}
					</Link>
					<button
						type="button"
						className="button button-primary"
						disabled={!changed || saving || isOutdated}
						onClick={() => void save()}
					>
						{saving ? t('Saving …') : t('Save the menu')}
					</button>
				</>
			}
		>
			{error !== null && (
				<p className="notice notice-failed" role="alert">
					{describeError(error)}
				</p>
			)}
			{isOutdated && (
				<ConflictNotice savedGmt={null} saving={saving} onTakeTheirs={takeTheirs} onKeepMine={() => void save(true)} />
			)}
			{shown && (
				<div className="menu-editor">
					<section className="panel" aria-labelledby="menu-entries-heading">
						<h2 id="menu-entries-heading">{t('Entries')}</h2>
						{changed && (
							<p className="quiet" role="status">
								{t('Not saved yet.')}
							</p>
						)}
						<EntryList entries={shown.entries} onChange={(entries) => setDraft({ ...shown, entries })} />
					</section>
					<AddEntries
						language={language}
						onAdd={(added) => {
							const entry = { ...added, key: `new-${String(nextKey++)}`, id: null, depth: 0 };
							setDraft({ ...shown, entries: [...shown.entries, entry] });
							showDone(sprintf(t('%s stands at the end of the menu.'), entry.title));
						}}
					/>
					<section className="panel" aria-labelledby="menu-itself-heading">
						<h2 id="menu-itself-heading">{t('The menu itself')}</h2>
						<div className="field">
							<label htmlFor="menu-name">{t('Name')}</label>
							<input
								id="menu-name"
								className="input"
								value={shown.name}
								onChange={(event) => setDraft({ ...shown, name: event.target.value })}
							/>
						</div>
						<MenuPlaces
							menu={id}
							chosen={shown.locations}
							onChange={(locations) => setDraft({ ...shown, locations })}
						/>
						<button type="button" className="button button-danger" onClick={() => setRemoving(true)}>
							{t('Remove the menu')}
						</button>
					</section>
				</div>
			)}
			{removing && <RemoveMenu path={path} name={shown?.name ?? ''} onClose={() => setRemoving(false)} />}
		</Screen>
	);
}

function RemoveMenu({ path, name, onClose }: { path: string; name: string; onClose: () => void }) {
	const language = useContentLanguage();
	const [error, setError] = useState<unknown>(null);
	const remove = async (): Promise<void> => {
		try {
			await request(path, { method: 'DELETE', query: { force: true } });
			showDone(sprintf(t('%s is removed.'), name));
			navigate(withContentLanguage('/menus', language));
		} catch (problem) {
			setError(problem);
		}
	};
	return (
		<Dialog title={sprintf(t('Remove %s for good?'), name)} onClose={onClose}>
			<p>{t('Its entries go with it; what they lead to stays.')}</p>
			<ErrorNotice error={error} />
			<div className="form-buttons">
				<button type="button" className="button" onClick={onClose}>
					{t('Keep it')}
				</button>
				<button type="button" className="button button-danger" onClick={() => void remove()}>
					{t('Remove for good')}
				</button>
			</div>
		</Dialog>
	);
}

/** Return entries with those as new ones that are stored no more: somebody else has removed them. */
function makeMissingNew(entries: readonly MenuEntry[], stored: readonly MenuEntry[]): MenuEntry[] {
	const known = new Set(stored.map((one) => one.id));
	return entries.map((one) => (known.has(one.id) ? one : { ...one, id: null }));
}

function numberEntry(numbers: Map<string, number>): (entry: MenuEntry) => MenuEntry {
	return (entry) => {
		const id = numbers.get(entry.key);
		return id === undefined ? entry : { ...entry, id, key: String(id) };
	};
}

function isSame(draft: Draft, menu: Menu, entries: readonly MenuEntry[]): boolean {
	return (
		draft.name === menu.name &&
		draft.locations.join() === menu.locations.join() &&
		JSON.stringify(draft.entries) === JSON.stringify(entries)
	);
}
