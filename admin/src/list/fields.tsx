/** Makes the fields of lists and forms from the schema of a collection. */
import type { Field, FieldTypeName, Operator, Option } from '@wordpress/dataviews';

import { getType, type Schema } from '../api/declarations';
import { boot, isMultilingual } from '../app/boot';
import { formatAge, formatTime, parseGmt } from '../app/formats';
import { t } from '../app/i18n';
import { isRenderedText, readText, type Collection, type Item, type Relation } from './collection';
import { describeMember, labelChoice, labelMember } from './labels';
import { describeSearchedField } from './record-search';

/** Members that mean nothing to a person. */
const HIDDEN = new Set([
	'guid',
	'class_list',
	'permalink_template',
	'generated_slug',
	'avatar_urls',
	'_links',
	'capabilities',
	'extra_capabilities',
]);

/**
 * Return the fields of a collection.
 *
 * properties: the schema of its records. args: what its list is called with, which says how it is filtered and ordered.
 */
export function buildFields(
	collection: Collection,
	properties: Record<string, Schema>,
	args: Record<string, Schema>,
): Field<Item>[] {
	const sortable = new Set(args['orderby']?.enum ?? []);
	const added = Object.entries(collection.fields ?? {}).filter(([name]) => !(name in properties));
	const declared = Object.entries(properties)
		.filter(
			([name]) =>
				(!HIDDEN.has(name) || name in (collection.fields ?? {})) &&
				!collection.hiddenFields?.includes(name) &&
				!(name.endsWith('_gmt') && name.slice(0, -4) in properties),
		)
		.map(([name, schema]) => {
			const relation = collection.relations?.[name];
			return {
				...describeField(name, schema, relation),
				enableSorting: sortable.has(collection.orderNames?.[name] ?? name),
				filterBy: describeFilter(name, schema, args),
				enableHiding: name !== collection.titleField,
				...collection.fields?.[name],
			};
		});
	return [
		...declared,
		...(isMultilingual && collection.multilingual ? [describeMissingTranslation()] : []),
		...added.map(([id, field]) => ({ id, enableSorting: false, filterBy: false as const, ...field })),
	];
}

/** The filter of what has no translation; the argument is one of all lists that have languages. */
function describeMissingTranslation(): Field<Item> {
	return {
		id: 'untranslated_in',
		label: t('Not translated into'),
		elements: boot.languages.map(({ code, name }) => ({ value: code, label: name })),
		filterBy: { operators: ['is'] },
		enableSorting: false,
		enableHiding: false,
		enableGlobalSearch: false,
	};
}

function describeField(name: string, schema: Schema, relation: Relation | undefined): Field<Item> {
	const description = describeMember(name, schema);
	const field: Field<Item> = {
		id: name,
		label: labelMember(name, schema),
		type: chooseType(schema),
		readOnly: schema.readonly === true,
		enableGlobalSearch: false,
		isValid: describeRules(schema),
		...(description ? { description } : {}),
	};
	if (relation) {
		return { ...field, ...describeRelation(name, schema, relation) };
	}
	const values = schema.enum ?? schema.items?.enum;
	if (values) {
		const elements: Option[] = values
			.filter((one) => one !== null)
			.map((value) => ({ value, label: labelChoice(name, value) }));
		const label = (value: unknown): string => labelChoice(name, value);
		return { ...field, elements, render: ({ item }) => <>{joinValues(item[name], label)}</> };
	}
	if (schema.format === 'date-time') {
		return { ...field, render: ({ item }) => <TimeCell item={item} name={name} /> };
	}
	if (isRenderedText(schema)) {
		return {
			...field,
			getValue: ({ item }) => readText(item[name]),
			setValue: ({ value }) => ({ [name]: value as unknown }),
			...(name === 'content' || name === 'description' || name === 'excerpt'
				? { Edit: { control: 'textarea', rows: 6 } as const }
				: {}),
		};
	}
	if (name === 'description') {
		return { ...field, Edit: { control: 'textarea', rows: 4 } };
	}
	return field;
}

function chooseType(schema: Schema): FieldTypeName {
	if (schema.format === 'date-time') {
		return 'datetime';
	}
	if (schema.format === 'email') {
		return 'email';
	}
	if (schema.format === 'uri') {
		return 'url';
	}
	const type = getType(schema);
	return type === 'boolean' || type === 'integer' || type === 'number' || type === 'array' ? type : 'text';
}

function describeRules(schema: Schema): NonNullable<Field<Item>['isValid']> {
	return {
		...(schema.required ? { required: true } : {}),
		...(schema.minLength === undefined ? {} : { minLength: schema.minLength }),
		...(schema.maxLength === undefined ? {} : { maxLength: schema.maxLength }),
		...(schema.minimum === undefined ? {} : { min: schema.minimum }),
		...(schema.maximum === undefined ? {} : { max: schema.maximum }),
		elements: false,
	};
}

function describeFilter(
	name: string,
	schema: Schema,
	args: Record<string, Schema>,
): NonNullable<Field<Item>['filterBy']> {
	const argument = args[name];
	let operators: Operator[] = [];
	if (argument) {
		operators = getType(argument) === 'array' || getType(argument) === 'object' ? ['isAny'] : ['is'];
	} else if (name === 'date' && args['after']) {
		operators = ['after', 'before'];
	} else if (name === 'modified' && args['modified_after']) {
		operators = ['after', 'before'];
	}
	const choosable =
		Boolean(schema.enum ?? schema.items?.enum) ||
		getType(schema) === 'boolean' ||
		schema.format === 'date-time' ||
		name === 'status';
	return operators.length ? { operators, isPrimary: choosable && (name === 'status' || name === 'active') } : false;
}

function describeRelation(name: string, schema: Schema, relation: Relation): Partial<Field<Item>> {
	const isList = getType(schema) === 'array';
	return {
		type: isList ? 'array' : 'integer',
		...describeSearchedField({
			path: relation.path,
			query: { _fields: `id,${relation.label}`, ...relation.query },
			required: relation.required === true,
			getName: (one) => readText(one[relation.label]),
		}),
		render: ({ item }) => <>{listRelated(item, name, relation).join(', ')}</>,
	};
}

/** Return the names of the records that a member points at, from what the response embeds. */
function listRelated(item: Item, name: string, relation: Relation): string[] {
	const value = item[name];
	const ids = (Array.isArray(value) ? value : value ? [value] : []) as (string | number)[];
	const embedded = (item['_embedded'] as Record<string, unknown[]> | undefined)?.[relation.embedded ?? name] ?? [];
	const records = embedded.flat() as Item[];
	return ids.map((id) => {
		const found = records.find((one) => one.id === id);
		return found ? readText(found[relation.label]) : `#${String(id)}`;
	});
}

function joinValues(value: unknown, label: (one: unknown) => string): string {
	return (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(label).join(', ');
}

function TimeCell({ item, name }: { item: Item; name: string }) {
	const text = item[`${name}_gmt`] ?? item[name];
	if (typeof text !== 'string' || !text) {
		return null;
	}
	const when = parseGmt(text);
	return (
		<time dateTime={when.toISOString()} title={formatTime(when)}>
			{formatAge(when)}
		</time>
	);
}
