// The change feed: what changed since a cursor, asked for again and again, or pushed where the site does that.

import { VetrinaError } from "./errors.js";
import { askFor, type RequestOptions } from "./exchange.js";
import { buildReadQuery } from "./reading.js";
import { send, wait, type Site } from "./transport.js";

const PATH = "/cms/v2/changes";

/** One change, as far as the caller may see it. */
export interface Change {
  cursor: number;
  kind: string;
  id: number | null;
  action: "created" | "changed" | "removed";
  transition: string | null;
  href: string | null;
  link: string | null;
  link_before: string | null;
  lang: string | null;
  tags: string[];
  date: string;
  date_gmt: string;
}

/** A page of the feed. next: the cursor to go on from. more: whether there is more to read now. */
export interface ChangePage {
  changes: Change[];
  next: number;
  more: boolean;
}

/** What is told. since: a cursor. kinds, lang: only of these. */
export interface ChangeQuery {
  readonly since?: number;
  readonly kinds?: readonly string[];
  readonly lang?: readonly string[];
  readonly per_page?: number;
}

/** interval: milliseconds between two looks when nothing is left to read. onPage: is told the cursor to keep. */
export interface FollowOptions extends RequestOptions {
  readonly interval?: number;
  readonly onPage?: (page: ChangePage) => void;
}

/** What changed on a site. */
export class ChangeFeed {
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  /** Return the cursor of now. */
  async now(options: RequestOptions = {}): Promise<number> {
    return (await this.page({}, options)).next;
  }

  /** Return one page. Throws a VetrinaError with the status 410 for a cursor that the log does not reach. */
  page(query: ChangeQuery = {}, options: RequestOptions = {}): Promise<ChangePage> {
    return send(this.#site, askFor("GET", PATH, { query: buildReadQuery(this.#site.names, { ...query }) }), options);
  }

  /** Yield changes as they happen, from `since` or from now on, until the signal is aborted. */
  async *follow(query: ChangeQuery = {}, options: FollowOptions = {}): AsyncGenerator<Change, void> {
    const { interval = 2000, onPage, ...request } = options;
    try {
      let since = query.since ?? (await this.now(request));
      for (;;) {
        const page = await this.page({ ...query, since }, request);
        yield* page.changes;
        since = page.next;
        onPage?.(page);
        if (!page.more) await wait(interval, request.signal);
      }
    } catch (error) {
      if (!request.signal?.aborted || error instanceof VetrinaError) throw error;
    }
  }
}
