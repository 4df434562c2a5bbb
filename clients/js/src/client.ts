// The client of a site: its collections by name, a profile's own types by their base, everything else by path.

import {
  BatchBuilder,
  runBatch,
  unwrapResults,
  type BatchOptions,
  type BatchPart,
  type PartResults,
  type PartValues,
} from "./batch.js";
import { Cart, type CartOptions } from "./cart.js";
import { ChangeFeed } from "./changes.js";
import { Collection, MediaCollection } from "./collection.js";
import { signWithPassword, type ApplicationPassword, type Credentials } from "./credentials.js";
import { askFor, type Method, type RequestOptions } from "./exchange.js";
import { Listing } from "./listing.js";
import { findNames, type Dialect } from "./names.js";
import { buildReadQuery, type ListQuery } from "./reading.js";
import type { Query } from "./query.js";
import type { Account, Comment, Media, Post, SearchResult, Settings, SiteIndex, Term } from "./records.js";
import type { ResponseCache } from "./response_cache.js";
import { Reports, Shop } from "./shop.js";
import { TokenSession, type SignInValues } from "./tokens.js";
import { TranslationJobs } from "./translation_jobs.js";
import { send, type Site } from "./transport.js";
import type { AccountValues, PostValues, TermValues, Values } from "./written_values.js";

const CMS = "/cms/v2";

/** Where a client's site is, and how it is asked. Times are in milliseconds. */
export interface ClientOptions {
  /** Address of the site, as `https://example.org`, or of its API root. */
  readonly url: string;
  /** Left out for an anonymous visitor. */
  readonly auth?: ApplicationPassword | Credentials | undefined;
  /** Language of reads; left out for that of the address. */
  readonly language?: string | undefined;
  /** Names that the site answers. */
  readonly dialect?: Dialect | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Keeps answers, to ask only whether they are still true; see `createCache`. */
  readonly cache?: ResponseCache | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How long an answer may take. */
  readonly timeout?: number | undefined;
  /** How often a read is sent again that found nobody or was told to wait. */
  readonly retries?: number | undefined;
  /** A site that asks to wait for longer is an error at once. */
  readonly longestPause?: number | undefined;
}

/** Names the record types of a profile, by their base: `createClient<{ recipes: Post<RecipeMeta> }>`. */
export type RecordTypes = object;

/** A client of one site. Types: the record types of its profile, by their base. */
export class Client<Types extends RecordTypes = Record<string, Post>> {
  readonly posts: Collection<Post, PostValues>;
  readonly pages: Collection<Post, PostValues>;
  readonly patterns: Collection<Post, PostValues>;
  readonly navigation: Collection<Post, PostValues>;
  readonly media: MediaCollection<Media>;
  readonly categories: Collection<Term, TermValues>;
  readonly tags: Collection<Term, TermValues>;
  readonly comments: Collection<Comment>;
  readonly users: Collection<Account, AccountValues>;
  readonly menus: Collection<Term, TermValues>;
  readonly menuItems: Collection<Values>;
  readonly shop: Shop;
  readonly reports: Reports;
  readonly translations: TranslationJobs;
  readonly changes: ChangeFeed;
  readonly settings: SiteSettings;
  readonly #site: Site;

  /** Throws a TypeError for an address or a dialect that cannot be; `createClient` is the usual way to one. */
  constructor(site: Site) {
    const at = <T, W = Values>(name: string) => new Collection<T, W>(site, `${CMS}/${name}`);
    this.#site = site;
    this.posts = at("posts");
    this.pages = at("pages");
    this.patterns = at("blocks");
    this.navigation = at("navigation");
    this.media = new MediaCollection(site, `${CMS}/media`);
    this.categories = at("categories");
    this.tags = at("tags");
    this.comments = at("comments");
    this.users = at("users");
    this.menus = at("menus");
    this.menuItems = at("menu-items");
    this.shop = new Shop(site);
    this.reports = new Reports(site);
    this.translations = new TranslationJobs(site);
    this.changes = new ChangeFeed(site);
    this.settings = new SiteSettings(site);
  }

  /** Return the records of a type of the profile, by its base, as `recipes`. */
  records<Base extends keyof Types & string>(base: Base): Collection<Types[Base], PostValues> {
    return new Collection(this.#site, `${CMS}/${base}`);
  }

  /** Return the terms of a taxonomy, by its base, as `courses`. */
  terms(base: string): Collection<Term, TermValues> {
    return new Collection(this.#site, `${CMS}/${base}`);
  }

  /** Return the collection at any path in neutral names, as `/cms/v2/types`. */
  collection<T = Values, W = Values>(path: string): Collection<T, W> {
    return new Collection(this.#site, cleanPath(path));
  }

  /** Send a request to a path in neutral names and return the JSON of the answer. */
  request<T = unknown>(
    method: Method,
    path: string,
    { query, body, ...options }: RequestOptions & { readonly query?: Query; readonly body?: unknown } = {},
  ): Promise<T> {
    return send(this.#site, askFor<T>(method, cleanPath(path), { query: query ?? {}, body }), options);
  }

  /** Return what the site says of itself: name, namespaces, routes, ways to sign in. */
  index(options: RequestOptions = {}): Promise<SiteIndex> {
    return send(this.#site, askFor("GET", "/"), options);
  }

  /** Return the account of the credentials. Throws a VetrinaError with the status 401 for an anonymous visitor. */
  me(options: RequestOptions = {}): Promise<Account> {
    return send(this.#site, askFor("GET", `${CMS}/users/me`, { query: { context: "edit" } }), options);
  }

  /** Return what a search of the site finds. */
  search(text: string, query: ListQuery = {}, options: RequestOptions = {}): Listing<SearchResult> {
    const asked = { ...buildReadQuery(this.#site.names, query), search: text };
    return new Listing(this.#site, { method: "GET", path: `${CMS}/search`, query: asked }, options);
  }

  /** Return a visitor's cart: a new one, or the one that the options name. */
  cart(options: CartOptions = {}): Cart {
    return new Cart(this.#site, options);
  }

  /**
   * Send several writes in one request and return what each answers, in their order. Throws a VetrinaError,
   * `batch_failed`, where parts were refused: the others were carried out, and `parts` has each.
   */
  async batch<const P extends readonly BatchPart<unknown>[]>(
    build: (batch: BatchBuilder) => P,
    options: BatchOptions = {},
  ): Promise<PartValues<P>> {
    return unwrapResults<P>(await this.batchSettled(build, options));
  }

  /** Send several writes in one request and return what became of each, as `Promise.allSettled` does. */
  batchSettled<const P extends readonly BatchPart<unknown>[]>(
    build: (batch: BatchBuilder) => P,
    options: BatchOptions = {},
  ): Promise<PartResults<P>> {
    return runBatch(this.#site, build(new BatchBuilder()), options);
  }

  /** Return a client that shows the draft of a preview's token, where a single record is read. It keeps no answers. */
  preview(token: string): Client<Types> {
    return new Client({ ...this.#site, cache: undefined, preview: token });
  }

  /** Return a client of an account that signs in with its own password; its tokens renew themselves. */
  async signIn(values: SignInValues): Promise<Client<Types>> {
    const credentials = new TokenSession(this.#site);
    await credentials.signIn(values);
    return new Client({ ...this.#site, credentials });
  }

  /** Return a client that goes on with a session, by its refresh token; left out for that of a page's cookie. */
  async resume(refreshToken = ""): Promise<Client<Types>> {
    const credentials = new TokenSession(this.#site, refreshToken);
    await credentials.renew("");
    return new Client({ ...this.#site, credentials });
  }

  /** The refresh token, for programs that keep it: another one after each renewal, empty where there is none. */
  get refreshToken(): string {
    const { credentials } = this.#site;
    return credentials instanceof TokenSession ? credentials.refreshToken : "";
  }

  /** End the session that `signIn` or `resume` began. */
  async signOut(): Promise<void> {
    const { credentials } = this.#site;
    if (credentials instanceof TokenSession) await credentials.signOut();
  }

  /** Return the same client, with reads in another language. */
  inLanguage(language: string): Client<Types> {
    return new Client({ ...this.#site, language });
  }
}

/** The settings of a site. */
export class SiteSettings {
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  get(options: RequestOptions = {}): Promise<Settings> {
    return send(this.#site, askFor("GET", `${CMS}/settings`), options);
  }

  /** Change the given settings and return all. */
  update(values: Values, options: RequestOptions = {}): Promise<Settings> {
    return send(this.#site, askFor("POST", `${CMS}/settings`, { body: values }), options);
  }
}

/** Return a client of a site. Throws a TypeError for an address or a dialect that cannot be. */
export function createClient<Types extends RecordTypes = Record<string, Post>>(options: ClientOptions): Client<Types> {
  const names = findNames(options.dialect ?? "neutral");
  const { auth } = options;
  return new Client<Types>({
    root: findRoot(options.url, names.root),
    names,
    credentials: auth && "login" in auth ? signWithPassword(auth) : auth,
    language: options.language,
    headers: options.headers ?? {},
    // A browser's own must be called as one of the window.
    fetch: options.fetch ?? ((...words) => globalThis.fetch(...words)),
    cache: options.cache,
    timeout: options.timeout ?? 30_000,
    retries: options.retries ?? 2,
    longestPause: options.longestPause ?? 30_000,
    preview: undefined,
  });
}

function findRoot(text: string, last: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new TypeError(`"${text}" is no address of a site; write one such as https://example.org`);
  }
  if (url.username) throw new TypeError("an address holds no credentials; hand them in as auth: { login, password }");
  const address = url.href.replace(/\/+$/, "");
  return address.endsWith(`/${last}`) ? address : `${address}/${last}`;
}

function cleanPath(path: string): string {
  if (/[?#]/.test(path)) throw new TypeError(`"${path}" has more than a path; hand parameters in as { query }`);
  return `/${path.replace(/^\/+|\/+$/g, "")}`;
}
