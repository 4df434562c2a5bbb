/** What `OPTIONS` says of a route: the arguments of its methods, and the schema of its records. */
import { send } from './client';
import { useOptions, type Loaded } from './collections';

/** What the interface declares of a value (JSON Schema). */
export interface Schema {
	type?: string | string[];
	title?: string;
	description?: string;
	format?: string;
	enum?: (string | number | null)[];
	items?: Schema;
	properties?: Record<string, Schema>;
	additionalProperties?: boolean | Schema;
	readonly?: boolean;
	required?: boolean;
	default?: unknown;
	minimum?: number;
	maximum?: number;
	minLength?: number;
	maxLength?: number;
	maxItems?: number;
	context?: string[];
	/** What a number names: `file`, `image`, a content type, a taxonomy or `user`. */
	'x-refers-to'?: string;
	/** What the values of `enum` are called. */
	'x-labels'?: Record<string, string>;
	/** What kind of markup a text is: `rich_text` or `blocks`. */
	'x-markup'?: 'rich_text' | 'blocks';
	/** Whether all translations have one value. */
	'x-shared'?: boolean;
}

export interface RouteDeclaration {
	methods: string[];
	endpoints: { methods: string[]; args: Record<string, Schema> }[];
	schema?: { title: string; properties: Record<string, Schema> };
}

export function useDeclaration(path: string | null): Loaded<RouteDeclaration> {
	return useOptions<RouteDeclaration>(path);
}

/** Fetch what `OPTIONS` says of a route, outside of a component. */
export async function fetchDeclaration(path: string): Promise<RouteDeclaration> {
	return (await (await send(path, { method: 'OPTIONS' })).json()) as RouteDeclaration;
}

/** Return the arguments with which a route is called, empty where the person may not. */
export function getArguments(declaration: RouteDeclaration, method: 'GET' | 'POST'): Record<string, Schema> {
	return declaration.endpoints.find((one) => one.methods.includes(method))?.args ?? {};
}

/** Return the one type of a schema, without null. */
export function getType(schema: Schema): string {
	const types = (Array.isArray(schema.type) ? schema.type : [schema.type ?? 'string']).filter((one) => one !== 'null');
	return types.includes('object') ? 'object' : (types[0] ?? 'string');
}
