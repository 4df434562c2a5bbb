import { createHmac, timingSafeEqual } from "node:crypto";

import { forget } from "../../lib/vetrina.js";

/** What a webhook of Vetrina calls: forgets what was made from what changed. */
export async function POST({ request }) {
  const body = Buffer.from(await request.arrayBuffer());
  if (!isGenuine(body, request.headers.get("x-cms-webhook-signature") ?? "")) {
    return new Response("wrong signature", { status: 401 });
  }
  const { tags = [] } = JSON.parse(body);
  forget(tags);
  return Response.json({ forgotten: tags });
}

function isGenuine(body, signature) {
  const made = createHmac("sha256", process.env.VETRINA_SECRET).update(body).digest();
  const given = Buffer.from(signature, "base64");
  return made.length === given.length && timingSafeEqual(made, given);
}
