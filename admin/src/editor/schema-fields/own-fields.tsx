import { useState } from 'react';

import type { Schema } from '../../api/declarations';
import { SchemaFields } from '.';
import { listWritable } from './schema';

interface Props {
	/** Of the member `meta`. */
	schema: Schema | undefined;
	/** Values as they are stored, with what was changed since; a field that is missing is not for this person. */
	value: Readonly<Record<string, unknown>>;
	onChange: (name: string, value: unknown) => void;
	/** The last refusal. */
	error: unknown;
	/** What it says of each value, by its name (`meta.steps[2].minutes`). */
	faults: Readonly<Record<string, string>>;
	language: string;
}

/** Controls for the fields that the profile declares, with what the server says of each. */
export function OwnFields({ schema, value, onChange, error, faults, language }: Props) {
	// What was changed since the refusal is no longer said to be wrong.
	const [mended, setMended] = useState<{ error: unknown; names: string[] }>({ error: null, names: [] });
	const names = mended.error === error ? mended.names : [];
	const isMended = (path: string): boolean => names.some((name) => path.split(/[.[]/)[1] === name);
	return (
		<SchemaFields
			path="meta"
			schema={{ properties: Object.fromEntries(listOwnFields(schema, value)) }}
			value={value}
			onChange={(name, next) => {
				setMended({ error, names: [...names, name] });
				onChange(name, next);
			}}
			errors={Object.fromEntries(Object.entries(faults).filter(([path]) => !isMended(path)))}
			language={language}
		/>
	);
}

/** Return the fields that a person writes of a record; what they may not read is missing in its values. */
export function listOwnFields(
	schema: Schema | undefined,
	value: Readonly<Record<string, unknown>> | undefined,
): [string, Schema][] {
	return listWritable(schema).filter(([name]) => value !== undefined && name in value);
}

/** Return the values that a record begins with. */
export function buildStartValues(schema: Schema | undefined): Record<string, unknown> {
	return Object.fromEntries(listWritable(schema).map(([name, one]) => [name, one.default ?? null]));
}
