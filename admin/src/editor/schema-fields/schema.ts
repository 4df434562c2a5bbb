/** What follows for a control from what the interface declares of its value. */
import { getType, type Schema } from '../../api/declarations';
import { t } from '../../app/i18n';

/** What a control is given. path: the name by which the interface names its faults, `meta.steps[2].minutes`. */
export interface FieldProps {
	path: string;
	label: string;
	schema: Schema;
	value: unknown;
	onChange: (value: unknown) => void;
	errors: Readonly<Record<string, string>>;
	/** Language of what relations and files are chosen from. */
	language: string;
}

/** Members of `meta` that the site keeps for itself; the last two say which hints an account has put off. */
const INTERNAL =
	/^(_.*|footnotes|persisted_preferences|wp_pattern_sync_status|woocommerce_.*_(tour_hidden|banner_dismissed))$/;

export function isNullable(schema: Schema): boolean {
	return [schema.type ?? []].flat().includes('null');
}

/** Return whether a value has a raw and a rendered text, as contents have; it is written as a text. */
export function isMarkup(schema: Schema): boolean {
	return getType(schema) === 'object' && Boolean(schema.properties?.['raw'] && schema.properties['rendered']);
}

/** Return what a value of a choice is called. */
export function labelChoice(schema: Schema, value: string): string {
	return schema['x-labels']?.[value] ?? value;
}

/** Return the members of an object that a person writes. */
export function listWritable(schema: Schema | undefined): [string, Schema][] {
	return Object.entries(schema?.properties ?? {}).filter(([name, one]) => !one.readonly && !INTERNAL.test(name));
}

/** Return what a member is called: its title, else its name in words. */
export function getLabel(name: string, schema: Schema): string {
	const words = name.replaceAll(/[_-]+/g, ' ');
	return schema.title || words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

/** Return the sentence beneath a control; the interface repeats the label where there is none. */
export function getHelp(name: string, schema: Schema): string {
	const text = schema.description ?? '';
	const required = 'Required to publish.';
	const said = text.replace(required, '').trim();
	const own = said === name || said === schema.title ? '' : said;
	return [own, text.includes(required) ? t('Required to publish.') : ''].filter(Boolean).join(' ');
}

/** Return the value that a new item of a list begins with. */
export function buildEmptyValue(schema: Schema | undefined): unknown {
	switch (schema && getType(schema)) {
		case 'object':
			return {};
		case 'array':
			return [];
		case 'boolean':
			return false;
		case 'string':
			return '';
		default:
			return null;
	}
}
