// A consumer key of the shop that signs each request, so that its secret is never sent; for addresses without TLS.
// Rules: RFC 5849 (OAuth 1.0a), without a token.

import type { Credentials } from "./credentials.js";
import type { Pair } from "./query.js";
import { computeHmac, encodeBase64 } from "./signing.js";

/** Return the credentials of a consumer key. The clocks of both machines may differ by a quarter of an hour. */
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

function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
