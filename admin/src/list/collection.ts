/** What a list and a form know of a collection beyond what the interface declares. */
import type { Action, Field } from '@wordpress/dataviews';

import type { Query } from '../api/client';
import type { Schema } from '../api/declarations';
import type { BatchPart } from './batches';

/** A record as the interface sends it. */
export interface Item {
	id: number | string;
	[name: string]: unknown;
}

/** One of the views that a list offers beside the person's own. */
export interface PresetView {
	name: string;
	label: string;
	query: Query;
	/** What it says where it has nothing. */
	empty?: string;
}

export interface Collection {
	/** Its name in addresses and in what is stored of the person's views. */
	name: string;
	/** Its route, `/wp/v2/posts`. */
	path: string;
	title: string;
	singular: string;
	/** The member by which a record is known. */
	titleField: string;
	mediaField?: string;
	/** The columns shown at first. */
	columns: string[];
	/** Members that the form shows, in this order; every one that can be written where it is left out. */
	form?: string[];
	/** What a new record has as long as nothing else is chosen: what the interface gives it. */
	start?: Partial<Item>;
	/** Return what is sent for a new record, by what was filled in; that alone where it is left out. */
	completeNew?: (edits: Partial<Item>) => Record<string, unknown>;
	/** Parameters of every request. */
	query?: Query;
	presets?: PresetView[];
	/** Members whose values are other records: where those are. */
	relations?: Record<string, Relation>;
	/** Fields that are shown otherwise than their schema says. */
	fields?: Record<string, Partial<Field<Item>>>;
	actions?: Action<Item>[];
	sort?: { field: string; direction: 'asc' | 'desc' };
	/** Whether it can be shown as a grid; `first` where that is how it is shown at first. */
	grid?: boolean | 'first';
	/** What a filter asks for, where that is no argument of the same name. */
	filterQueries?: Record<string, (value: unknown, operator: string) => Query>;
	/** The order (`orderby`) of a member, where that has another name. */
	orderNames?: Record<string, string>;
	/** Sends the writes of its actions, where its records do not go into the batch of the content. */
	send?: (parts: BatchPart[]) => Promise<unknown[]>;
	/** Whether each language has records of its own. */
	multilingual?: boolean;
	/** The member that names a record in addresses; `id` where it is left out. */
	key?: string;
	/** Path of the screen where a record is changed, null where there is none. */
	getItemPath: (item: Item) => string | null;
	/** Path of the screen where a record is made, null where the person may not. */
	addPath: string | null;
	/** What an empty list says: what to do first. */
	empty?: string;
	/** Whether removing puts into the trash. */
	hasTrash?: boolean;
	/** What a record is once it is out of the trash, and what is said of it; a draft where it is left out. */
	restored?: { status: string; text: string };
	/** The member that a refusal means, by the code of one that names none. */
	faultMembers?: Record<string, string>;
	/** Whether a record can be removed for good; every one where it is left out. */
	canRemove?: (item: Item) => boolean;
	/** Members that the list does not offer as columns. */
	hiddenFields?: string[];
	/** Parameters of a removal for good. */
	removeQuery?: Query;
}

export interface Relation {
	path: string;
	/** Member of the related record that is its name. */
	label: string;
	query?: Query;
	/** Whether a record always has one, so that it is changed and not taken away. */
	required?: boolean;
	/** Where `_embedded` has the related records. */
	embedded?: string;
}

/** Return a text of a record that may come as `{raw, rendered}`. */
export function readText(value: unknown): string {
	if (value && typeof value === 'object') {
		const { raw, rendered } = value as { raw?: unknown; rendered?: unknown };
		return typeof raw === 'string' ? raw : typeof rendered === 'string' ? stripMarkup(rendered) : '';
	}
	return value === null || value === undefined ? '' : String(value as string | number);
}

/** Return markup as text. */
export function stripMarkup(html: string): string {
	return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';
}

/** Return whether a member of a record is a text with a raw and a rendered form. */
export function isRenderedText(schema: Schema): boolean {
	return Boolean(schema.properties?.['raw'] ?? schema.properties?.['rendered']);
}
