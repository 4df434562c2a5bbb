// Requests and answers as values. An `Ask` is a call together with how its answer is read: a client sends it at once, a
// batch carries it with others.

import { VetrinaError, readRefusal } from "./errors.js";
import type { Query } from "./query.js";

export type Method = "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A file. raw: sent as the whole body, otherwise as a part of a form beside other fields. */
export interface Upload {
  readonly content: Blob;
  readonly name: string;
  readonly raw: boolean;
}

/** One request in neutral names. path: below the API root. */
export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials?: RequestCredentials;
  readonly upload?: Upload;
}

/** One answer, read to its end. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A call, and how its answer is read. */
export interface Ask<T> {
  readonly call: Call;
  read(reply: Reply): T;
}

/** What may be said of a single request. timeout: in milliseconds. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Return the call of a method and path, whose answer is read as JSON. */
export function askFor<T>(method: Method, path: string, more: Omit<Call, "method" | "path"> = {}): Ask<T> {
  return { call: { method, path, ...more }, read: (reply) => readValue(reply) as T };
}

/** Return the JSON of an answer. Throws a VetrinaError for a refusal, and for what is no JSON. */
export function readValue(reply: Reply): unknown {
  const { status, headers, text } = reply;
  // A browser shows no more of a redirect than that there was one.
  if (status === 0 || (status >= 300 && status < 400)) {
    const where = headers.get("location") ?? "another address";
    throw new VetrinaError("not_understood", `the answer leads to ${where}; give the client that address`, { status });
  }
  if (status >= 400) throw readRefusal(status, parse(text), readRetryAfter(headers));
  const value = text === "" ? null : parse(text);
  if (value === undefined) {
    const type = headers.get("content-type") ?? "of no type";
    const message = `the answer ${status} is no JSON but ${type}; is this the site's address?`;
    throw new VetrinaError("not_understood", message, { status });
  }
  return value;
}

/** Return the seconds that an answer asks to wait. */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - Date.now()) / 1000);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
