// The site's translation jobs. The languages of a record are in the record itself.

import { askFor, type RequestOptions } from "./exchange.js";
import { Listing } from "./listing.js";
import type { Query } from "./query.js";
import { send, type Site } from "./transport.js";
import type { Values } from "./written_values.js";

const PATH = "/mlang/tm/v1/jobs";
const JOBS_AT_ONCE = 100;

/** One translation job. */
export interface TranslationJob {
  id: number;
  status: string | number;
  [member: string]: unknown;
}

/** Translation jobs, listed and sent. */
export class TranslationJobs {
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  /** Return jobs; query: `status`, `target_language` and other filters. */
  list(query: Query = {}, options: RequestOptions = {}): Listing<TranslationJob> {
    const pick = (value: unknown) => (value as { jobs: TranslationJob[] }).jobs;
    return new Listing(this.#site, { method: "GET", path: PATH, query }, options, { pick, window: JOBS_AT_ONCE });
  }

  /** Make a job for each item and language. items: each with `type`, as `post_page`, and `id`. */
  async send(
    items: readonly { readonly type: string; readonly id: number }[],
    languages: readonly string[],
    values: Values = {},
    options: RequestOptions = {},
  ): Promise<TranslationJob[]> {
    const body = { items, target_languages: languages, ...values };
    return (await send(this.#site, askFor<{ jobs: TranslationJob[] }>("POST", PATH, { body }), options)).jobs;
  }
}
