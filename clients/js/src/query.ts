// Query parameters as the interface reads them: lists and objects in brackets, booleans as words.
// `{a: [1, 2], b: {c: true}}` is `a[0]=1&a[1]=2&b[c]=true`. What is undefined or null is left out; an empty list is
// sent as an empty text, which the interface reads as one.

export type QueryScalar = string | number | bigint | boolean | Date;
export type QueryValue =
  QueryScalar | null | undefined | readonly QueryValue[] | { readonly [name: string]: QueryValue };
export type Query = Readonly<Record<string, QueryValue>>;
export type Pair = readonly [name: string, text: string];

/** Return parameters as pairs of name and text, in order. Throws a TypeError for what cannot be a parameter. */
export function listPairs(query: Query): Pair[] {
  return Object.entries(query).flatMap(([name, value]) => flatten(name, value));
}

function flatten(name: string, value: unknown): Pair[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    if (value.length === 0) return [[name, ""]];
    return value.flatMap((inner: unknown, at) => flatten(`${name}[${at}]`, inner));
  }
  if (typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.entries(value).flatMap(([key, inner]) => flatten(`${name}[${key}]`, inner));
  }
  return [[name, formatValue(value)]];
}

/** Return one value as text. Throws a TypeError for what has none. */
export function formatValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (value instanceof Date) return formatDate(value);
  throw new TypeError(`${String(value)} cannot be a parameter; send texts, numbers, booleans, dates, lists or objects`);
}

/** Return a moment as the interface writes one: in whole seconds, with its offset. */
export function formatDate(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "+00:00");
}

/** Return a value as JSON, with dates as `formatDate` writes them. Throws a TypeError for a number that JSON lacks. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, inner: unknown) {
    // Dates arrive here as their own text; the holder still has them.
    const original = this[key];
    if (original instanceof Date) return formatDate(original);
    if (typeof inner === "number" && !Number.isFinite(inner))
      throw new TypeError(`${key}: ${inner} is no number of JSON`);
    return inner;
  });
}
