// What may be written of the main collections. Members of modules and profiles go beside these.

/** Members of a record as they are written. */
export type Values = Readonly<Record<string, unknown>>;

export type TextValue = string | { readonly raw: string };

/** Of a post, a page, or a record of a site's own type. */
export interface PostValues {
  readonly title?: TextValue;
  readonly content?: TextValue;
  readonly excerpt?: TextValue;
  readonly status?: "publish" | "future" | "draft" | "pending" | "private" | (string & {});
  readonly slug?: string;
  readonly date?: string | Date | null;
  readonly date_gmt?: string | Date | null;
  readonly author?: number;
  readonly featured_media?: number;
  readonly categories?: readonly number[];
  readonly tags?: readonly number[];
  readonly meta?: Values;
  readonly lang?: string;
  readonly translations?: Readonly<Record<string, number>>;
  readonly [member: string]: unknown;
}

/** Of a category, a tag, or a term of a site's own taxonomy. */
export interface TermValues {
  readonly name?: string;
  readonly slug?: string;
  readonly description?: string;
  readonly parent?: number;
  readonly meta?: Values;
  readonly [member: string]: unknown;
}

/** Of an uploaded file. */
export interface MediaValues {
  readonly title?: TextValue;
  readonly caption?: TextValue;
  readonly description?: TextValue;
  readonly alt_text?: string;
  readonly post?: number;
  readonly [member: string]: unknown;
}

/** Of an account. */
export interface AccountValues {
  readonly username?: string;
  readonly email?: string;
  readonly password?: string;
  readonly name?: string;
  readonly roles?: readonly string[];
  readonly [member: string]: unknown;
}
