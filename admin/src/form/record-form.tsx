import type { Field } from '@wordpress/dataviews';
import { useLayoutEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';

import { request } from '../api/client';
import { getArguments, useDeclaration, type Schema } from '../api/declarations';
import { ErrorNotice } from '../app/error-notice';
import { t } from '../app/i18n';
import { guardNavigation, guardUnload, navigate, useContentLanguage, withContentLanguage } from '../app/router';
import { Screen } from '../app/screen';
import { showDone } from '../app/toasts';
import { readText, type Collection, type Item } from '../list/collection';
import { buildFields } from '../list/fields';
import { ConflictNotice } from './conflict-notice';
import { FormButtons } from './form-buttons';
import { useGuardedRecord } from './guarded-record';
import { MetaFields } from './meta-fields';
import { SchemaForm, useEdits } from './schema-form';

interface Props {
	collection: Collection;
	/** Of the record, `new` for one that is not there yet. */
	id: string;
}

/** The screen of one record: a form of everything that may be written, and saving. */
export function RecordForm({ collection, id }: Props) {
	const language = useContentLanguage();
	const isNew = id === 'new';
	const itemLanguage = collection.multilingual ? language : undefined;
	const { value: declaration } = useDeclaration(collection.path);
	const guarded = useGuardedRecord<Item>(isNew ? null : `${collection.path}/${id}`, { context: 'edit' }, itemLanguage);
	const { record } = guarded;
	const start = useMemo<Item | undefined>(
		() => (isNew ? declaration && buildEmptyItem(collection, getArguments(declaration, 'POST')) : record),
		[isNew, declaration, collection, record],
	);
	const { item, edits, change, clear } = useEdits(start);
	const [error, setError] = useState<unknown>(null);
	const [making, setMaking] = useState(false);
	const saving = making || guarded.saving;
	const changed = Object.keys(edits).length > 0;
	const isOutdated = guarded.findConflict(changed && !isNew);
	useLeaveWarning(changed);

	const fields = useMemo(
		() =>
			declaration?.schema
				? buildFields(collection, declaration.schema.properties, getArguments(declaration, 'GET')).map((one) =>
						requireField(
							one,
							getArguments(declaration, 'POST')[one.id]?.required === true && (isNew || shows(record, one.id)),
						),
					)
				: [],
		[collection, declaration, isNew, record],
	);
	const members = useMemo(
		() => listMembers(collection, declaration ? Object.keys(getArguments(declaration, 'POST')) : [], fields),
		[collection, declaration, fields],
	);
	const listPath = `/records/${collection.name}`;

	const save = async (overwrite = false): Promise<void> => {
		setMaking(isNew);
		try {
			const saved = isNew
				? await request<Item>(collection.path, {
						method: 'POST',
						body: collection.completeNew ? collection.completeNew(edits) : edits,
						...(itemLanguage ? { language: itemLanguage } : {}),
					})
				: await guarded.save(edits, overwrite);
			setError(null);
			if (!saved) {
				return;
			}
			flushSync(clear);
			showDone(t('Saved.'));
			if (isNew) {
				const key = collection.key ?? 'id';
				navigate(withContentLanguage(`${listPath}/${String(saved[key] as string)}`, language), { replace: true });
			}
		} catch (problem) {
			setError(problem);
		} finally {
			setMaking(false);
		}
	};

	const title = isNew
		? `${t('Add')}: ${collection.singular}`
		: item
			? readText(item[collection.titleField]) || collection.singular
			: collection.singular;
	return (
		<Screen
			title={title}
			actions={
				<button type="button" className="button" onClick={() => navigate(withContentLanguage(listPath, language))}>
					{t('Back to the list')}
				</button>
			}
		>
			<ErrorNotice error={guarded.missing} />
			{isOutdated && (
				<ConflictNotice
					savedGmt={(record?.['modified_gmt'] ?? record?.['date_modified_gmt']) as string | undefined}
					saving={saving}
					onTakeTheirs={() => {
						clear();
						guarded.takeTheirs();
					}}
					onKeepMine={() => void save(true)}
				/>
			)}
			{item && members.length > 0 && (
				<form
					className="panel record-form"
					onSubmit={(event) => {
						event.preventDefault();
						void save();
					}}
				>
					<SchemaForm
						fields={fields}
						members={members}
						item={item}
						onChange={change}
						error={error}
						faultMembers={collection.faultMembers}
					/>
					<MetaFields
						schema={declaration?.schema?.properties['meta']}
						stored={record}
						edits={edits}
						onChange={change}
						error={error}
						language={language}
					/>
					<FormButtons changed={changed} saving={saving} ready={(changed || isNew) && !isOutdated} />
				</form>
			)}
		</Screen>
	);
}

/** Return a field as one that has to be filled in, or need not be: what a record has and does not show, may stay as it is. */
function requireField(field: Field<Item>, required: boolean): Field<Item> {
	return { ...field, isValid: { ...field.isValid, required } };
}

function shows(record: Item | undefined, member: string): boolean {
	return record !== undefined && member in record;
}

/** Return a record that is not there yet, with the values that it has where none are sent. */
function buildEmptyItem(collection: Collection, args: Record<string, Schema>): Item {
	const defaults = Object.entries(args).filter(([, schema]) => schema.default !== undefined);
	return {
		...Object.fromEntries(defaults.map(([name, schema]) => [name, schema.default])),
		...collection.start,
		id: '',
	};
}

function listMembers(
	collection: Collection,
	writable: string[],
	fields: { id: string; readOnly?: boolean }[],
): string[] {
	const known = new Set(fields.filter((one) => !one.readOnly).map((one) => one.id));
	const wanted =
		collection.form ?? writable.filter((name) => !['meta', 'translations', 'date_gmt', 'lang'].includes(name));
	return wanted.filter((name) => known.has(name) && (writable.length === 0 || writable.includes(name)));
}

/**
 * Ask before a screen with unsaved changes is left.
 *
 * A screen that leaves by itself once it has saved says so with flushSync before it navigates.
 */
export function useLeaveWarning(changed: boolean): void {
	useLayoutEffect(() => {
		if (!changed) {
			return undefined;
		}
		const stopUnload = guardUnload();
		const stop = guardNavigation(() => window.confirm(t('Leave without saving? What you changed here is lost.')));
		return () => {
			stopUnload();
			stop();
		};
	}, [changed]);
}
