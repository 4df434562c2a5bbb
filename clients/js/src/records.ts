// The records of the main collections, as they come. What `context` or a module decides may be missing, and a later
// version of the interface may add members. Money is text, never a number.

/** A rendered text, and in the context `edit` its raw source. */
export interface RenderedText {
  rendered: string;
  raw?: string;
  protected?: boolean;
}

/** The same content in another language. */
export interface Translation {
  id: number;
  status: string;
  link: string;
}

interface Linked {
  _links?: Record<string, { href: string; embeddable?: boolean; [member: string]: unknown }[]>;
}

/** A post, a page, or a record of a site's own type; Meta: its own fields. */
export interface Post<Meta = Record<string, unknown>> extends Linked {
  id: number;
  date: string | null;
  date_gmt: string | null;
  modified: string;
  modified_gmt: string;
  guid: RenderedText;
  slug: string;
  status: string;
  type: string;
  link: string;
  title: RenderedText;
  content: RenderedText;
  excerpt?: RenderedText;
  author?: number;
  featured_media?: number;
  comment_status?: string;
  ping_status?: string;
  sticky?: boolean;
  template: string;
  format?: string;
  parent?: number;
  menu_order?: number;
  meta: Meta;
  categories?: number[];
  tags?: number[];
  class_list?: string[];
  password?: string;
  permalink_template?: string;
  generated_slug?: string;
  lang?: string;
  translations?: Record<string, Translation>;
  _embedded?: Embedded;
}

/** What `embed` puts beside a record, by relation. A record that the caller may not see is an `EmbeddedError`. */
export interface Embedded {
  author?: (Account | EmbeddedError)[];
  up?: (Post | EmbeddedError)[];
  replies?: (Comment | EmbeddedError)[][];
  "cms:featuredmedia"?: (Media | EmbeddedError)[];
  "wp:featuredmedia"?: (Media | EmbeddedError)[];
  "cms:term"?: (Term | EmbeddedError)[][];
  "wp:term"?: (Term | EmbeddedError)[][];
  [relation: string]: unknown[] | undefined;
}

export interface EmbeddedError {
  code: string;
  message: string;
  data: { status: number };
}

/** An earlier state of a record, or an autosave of it. */
export interface Revision {
  id: number;
  parent: number;
  author: number;
  date: string;
  date_gmt: string;
  modified: string;
  modified_gmt: string;
  slug: string;
  guid?: RenderedText;
  title: RenderedText;
  content: RenderedText;
  excerpt?: RenderedText;
  meta?: Record<string, unknown>;
}

/** One size of a picture. */
export interface MediaSize {
  file: string;
  width: number;
  height: number;
  mime_type: string;
  source_url: string;
}

/** An uploaded file. */
export interface Media extends Linked {
  id: number;
  date: string | null;
  date_gmt: string | null;
  modified: string;
  modified_gmt: string;
  slug: string;
  status: string;
  type: string;
  link: string;
  title: RenderedText;
  author: number;
  caption: RenderedText;
  description?: RenderedText;
  alt_text: string;
  media_type: string;
  mime_type: string;
  media_details: { width?: number; height?: number; sizes?: Record<string, MediaSize>; [member: string]: unknown };
  post: number | null;
  source_url: string;
  missing_image_sizes?: string[];
  lang?: string;
  translations?: Record<string, Translation>;
}

/** A category, a tag, or a term of a site's own taxonomy. */
export interface Term extends Linked {
  id: number;
  count: number;
  description: string;
  link: string;
  name: string;
  slug: string;
  taxonomy: string;
  parent?: number;
  meta: Record<string, unknown>;
  lang?: string;
  translations?: Record<string, Translation>;
}

/** A comment. */
export interface Comment extends Linked {
  id: number;
  post: number;
  parent: number;
  author: number;
  author_name: string;
  author_email?: string;
  author_url: string;
  date: string;
  date_gmt: string;
  content: RenderedText;
  link: string;
  status: string;
  type: string;
  meta: Record<string, unknown>;
}

/** An account; what readers are not shown is missing. */
export interface Account extends Linked {
  id: number;
  name: string;
  url: string;
  description: string;
  link: string;
  slug: string;
  username?: string;
  first_name?: string;
  last_name?: string;
  email?: string;
  locale?: string;
  nickname?: string;
  roles?: string[];
  registered_date?: string;
  capabilities?: Record<string, boolean>;
  meta: Record<string, unknown>;
}

/** Something found by a search of the site. */
export interface SearchResult extends Linked {
  id: number | string;
  title: string;
  url: string;
  type: string;
  subtype: string;
}

/** The settings of a site. */
export interface Settings {
  title: string;
  description: string;
  url?: string;
  email?: string;
  timezone: string;
  date_format: string;
  time_format: string;
  start_of_week: number;
  language: string;
  posts_per_page: number;
  [setting: string]: unknown;
}

/** What a site says of itself. */
export interface SiteIndex {
  name: string;
  description: string;
  url: string;
  home: string;
  namespaces: string[];
  authentication: Record<string, unknown>;
  routes: Record<string, unknown>;
  [member: string]: unknown;
}
