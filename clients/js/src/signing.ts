// Keyed digests with WebCrypto, which browsers, Node and edge runtimes have alike.

const ALGORITHM = { name: "HMAC", hash: "SHA-256" };

/** Return the HMAC-SHA256 of a text. */
export async function computeHmac(secret: string, text: string): Promise<Uint8Array> {
  const key = await importKey(secret, "sign");
  return new Uint8Array(await crypto.subtle.sign(ALGORITHM, key, new TextEncoder().encode(text)));
}

/** Return whether a signature is that of the body, compared in constant time. */
export async function isHmac(secret: string, body: BufferSource, signature: BufferSource): Promise<boolean> {
  return crypto.subtle.verify(ALGORITHM, await importKey(secret, "verify"), signature, body);
}

export function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function importKey(secret: string, usage: KeyUsage): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), ALGORITHM, false, [usage]);
}
