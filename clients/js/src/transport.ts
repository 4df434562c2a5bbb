// How a call becomes a request, and when it is sent again. Only requests that change nothing are, and never earlier
// than the site asks for.

import type { Credentials } from "./credentials.js";
import { VetrinaError } from "./errors.js";
import { readRetryAfter, type Ask, type Call, type Reply, type RequestOptions } from "./exchange.js";
import { translatePath, type Names } from "./names.js";
import { formatJson, listPairs, type Pair, type Query } from "./query.js";
import { isCacheable, type ResponseCache } from "./response_cache.js";

/** The site that a client talks to, and how. Times are in milliseconds. */
export interface Site {
  readonly root: string;
  readonly names: Names;
  readonly credentials: Credentials | undefined;
  readonly language: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly cache: ResponseCache | undefined;
  readonly timeout: number;
  readonly retries: number;
  readonly longestPause: number;
  /** Of a preview: what every read of one record is sent with. */
  readonly preview: string | undefined;
}

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
const ASKS_TO_WAIT: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const FIRST_PAUSE = 200; // milliseconds before the second attempt; doubled before each further one

/** Send a call and return what its answer is read as. Throws a VetrinaError, or the reason of the signal. */
export async function send<T>(site: Site, ask: Ask<T>, options: RequestOptions = {}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const used = site.credentials?.token;
    let outcome = await exchange(site, ask.call, options);
    if (used && isExpired(outcome) && (await site.credentials.renew?.(used))) {
      outcome = await exchange(site, ask.call, options);
    }
    const pause = planPause(site, ask.call, attempt, outcome);
    if (pause === undefined) {
      if (outcome instanceof VetrinaError) throw outcome;
      return ask.read(outcome);
    }
    await wait(pause, options.signal);
  }
}

/** Send a call once, and return the response with its body still to be read. Throws a VetrinaError. */
export async function open(site: Site, call: Call, options: RequestOptions): Promise<Response> {
  const request = await buildRequest(site, call, options);
  try {
    return await site.fetch(request.url, { ...request.init, signal: options.signal ?? null });
  } catch (error) {
    options.signal?.throwIfAborted();
    throw describeFailure(call, error, false);
  }
}

/** Wait for some milliseconds. Throws the reason of the signal. */
export async function wait(pause: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, pause);
    signal?.addEventListener("abort", end);
  });
  signal?.throwIfAborted();
}

/** Return the answer of one attempt, or why there is none. */
async function exchange(site: Site, call: Call, options: RequestOptions): Promise<Reply | VetrinaError> {
  const request = await buildRequest(site, call, options);
  const { signal } = options;
  signal?.throwIfAborted();
  const stopper = new AbortController();
  let late = false;
  const stop = () => {
    stopper.abort();
  };
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, options.timeout ?? site.timeout);
  signal?.addEventListener("abort", stop);
  try {
    return await fetchConditionally(site, request, stopper.signal);
  } catch (error) {
    signal?.throwIfAborted();
    return describeFailure(call, error, late);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

function isExpired(outcome: Reply | VetrinaError): boolean {
  return !(outcome instanceof VetrinaError) && outcome.status === 401 && outcome.text.includes('"rest_token_expired"');
}

function describeFailure(call: Call, error: unknown, late: boolean): VetrinaError {
  const how = late ? "in time" : `(${error instanceof Error ? error.message : String(error)})`;
  const message = `${call.method} ${call.path}: the site did not answer ${how}`;
  return new VetrinaError("no_answer", message, { cause: error });
}

interface BuiltRequest {
  readonly url: string;
  readonly init: Omit<RequestInit, "headers"> & { readonly headers: Record<string, string> };
}

async function fetchConditionally(site: Site, { url, init }: BuiltRequest, signal: AbortSignal): Promise<Reply> {
  const cache = init.method === "GET" ? site.cache : undefined;
  // What one account is answered is not for another.
  const key = `${init.headers["Authorization"] ?? ""} ${url}`;
  const kept = await cache?.get(key);
  const tag = kept?.headers.get("etag");
  const headers = tag ? { ...init.headers, "If-None-Match": tag } : init.headers;
  const response = await site.fetch(url, { ...init, headers, signal });
  const reply = { status: response.status, headers: response.headers, text: await response.text() };
  if (kept && reply.status === 304) return kept;
  if (cache && isCacheable(reply)) await cache.set(key, reply);
  return reply;
}

/** Return the milliseconds until a call is sent again, undefined where its outcome is final. */
function planPause(site: Site, call: Call, attempt: number, outcome: Reply | VetrinaError): number | undefined {
  const answered = !(outcome instanceof VetrinaError);
  if (!SAFE.has(call.method) || attempt > site.retries || (answered && !ASKS_TO_WAIT.has(outcome.status))) {
    return undefined;
  }
  const asked = answered ? readRetryAfter(outcome.headers) : undefined;
  const pause = asked === undefined ? FIRST_PAUSE * 2 ** (attempt - 1) * (0.75 + Math.random() / 2) : asked * 1000;
  return pause <= site.longestPause ? pause : undefined;
}

async function buildRequest(site: Site, call: Call, options: RequestOptions): Promise<BuiltRequest> {
  const { names } = site;
  const url = site.root + translatePath(names, call.path).split("/").map(encodeURIComponent).join("/");
  const query: Pair[] = listPairs(call.query ?? {});
  if (site.language !== undefined && !query.some(([name]) => name === names.language)) {
    query.push([names.language, site.language]);
  }
  const added = await site.credentials?.sign({ method: call.method, url, query, names });
  const credentials = call.credentials ?? added?.credentials;
  const text = new URLSearchParams(
    [...query, ...(added?.query ?? [])].map(([name, value]) => [name, value]),
  ).toString();
  const { body, headers } = buildBody(call);
  return {
    url: text ? `${url}?${text}` : url,
    init: {
      method: call.method,
      // A redirect to another host would lose the credentials, and says that the address is a wrong one.
      redirect: "manual",
      // Some edge runtimes refuse the member whatever it says.
      ...(credentials === undefined ? {} : { credentials }),
      ...(body === undefined ? {} : { body }),
      headers: {
        Accept: "application/json",
        ...site.headers,
        ...headers,
        ...added?.headers,
        ...call.headers,
        ...options.headers,
      },
    },
  };
}

function buildBody({ body, upload }: Call): { body?: BodyInit; headers?: Record<string, string> } {
  if (upload?.raw) {
    const name = encodeURIComponent(upload.name).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
    const type = upload.content.type || "application/octet-stream";
    const headers = { "Content-Type": type, "Content-Disposition": `attachment; filename*=UTF-8''${name}` };
    return { body: upload.content, headers };
  }
  if (upload) {
    const form = new FormData();
    for (const [name, text] of listPairs((body ?? {}) as Query)) form.append(name, text);
    form.append("file", upload.content, upload.name);
    return { body: form };
  }
  return body === undefined ? {} : { body: formatJson(body), headers: { "Content-Type": "application/json" } };
}
