// Several writes in one request, each with a result of its own. More than a site takes at once go in several requests,
// one after the other.

import type { Collection } from "./collection.js";
import { VetrinaError } from "./errors.js";
import { askFor, type Ask, type Method, type RequestOptions } from "./exchange.js";
import { translatePath, type Names } from "./names.js";
import { listPairs, type Query } from "./query.js";
import type { Id, RecordCalls } from "./record_calls.js";
import { send, type Site } from "./transport.js";

const PATH = "/batch/v1";
const EVERY_SITE_TAKES = 25; // requests per batch, by the interface

export type BatchMethod = Extract<Method, "POST" | "PUT" | "PATCH" | "DELETE">;

/** allOrNone: nothing is run where one part cannot be valid; all parts then go into one request. */
export interface BatchOptions extends RequestOptions {
  readonly allOrNone?: boolean;
}

/** One write of a batch. T: what it answers. */
export class BatchPart<T> {
  constructor(readonly ask: Ask<T>) {}
}

type Parts = readonly BatchPart<unknown>[];
export type PartValues<P extends Parts> = { -readonly [K in keyof P]: P[K] extends BatchPart<infer T> ? T : never };
export type PartResults<P extends Parts> = {
  -readonly [K in keyof P]: PromiseSettledResult<P[K] extends BatchPart<infer T> ? T : never>;
};

/** Makes the parts of a batch. */
export class BatchBuilder {
  /** Return the writes of a collection, as parts. */
  of<T, W>(collection: Collection<T, W>): BatchWrites<T, W> {
    return new BatchWrites(collection.calls);
  }

  /** Return any write as a part. path: in neutral names. Throws a TypeError for a method that no batch carries. */
  add<T = unknown>(method: BatchMethod, path: string, body?: unknown, query: Query = {}): BatchPart<T> {
    if (!["POST", "PUT", "PATCH", "DELETE"].includes(method))
      throw new TypeError(`a batch cannot carry ${method as string}`);
    return new BatchPart(askFor<T>(method, path, { body, query }));
  }
}

/** The writes of one collection, as parts of a batch. */
export class BatchWrites<T, W> {
  readonly #calls: RecordCalls<T, W>;

  constructor(calls: RecordCalls<T, W>) {
    this.#calls = calls;
  }

  create(values: W): BatchPart<T> {
    return new BatchPart(this.#calls.create(values));
  }

  update(id: Id, values: W): BatchPart<T> {
    return new BatchPart(this.#calls.update(id, values));
  }

  trash(id: Id): BatchPart<T> {
    return new BatchPart(this.#calls.trash(id));
  }

  delete(id: Id, query: Query = {}): BatchPart<T> {
    return new BatchPart(this.#calls.delete(id, query));
  }
}

interface BatchAnswer {
  readonly responses: readonly ({ status: number; headers: unknown; body: unknown } | null)[];
}

/** Send the parts and return what became of each, in their order. Throws a RangeError for too many at once. */
export async function runBatch<const P extends Parts>(
  site: Site,
  parts: P,
  options: BatchOptions,
): Promise<PartResults<P>> {
  const { allOrNone = false, ...request } = options;
  const limit = parts.length > EVERY_SITE_TAKES ? await send(site, askForLimit(), request) : EVERY_SITE_TAKES;
  if (allOrNone && parts.length > limit) {
    throw new RangeError(`all or none of ${parts.length} parts: the site takes ${limit} at once; send fewer`);
  }
  const results: PromiseSettledResult<unknown>[] = [];
  for (let at = 0; at < parts.length; at += limit) {
    const some = parts.slice(at, at + limit);
    const body = {
      validation: allOrNone ? "require-all-validate" : "normal",
      requests: some.map((part) => buildMember(site.names, part.ask)),
    };
    try {
      const { responses } = await send(site, askFor<BatchAnswer>("POST", PATH, { body }), request);
      results.push(...some.map((part, number) => settle(part, responses[number])));
    } catch (reason) {
      if (at === 0) throw reason;
      // What went before was carried out and must be told; what comes after is not sent.
      const notRun = new VetrinaError("not_run", "an earlier part of the batch could not be sent", { cause: reason });
      const left = parts.length - results.length;
      const rejected = (number: number) => ({ status: "rejected", reason: number < limit ? reason : notRun }) as const;
      results.push(...Array.from({ length: left }, (_, number) => rejected(number)));
      break;
    }
  }
  return results as PartResults<P>;
}

/** Return the values of parts that were all carried out. Throws a VetrinaError, `batch_failed`, otherwise. */
export function unwrapResults<const P extends Parts>(results: PartResults<P>): PartValues<P> {
  const settled = results as PromiseSettledResult<unknown>[];
  const refused = settled.filter((result) => result.status === "rejected");
  if (refused[0]) {
    const message = `${refused.length} of ${settled.length} parts of the batch failed; the first: ${String(refused[0].reason)}`;
    throw new VetrinaError("batch_failed", message, { parts: settled, cause: refused[0].reason });
  }
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as PartValues<P>;
}

function buildMember(names: Names, { call }: Ask<unknown>): Record<string, unknown> {
  const query = new URLSearchParams(listPairs(call.query ?? {}).map(([name, text]) => [name, text])).toString();
  const path = translatePath(names, call.path) + (query && `?${query}`);
  return { method: call.method, path, ...(call.body === undefined ? {} : { body: call.body }) };
}

function settle(
  part: BatchPart<unknown>,
  answer: BatchAnswer["responses"][number] | undefined,
): PromiseSettledResult<unknown> {
  try {
    if (!answer) {
      throw new VetrinaError("not_run", "nothing was run, because another part of the batch cannot be valid");
    }
    const reply = { status: answer.status, headers: new Headers(), text: JSON.stringify(answer.body) };
    return { status: "fulfilled", value: part.ask.read(reply) };
  } catch (reason) {
    return { status: "rejected", reason };
  }
}

interface BatchDescription {
  endpoints?: { args?: { requests?: { maxItems?: number } } }[];
}

function askForLimit(): Ask<number> {
  const ask = askFor<BatchDescription>("OPTIONS", PATH);
  return {
    call: ask.call,
    read: (reply) => ask.read(reply).endpoints?.[0]?.args?.requests?.maxItems ?? EVERY_SITE_TAKES,
  };
}
