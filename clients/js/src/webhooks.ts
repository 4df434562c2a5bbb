// Messages of webhooks, verified with WebCrypto: no request is believed before its signature is that of the secret.

import { VetrinaError } from "./errors.js";
import { isHmac } from "./signing.js";

/** What a webhook for content sends. record: null for what was deleted. */
export interface WebhookMessage<T = unknown> {
  topic: string;
  delivery_id: string;
  webhook_id: number;
  time: string;
  site: string;
  type: string;
  id: number;
  path: string | null;
  record: T | null;
}

/** Return whether a message is genuine. body: as it came, before it is parsed. signature: of the header, in base64. */
export async function verifyWebhook(
  secret: string,
  body: string | BufferSource,
  signature: string | null | undefined,
): Promise<boolean> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const given = decodeBase64(signature ?? "");
  return given !== undefined && isHmac(secret, bytes, given);
}

/**
 * Return the message of a request, as it comes in a route of a framework. Throws a VetrinaError with the code
 * `webhook_not_genuine` where the signature is wrong or missing.
 */
export async function readWebhook<T = unknown>(request: Request, secret: string): Promise<WebhookMessage<T>> {
  const body = await request.arrayBuffer();
  const named = (name: string) => request.headers.get(name);
  const signature =
    named("x-cms-webhook-signature") ?? named("x-shop-webhook-signature") ?? named("x-wc-webhook-signature");
  if (!(await verifyWebhook(secret, body, signature))) {
    throw new VetrinaError("not_understood", "the message is not signed with the secret of this webhook", {
      code: "webhook_not_genuine",
    });
  }
  return JSON.parse(new TextDecoder().decode(body)) as WebhookMessage<T>;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
}
