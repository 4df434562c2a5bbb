// Lists: one page, all records, or an iteration that fetches pages as they are needed.

import { VetrinaError } from "./errors.js";
import { readValue, type Ask, type Call, type RequestOptions } from "./exchange.js";
import { send, type Site } from "./transport.js";

/** One page of a list. total: records on all pages. pages: how many there are. number: of this one, from 1. */
export interface Page<T> {
  readonly items: T[];
  readonly total: number;
  readonly pages: number;
  readonly number: number;
}

/** How the items of an answer are found; window: records per page of a list that has offsets, 0 where it has pages. */
export interface ListShape<T> {
  readonly pick: (value: unknown) => T[];
  readonly window: number;
}

/** A list that is not fetched yet. Iterating yields its records, a page at a time. */
export class Listing<T> implements AsyncIterable<T> {
  readonly #site: Site;
  readonly #call: Call;
  readonly #shape: ListShape<T>;
  readonly #options: RequestOptions;

  constructor(site: Site, call: Call, options: RequestOptions, shape: ListShape<T> = { pick: pickRecords, window: 0 }) {
    this.#site = site;
    this.#call = call;
    this.#shape = shape;
    this.#options = options;
  }

  /** Return one page, with the totals of the list. */
  page(number = 1): Promise<Page<T>> {
    return send(this.#site, this.#ask(number), this.#options);
  }

  /** Iterate over the pages. A list that becomes shorter while it is read ends. */
  async *pages(): AsyncGenerator<Page<T>, void> {
    for (let number = 1, last = 1; number <= last; number++) {
      let page: Page<T>;
      try {
        page = await this.page(number);
      } catch (error) {
        if (number > 1 && error instanceof VetrinaError && isPageBeyond(error)) return;
        throw error;
      }
      yield page;
      last = page.pages;
    }
  }

  /** Return every record. */
  async all(): Promise<T[]> {
    const found: T[] = [];
    for await (const page of this.pages()) found.push(...page.items);
    return found;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const page of this.pages()) yield* page.items;
  }

  #ask(number: number): Ask<Page<T>> {
    const { window, pick } = this.#shape;
    const { total, pages } = this.#site.names;
    // The first page is asked for without its number: some lists have no pages, and no such parameter.
    const place = window ? { limit: window, offset: window * (number - 1) } : number > 1 ? { page: number } : {};
    return {
      call: { ...this.#call, query: { ...this.#call.query, ...place } },
      read: (reply) => {
        const value = readValue(reply);
        const items = pick(value);
        if (window) {
          const count = (value as { total: number }).total;
          return { items, total: count, pages: Math.ceil(count / window), number };
        }
        return {
          items,
          total: Number(reply.headers.get(total) ?? items.length),
          pages: Number(reply.headers.get(pages) ?? 1),
          number,
        };
      },
    };
  }
}

/** Some lists are objects, whose members are the records. */
export function pickRecords<T>(value: unknown): T[] {
  return Object.values(value as Record<string, T>);
}

function isPageBeyond(error: VetrinaError): boolean {
  return error.status === 400 && error.code.includes("page_number");
}
