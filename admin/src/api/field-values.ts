/** Values of members and fields of a record, as they are written into another. */
import type { RouteDeclaration } from './declarations';
import { ApiError } from './errors';

export type Values = Record<string, unknown>;

/** Return the names of a type's fields that can be written, without those of the server itself. */
export function listFieldNames({ schema }: RouteDeclaration): string[] {
	const fields = Object.entries(schema?.properties['meta']?.properties ?? {});
	return fields.filter(([name, one]) => !one.readonly && !name.startsWith('_')).map(([name]) => name);
}

/** Return members of a value by their names, as they are written; those without a value are left out. */
export function pickValues(value: unknown, names: readonly string[]): Values {
	const members = (value ?? {}) as Values;
	return Object.fromEntries(
		names
			.filter((name) => members[name] !== undefined && members[name] !== null)
			.map((name) => [name, toWritten(members[name])]),
	);
}

/** Return a value as it is written: of a text with markup its source, within groups and lists as well. */
export function toWritten(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(toWritten);
	}
	if (typeof value !== 'object' || value === null) {
		return value;
	}
	return 'raw' in value
		? value.raw
		: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toWritten(one)]));
}

/** Write a record with its fields; those that are others' to write are left out. write: sends it with some of them. */
export async function sendAllowedFields<Answer>(
	fields: Values,
	write: (allowed: Values) => Promise<Answer>,
): Promise<Answer> {
	try {
		return await write(fields);
	} catch (error) {
		const refused = error instanceof ApiError && error.status === 403 ? Object.keys(error.params) : [];
		const allowed = Object.entries(fields).filter(([name]) => !refused.includes(`meta.${name}`));
		if (allowed.length === Object.keys(fields).length) {
			throw error;
		}
		return write(Object.fromEntries(allowed));
	}
}
