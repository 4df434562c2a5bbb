// Who calls: an application password, a consumer key of the shop, somebody's session in a browser.

import type { Names } from "./names.js";
import type { Pair } from "./query.js";
import { computeHmac, encodeBase64 } from "./signing.js";

/** A request that is about to be sent; url: without its query. */
export interface UnsignedRequest {
  readonly method: string;
  readonly url: string;
  readonly query: readonly Pair[];
  readonly names: Names;
}

/** What credentials add to a request. */
export interface SignedAddition {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: readonly Pair[];
  readonly credentials?: RequestCredentials;
}

/** Credentials that sign requests. */
export interface Credentials {
  sign(request: UnsignedRequest): SignedAddition | Promise<SignedAddition>;
}

export interface ApplicationPassword {
  readonly login: string;
  readonly password: string;
}

/** Return the credentials of an account: its login and one of its application passwords, sent as Basic credentials. */
export function signWithPassword({ login, password }: ApplicationPassword): Credentials {
  const headers = { Authorization: formatBasic(login, password) };
  return { sign: () => ({ headers }) };
}

/** Return the credentials of a consumer key of the shop, which is good on the shop's routes only. */
export function signWithKey(key: string, secret: string): Credentials {
  return signWithPassword({ login: key, password: secret });
}

/**
 * Return the credentials of a consumer key that sign each request (OAuth 1.0a without a token), so that the secret is
 * never sent; for addresses without TLS. The clocks of both machines may differ by a quarter of an hour.
 */
export function signWithOAuth(key: string, secret: string): Credentials {
  return {
    async sign({ method, url, query }) {
      const parameters: Pair[] = [
        ["oauth_consumer_key", key],
        ["oauth_nonce", crypto.randomUUID()],
        ["oauth_signature_method", "HMAC-SHA256"],
        ["oauth_timestamp", String(Math.floor(Date.now() / 1000))],
      ];
      const signature = await computeOAuthSignature(method, url, [...query, ...parameters], secret);
      return { query: [...parameters, ["oauth_signature", signature]] };
    },
  };
}

/**
 * Return the credentials of somebody who signed in with a browser. nonce: the answer of `/admin/nonce`. cookies: where
 * no browser sends them, as a header `Cookie` has them.
 */
export function signWithSession(nonce: string, cookies?: string): Credentials {
  return {
    sign: ({ names }) => ({
      headers: { [names.nonce]: nonce, ...(cookies === undefined ? {} : { Cookie: cookies }) },
      credentials: "include",
    }),
  };
}

/** Return the signature of a request by RFC 5849, 3.4, with HMAC-SHA256. */
export async function computeOAuthSignature(
  method: string,
  url: string,
  query: readonly Pair[],
  secret: string,
): Promise<string> {
  const encoded = query.map(([name, text]) => [encodeStrictly(name), encodeStrictly(text)] as const);
  encoded.sort(([a, x], [b, y]) => compare(a, b) || compare(x, y));
  const joined = encoded.map(([name, text]) => `${name}=${text}`).join("&");
  const base = [method.toUpperCase(), url, joined].map(encodeStrictly).join("&");
  return encodeBase64(await computeHmac(`${encodeStrictly(secret)}&`, base));
}

function formatBasic(name: string, secret: string): string {
  return `Basic ${encodeBase64(new TextEncoder().encode(`${name}:${secret}`))}`;
}

function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
