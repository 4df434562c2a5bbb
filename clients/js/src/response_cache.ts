// Answers with an entity tag, kept to be asked for again with If-None-Match.

import type { Reply } from "./exchange.js";

/** Where answers are kept. Anything with these two functions will do, a store shared by processes too. */
export interface ResponseCache {
  get(key: string): Reply | undefined | Promise<Reply | undefined>;
  set(key: string, reply: Reply): void | Promise<void>;
}

/** Return a cache in memory. entries: how many answers it keeps; the one not used for longest goes first. */
export function createCache(entries = 100): ResponseCache {
  const kept = new Map<string, Reply>();
  return {
    get(key) {
      const found = kept.get(key);
      if (found) {
        kept.delete(key);
        kept.set(key, found);
      }
      return found;
    },
    set(key, reply) {
      kept.delete(key);
      kept.set(key, reply);
      for (const oldest of kept.keys()) {
        if (kept.size <= entries) break;
        kept.delete(oldest);
      }
    },
  };
}

/** Return whether an answer may be kept. */
export function isCacheable(reply: Reply): boolean {
  const control = reply.headers.get("cache-control") ?? "";
  return reply.status === 200 && reply.headers.has("etag") && !/\bno-store\b/i.test(control);
}
