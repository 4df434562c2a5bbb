// Who calls: an application password, a consumer key of the shop, somebody's session in a browser.

import type { Names } from "./names.js";
import type { Pair } from "./query.js";
import { encodeBase64 } from "./signing.js";

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

/** Credentials that sign requests. token, renew: of those that run out; true where a request may be sent again. */
export interface Credentials {
  readonly token?: string;
  renew?(used: string): Promise<boolean>;
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

function formatBasic(name: string, secret: string): string {
  return `Basic ${encodeBase64(new TextEncoder().encode(`${name}:${secret}`))}`;
}
