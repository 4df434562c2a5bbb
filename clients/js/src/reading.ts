// What every read may be told: context, fields, embedded records, language; and the types of what is then answered.

import type { Names } from "./names.js";
import type { Query, QueryValue } from "./query.js";

/** What every read takes. fields: as `title.rendered`. embed: linked records to include, all or by their relations. */
export interface ReadOptions {
  readonly context?: "view" | "embed" | "edit";
  readonly fields?: readonly string[];
  readonly embed?: boolean | readonly string[];
  readonly language?: string;
}

/** A read of one record. */
export type ReadQuery = ReadOptions & { readonly [parameter: string]: QueryValue };

/** A list: how its pages are cut, and its filters. */
export type ListQuery = ReadOptions & {
  readonly per_page?: number;
  readonly search?: string;
  readonly order?: "asc" | "desc";
  readonly orderby?: string;
  readonly page?: never;
} & { readonly [filter: string]: QueryValue };

type Head<F> = F extends `${infer First}.${string}` ? First : F;

/** A record with the members that a read chooses by `fields`. */
export type Selected<T, Q> = Q extends { readonly fields: readonly (infer F)[] }
  ? string extends F
    ? Partial<T>
    : Pick<T, Head<F> & keyof T>
  : T;

/** Return the parameters of a read. */
export function buildReadQuery(names: Names, query: ReadQuery): Query {
  const { context, fields, embed, language, ...rest } = query;
  const relations = Array.isArray(embed)
    ? embed.map((relation) => String(relation).replace(/^cms:/, names.relation)).join(",")
    : "1";
  return {
    context,
    [names.language]: language,
    _fields: fields?.join(","),
    _embed: embed && relations ? relations : undefined,
    ...rest,
  };
}
