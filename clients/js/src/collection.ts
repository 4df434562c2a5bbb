// Collections of records: the same methods for content, terms, accounts, files and the shop.

import { askFor, type RequestOptions, type Upload } from "./exchange.js";
import { Listing } from "./listing.js";
import type { Query } from "./query.js";
import { buildReadQuery, type ListQuery, type ReadQuery, type Selected } from "./reading.js";
import type { Revision } from "./records.js";
import { RecordCalls, type Id } from "./record_calls.js";
import { send, type Site } from "./transport.js";
import type { MediaValues, Values } from "./written_values.js";

/** A record of a shop's `many`, or why it was refused. */
export type OneOfMany<T> = T | { id: number; error: { code: string; message: string; data: unknown } };

/** The records at one path. T: a record. W: what is written of one. */
export class Collection<T, W = Values> {
  readonly calls: RecordCalls<T, W>;
  protected readonly site: Site;
  readonly #below: boolean;

  /** below: whether it is beneath a record, as its revisions are, which a preview of the record shows too. */
  constructor(site: Site, path: string, below = false) {
    this.site = site;
    this.calls = new RecordCalls(path);
    this.#below = below;
  }

  /** Return a list, not fetched yet. query: its filters, and `per_page`. Throws a TypeError for one with a page. */
  list<const Q extends ListQuery = ListQuery>(query?: Q, options: RequestOptions = {}): Listing<Selected<T, Q>> {
    if (query && "page" in query)
      throw new TypeError("a list is read from its start; ask for a page by list().page(2)");
    const preview = this.#below ? this.site.preview : undefined;
    const asked = { preview, ...buildReadQuery(this.site.names, query ?? {}) };
    return new Listing(this.site, { method: "GET", path: this.calls.path, query: asked }, options);
  }

  /** Return a record. Throws a VetrinaError with the status 404 where there is none. */
  get<const Q extends ReadQuery = ReadQuery>(id: Id, query?: Q, options: RequestOptions = {}): Promise<Selected<T, Q>> {
    const asked = { preview: this.site.preview, ...buildReadQuery(this.site.names, query ?? {}) };
    return send(this.site, askFor("GET", this.calls.at(id), { query: asked }), options);
  }

  /** Create a record and return it. */
  create(values: W, options: RequestOptions = {}): Promise<T> {
    return send(this.site, this.calls.create(values), options);
  }

  /** Change the given members of a record and return it. */
  update(id: Id, values: W, options: RequestOptions = {}): Promise<T> {
    return send(this.site, this.calls.update(id, values), options);
  }

  /** Move a record to the trash and return it. */
  trash(id: Id, options: RequestOptions = {}): Promise<T> {
    return send(this.site, this.calls.trash(id), options);
  }

  /** Remove a record for good and return its last state. query: for instance `reassign` of an account. */
  delete(id: Id, query: Query = {}, options: RequestOptions = {}): Promise<T> {
    return send(this.site, this.calls.delete(id, query), options);
  }

  /** Create, change and remove records of the shop in one request; each may be refused by itself. */
  many(
    changes: {
      readonly create?: readonly W[];
      readonly update?: readonly (W & { id: Id })[];
      readonly delete?: readonly Id[];
    },
    options: RequestOptions = {},
  ): Promise<Partial<Record<"create" | "update" | "delete", OneOfMany<T>[]>>> {
    return send(this.site, askFor("POST", `${this.calls.path}/batch`, { body: changes }), options);
  }

  /** Return the collection below a record, as the variations of a product. */
  below<U = Values>(id: Id, ...names: string[]): Collection<U> {
    return new Collection<U>(this.site, this.calls.at(id, ...names), true);
  }

  /** Return the revisions of a record. */
  revisions(id: Id): Collection<Revision> {
    return this.below(id, "revisions");
  }

  /** Return the autosaves of a record. */
  autosaves(id: Id): Collection<Revision> {
    return this.below(id, "autosaves");
  }
}

/** How a file is sent. raw: as the whole body, otherwise as a part of a form. values: members of its record. */
export interface UploadOptions extends RequestOptions {
  readonly name?: string;
  readonly type?: string;
  readonly raw?: boolean;
  readonly values?: MediaValues;
}

/** The uploaded files. */
export class MediaCollection<T, W = MediaValues> extends Collection<T, W> {
  /** Upload a file and return its record. Throws a TypeError for content without a name. */
  upload(content: Blob | BufferSource, options: UploadOptions = {}): Promise<T> {
    const { name = nameOf(content), type, raw = false, values = {}, ...request } = options;
    if (!name) throw new TypeError('say what the file is called: upload(content, { name: "harbour.jpg" })');
    const blob =
      content instanceof Blob && type === undefined ? content : new Blob([content], type === undefined ? {} : { type });
    const upload: Upload = { content: blob, name, raw };
    // If the body is the file itself, everything else goes into the query.
    const beside = raw ? { query: values as Query } : { body: values };
    return send(this.site, askFor("POST", this.calls.path, { upload, ...beside }), request);
  }
}

function nameOf(content: Blob | BufferSource): string {
  return "name" in content && typeof content.name === "string" ? content.name : "";
}
