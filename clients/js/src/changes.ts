// The change feed: what changed since a cursor, a page at a time, or as it happens: pushed by the site, or asked for again
// and again where it does not.

import { VetrinaError } from "./errors.js";
import { readEvents } from "./event_stream.js";
import { readValue, type Call, type RequestOptions } from "./exchange.js";
import { open, send, wait, type Site } from "./transport.js";

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

/**
 * How changes are followed. onCursor: is told where to go on, once everything before it was read. interval: milliseconds
 * between two looks where the site does not push. push: whether it may.
 */
export interface FollowOptions extends RequestOptions {
  readonly onCursor?: (cursor: number) => void;
  readonly interval?: number;
  readonly push?: boolean;
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
    return send(
      this.#site,
      { call: this.#call(query, false), read: (reply) => readValue(reply) as ChangePage },
      options,
    );
  }

  /**
   * Yield changes as they happen, from `since` or from now on, until the signal is aborted. A lost connection is made
   * again; throws a VetrinaError where that fails `retries` times in a row.
   */
  async *follow(query: ChangeQuery = {}, options: FollowOptions = {}): AsyncGenerator<Change, void> {
    const { interval = 2000, onCursor, push = true, ...request } = options;
    let { since } = query;
    let pushes = push;
    let failures = 0;
    let pause = interval;
    const reach = (cursor: number) => {
      failures = 0;
      since = cursor;
      onCursor?.(cursor);
    };
    try {
      since ??= await this.now(request);
      for (;;) {
        try {
          const response = await open(this.#site, this.#call({ ...query, since }, pushes), request);
          if (response.body && /event-stream/.test(response.headers.get("content-type") ?? "")) {
            for await (const { id, data, retry } of readEvents(response.body)) {
              if (retry) pause = Number(retry);
              if (data) yield JSON.parse(data) as Change;
              if (id) reach(Number(id));
            }
          } else {
            const reply = { status: response.status, headers: response.headers, text: await response.text() };
            const page = readValue(reply) as ChangePage;
            yield* page.changes;
            reach(page.next);
            pause = page.more ? 0 : interval;
          }
        } catch (error) {
          if (request.signal?.aborted || failures++ >= this.#site.retries || !isPassing(error)) throw error;
          // Too many streams are open: pages are answered all the same.
          if (error instanceof VetrinaError && error.status) pushes = false;
          pause = interval;
        }
        await wait(pause, request.signal);
      }
    } catch (error) {
      if (!request.signal?.aborted) throw error;
    }
  }

  #call(query: ChangeQuery, pushes: boolean): Call {
    const accept = `${pushes ? "text/event-stream, " : ""}application/json`;
    return { method: "GET", path: PATH, query: { ...query }, headers: { Accept: accept } };
  }
}

/** Return whether it may go better next time: a lost connection, or a site that asks to wait. */
function isPassing(error: unknown): boolean {
  return !(error instanceof VetrinaError) || [0, 429, 502, 503, 504].includes(error.status);
}
