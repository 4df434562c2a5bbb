/** Columns of a file of products for attributes: each has some of its own, `Attribute 1 name`, `Attribute 1 value(s)` … */
import { decodeEntities } from '@wordpress/html-entities';

import { sprintf, t } from '../../app/i18n';
import { joinList, splitList, unguardCell } from '../catalogue/csv';
import type { Product, ProductAttribute } from '../catalogue/product';
import type { Column, NameTables } from './columns';

/** What the cells of a row say of one attribute; undefined where they say nothing. */
interface AttributeCells {
	name: string;
	values: string[];
	visible?: boolean;
	global?: boolean;
	variation?: boolean;
	standard?: string;
}

export type CellReader<Value> = (cell: string) => Value;

/** Where the cells of attributes are kept until the whole row is read. */
const CELLS = 'attribute cells';
const NUMBERED = /^attribute (\d+) /;
const OFFERED = 3;

/** Return how many attributes the headings of a file have columns for; a few are offered at least. */
export function countAttributes(headings: string[]): number {
	return Math.max(OFFERED, ...headings.map((one) => Number(NUMBERED.exec(one.trim().toLowerCase())?.[1] ?? 0)));
}

/** Return the columns of some attributes. readYesOrNo: of a cell that is one of both. */
export function listAttributeColumns(count: number, readYesOrNo: CellReader<boolean>): Column[] {
	return Array.from({ length: count }, (_, index) => describeAttribute(index + 1, readYesOrNo)).flat();
}

function describeAttribute(number: number, readYesOrNo: CellReader<boolean>): Column[] {
	const flag = (cell: string): boolean | undefined => (cell === '' ? undefined : readYesOrNo(cell));
	const column = (
		part: keyof AttributeCells,
		label: string,
		alias: string,
		read: CellReader<unknown>,
		write: (one: ProductAttribute, product: Product) => string,
	): Column => ({
		member: `attribute_${String(number)}_${part}`,
		label: sprintf(label, number),
		aliases: [`attribute ${String(number)} ${alias}`],
		read: (cell, body) => {
			const value = read(unguardCell(cell).trim());
			const all = (body[CELLS] ??= {}) as Record<number, AttributeCells>;
			const own = (all[number] ??= { name: '', values: [] });
			if (value !== undefined) {
				Object.assign(own, { [part]: value });
			}
		},
		write: (product) => {
			const one = product.attributes[number - 1];
			return one ? write(one, product) : '';
		},
	});
	const ofProducts = (text: (one: ProductAttribute, product: Product) => string) => {
		return (one: ProductAttribute, product: Product): string =>
			product.type === 'variation' ? '' : text(one, product);
	};
	return [
		/* translators: %d: which attribute of a product */
		column('name', t('Attribute %d name'), 'name', String, (one) => decodeEntities(one.name)),
		column('values', t('Attribute %d value(s)'), 'value(s)', splitList, (one) =>
			joinList(one.options.map((value) => decodeEntities(value))),
		),
		column(
			'visible',
			t('Attribute %d visible'),
			'visible',
			flag,
			ofProducts((one) => (one.visible ? '1' : '0')),
		),
		column('global', t('Attribute %d global'), 'global', flag, (one) => (one.id ? '1' : '0')),
		column(
			'variation',
			t('Attribute %d for variations'),
			'for variations',
			flag,
			ofProducts((one) => (one.variation ? '1' : '0')),
		),
		column(
			'standard',
			t('Attribute %d default'),
			'default',
			(cell) => cell,
			ofProducts(({ id, name }, product) =>
				decodeEntities(
					product.default_attributes?.find((one) => (id ? one.id === id : one.name === name))?.option ?? '',
				),
			),
		),
	];
}

/** What is sent of an attribute: its number where it is one of the shop, and its name. */
interface SentAttribute {
	id?: number;
	name: string;
}

/**
 * Return the attributes that the cells of a row name, and take the cells out of its body.
 *
 * Null where the file has no such columns. faults: by column, to which it adds.
 */
export function takeAttributes(
	body: Record<string, unknown>,
	names: NameTables,
	faults: Record<string, string>,
): (AttributeCells & { sent: SentAttribute })[] | null {
	const all = body[CELLS] as Record<number, AttributeCells> | undefined;
	body[CELLS] = undefined;
	if (!all) {
		return null;
	}
	return Object.entries(all).flatMap(([number, cells]) => {
		const member = `attribute_${number}_name`;
		if (!cells.name) {
			if (cells.values.length) {
				faults[member] ??= t('These values need the name of their attribute.');
			}
			return [];
		}
		const wanted = cells.name.toLowerCase();
		const known =
			cells.global === false ? undefined : names.attributes.find((one) => one.name.toLowerCase() === wanted);
		if (cells.global && !known) {
			faults[member] ??= `${t('There is no such name:')} ${cells.name}`;
		}
		return [{ ...cells, sent: { ...(known ? { id: known.id } : {}), name: cells.name } }];
	});
}

/** Return what is sent of the attributes of a product. isOfVariations: whether its variations differ in one of a name. */
export function buildAttributes(
	attributes: (AttributeCells & { sent: SentAttribute })[],
	isOfVariations: (name: string) => boolean,
): Record<string, unknown> {
	return {
		attributes: attributes.map(({ sent, values, visible, variation }, position) => ({
			...sent,
			position,
			visible: visible ?? true,
			variation: variation ?? isOfVariations(sent.name.toLowerCase()),
			options: values,
		})),
		...(attributes.some((one) => one.standard !== undefined)
			? {
					default_attributes: attributes.flatMap(({ sent, standard }) =>
						standard ? [{ ...sent, option: standard }] : [],
					),
				}
			: {}),
	};
}
