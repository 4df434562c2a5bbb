import type { Schema } from '../api/declarations';
import { ApiError } from '../api/errors';
import { t } from '../app/i18n';
import { buildStartValues, listOwnFields, OwnFields } from '../editor/schema-fields/own-fields';
import type { Item } from '../list/collection';

interface Props {
	/** What is declared of the member `meta`. */
	schema: Schema | undefined;
	/** The record as it is stored; none while it is made. */
	stored: Item | undefined;
	edits: Partial<Item>;
	onChange: (changes: Partial<Item>) => void;
	error: unknown;
	language: string;
	/** Whether the form has nothing else, so that the fields need no heading. */
	whole?: boolean;
}

/** The part of a form with the fields that the profile declares; nothing where it declares none. */
export function MetaFields({ schema, stored, edits, onChange, error, language, whole = false }: Props) {
	const changed = edits['meta'] as Record<string, unknown> | undefined;
	const before = stored ? (stored['meta'] as Record<string, unknown> | undefined) : buildStartValues(schema);
	const value = { ...before, ...changed };
	if (listOwnFields(schema, value).length === 0) {
		return null;
	}
	return (
		<section className="meta-fields" aria-label={t('Fields')}>
			{!whole && <h2>{t('Fields')}</h2>}
			<OwnFields
				schema={schema}
				value={value}
				onChange={(name, next) => onChange({ meta: { ...changed, [name]: next } })}
				error={error}
				faults={error instanceof ApiError ? error.params : NO_FAULTS}
				language={language}
			/>
		</section>
	);
}

const NO_FAULTS = {};
