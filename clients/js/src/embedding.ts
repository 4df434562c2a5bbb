// The records that `embed` put beside another one, by what they are. Those that the caller may not see are left out.

import type { Account, Comment, Embedded, EmbeddedError, Media, Post, Term } from "./records.js";

interface WithEmbedded {
  readonly _embedded?: Embedded;
}

/** Return the author of a record that was read with `embed: ["author"]`. */
export function authorOf(record: WithEmbedded): Account | undefined {
  return present(record._embedded?.author)[0];
}

/** Return the picture of a record that was read with `embed: ["cms:featuredmedia"]`. */
export function featuredMediaOf(record: WithEmbedded): Media | undefined {
  return present(record._embedded?.["cms:featuredmedia"] ?? record._embedded?.["wp:featuredmedia"])[0];
}

/** Return the terms of a record that was read with `embed: ["cms:term"]`; taxonomy: of one alone, as `category`. */
export function termsOf(record: WithEmbedded, taxonomy?: string): Term[] {
  const found = present((record._embedded?.["cms:term"] ?? record._embedded?.["wp:term"] ?? []).flat());
  return taxonomy === undefined ? found : found.filter((term) => term.taxonomy === taxonomy);
}

/** Return the comments on a record that was read with `embed: ["replies"]`. */
export function commentsOf(record: WithEmbedded): Comment[] {
  return present(record._embedded?.replies?.flat());
}

/** Return the page above one that was read with `embed: ["up"]`. */
export function parentOf(record: WithEmbedded): Post | undefined {
  return present(record._embedded?.up)[0];
}

function present<T extends object>(found: readonly (T | EmbeddedError)[] | undefined): T[] {
  return (found ?? []).filter((one): one is T => !("code" in one && "data" in one));
}
