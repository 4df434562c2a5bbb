import { useState } from 'react';

import { request } from '../../api/client';
import { ErrorNotice } from '../../app/error-notice';
import { sprintf, t } from '../../app/i18n';
import { navigate } from '../../app/router';
import { Screen } from '../../app/screen';
import { showDone, showError } from '../../app/toasts';
import { ConflictNotice } from '../../form/conflict-notice';
import { useGuardedRecord } from '../../form/guarded-record';
import { CheckInput, SelectInput, TextInput } from '../../form/inputs';
import { dropSaved } from '../../form/schema-form';
import { sendBatch } from '../../list/batches';
import { useSmallCollection } from '../catalogue/all-items';
import { PRODUCTS } from '../catalogue/product';

export interface Attribute {
	id: number;
	name: string;
	slug: string;
	order_by: string;
	has_archives: boolean;
}

interface AttributeTerm {
	id: number;
	name: string;
	slug: string;
	menu_order: number;
	count: number;
}

export const ATTRIBUTES = `${PRODUCTS}/attributes`;

/** One attribute: what it is called, and its values in their order. */
export function AttributeScreen({ id }: { id: string }) {
	const path = `${ATTRIBUTES}/${id}`;
	const guarded = useGuardedRecord<Attribute>(path);
	const { record: attribute, saving } = guarded;
	const [edits, setEdits] = useState<Partial<Attribute>>({});
	const [error, setError] = useState<unknown>(null);
	const shown = attribute && { ...attribute, ...edits };
	const change = (changes: Partial<Attribute>): void => setEdits((before) => ({ ...before, ...changes }));
	const isOutdated = guarded.findConflict(Object.keys(edits).length > 0);
	const save = async (overwrite = false): Promise<void> => {
		try {
			const saved = await guarded.save(edits, overwrite);
			setError(null);
			if (saved) {
				setEdits((now) => dropSaved(now, edits));
				showDone(t('The attribute is saved.'));
			}
		} catch (problem) {
			setError(problem);
		}
	};
	const remove = (): void => {
		if (window.confirm(t('Remove this attribute? Products lose their values of it.'))) {
			sendBatch([{ method: 'DELETE', path, query: { force: true }, seen: attribute }]).then(() => {
				showDone(t('The attribute is removed.'));
				navigate('/attributes');
			}, showError);
		}
	};
	return (
		<Screen
			title={attribute?.name ?? t('Attribute')}
			actions={
				<button type="button" className="button" onClick={() => navigate('/attributes')}>
					{t('Back to the list')}
				</button>
			}
		>
			<ErrorNotice error={guarded.missing} />
			<ErrorNotice error={error} />
			{isOutdated && (
				<ConflictNotice
					savedGmt={null}
					saving={saving}
					onTakeTheirs={() => {
						setEdits({});
						guarded.takeTheirs();
					}}
					onKeepMine={() => void save(true)}
				/>
			)}
			{shown && (
				<form
					className="panel record-form"
					onSubmit={(event) => {
						event.preventDefault();
						void save();
					}}
				>
					<TextInput label={t('Name')} required value={shown.name} onChange={(name) => change({ name })} />
					<TextInput label={t('Slug')} value={shown.slug} onChange={(slug) => change({ slug })} />
					<SelectInput
						label={t('Order of its values')}
						value={shown.order_by}
						options={[
							{ value: 'menu_order', label: t('As below') },
							{ value: 'name', label: t('By name') },
							{ value: 'name_num', label: t('By number') },
							{ value: 'id', label: t('As they were made') },
						]}
						onChange={(order) => change({ order_by: order })}
					/>
					<CheckInput
						label={t('Each value has a page of its products')}
						checked={shown.has_archives}
						onChange={(checked) => change({ has_archives: checked })}
					/>
					<div className="form-buttons">
						<button
							type="submit"
							className="button button-primary"
							disabled={Object.keys(edits).length === 0 || saving}
						>
							{t('Save')}
						</button>
						<button type="button" className="button" onClick={remove}>
							{t('Remove')}
						</button>
					</div>
				</form>
			)}
			{attribute && <TermList path={`${path}/terms`} />}
		</Screen>
	);
}

/** The values of an attribute: renamed, moved and removed in place. */
function TermList({ path }: { path: string }) {
	const { value, error } = useSmallCollection<AttributeTerm>(path);
	const [name, setName] = useState('');
	const [renamed, setRenamed] = useState<Record<number, string>>({});
	const terms = [...(value ?? [])].sort((one, other) => one.menu_order - other.menu_order || one.id - other.id);

	const add = async (): Promise<void> => {
		await request(path, { method: 'POST', body: { name: name.trim(), menu_order: terms.length } });
		setName((now) => (now === name ? '' : now));
	};
	const move = async (from: number, to: number): Promise<void> => {
		const moved = terms[from];
		if (moved && to >= 0 && to < terms.length) {
			const rest = terms.filter((one) => one !== moved);
			const next = [...rest.slice(0, to), moved, ...rest.slice(to)];
			const parts = next.map((one, order) => ({
				method: 'POST',
				path: `${path}/${String(one.id)}`,
				body: { menu_order: order },
				seen: one,
			}));
			await sendBatch(parts.filter(({ body, seen }) => body.menu_order !== seen.menu_order));
		}
	};
	const rename = async (term: AttributeTerm): Promise<void> => {
		const next = renamed[term.id]?.trim();
		if (next && next !== term.name) {
			// A new name alone would put the value to the front.
			const body = { name: next, menu_order: term.menu_order };
			await sendBatch([{ method: 'POST', path: `${path}/${String(term.id)}`, body, seen: term }]);
			showDone(t('The value is renamed.'));
		}
		setRenamed((now) => dropSaved(now, { [term.id]: renamed[term.id] ?? '' }));
	};
	const remove = async (term: AttributeTerm): Promise<void> => {
		if (window.confirm(sprintf(t('Remove the value %s?'), term.name))) {
			await sendBatch([{ method: 'DELETE', path: `${path}/${String(term.id)}`, query: { force: true }, seen: term }]);
			showDone(t('The value is removed.'));
		}
	};
	return (
		<section className="panel record-form" aria-labelledby="attribute-values">
			<h2 id="attribute-values">{t('Values')}</h2>
			<ErrorNotice error={error} />
			<ul className="plain-list">
				{terms.map((one, index) => (
					<li key={one.id}>
						<input
							className="input term-name"
							aria-label={`${t('Name')}: ${one.name}`}
							value={renamed[one.id] ?? one.name}
							onChange={(event) => setRenamed({ ...renamed, [one.id]: event.target.value })}
							onBlur={() => void rename(one).catch(showError)}
						/>
						<span className="picture-buttons">
							<button
								type="button"
								className="button button-small"
								aria-label={`${t('Move up')}: ${one.name}`}
								aria-disabled={index === 0}
								onClick={() => void move(index, index - 1).catch(showError)}
							>
								↑
							</button>
							<button
								type="button"
								className="button button-small"
								aria-label={`${t('Move down')}: ${one.name}`}
								aria-disabled={index === terms.length - 1}
								onClick={() => void move(index, index + 1).catch(showError)}
							>
								↓
							</button>
							<button
								type="button"
								className="button button-small"
								aria-label={`${t('Remove')}: ${one.name}`}
								onClick={() => void remove(one).catch(showError)}
							>
								×
							</button>
						</span>
					</li>
				))}
			</ul>
			<form
				className="add-line"
				onSubmit={(event) => {
					event.preventDefault();
					void add().catch(showError);
				}}
			>
				<label className="field">
					<span>{t('New value')}</span>
					<input className="input" value={name} onChange={(event) => setName(event.target.value)} />
				</label>
				<button type="submit" className="button" disabled={name.trim() === ''}>
					{t('Add')}
				</button>
			</form>
		</section>
	);
}
