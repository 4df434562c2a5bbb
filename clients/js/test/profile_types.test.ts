// The types of a profile: records and terms by their base, with the types that a site's program gives them.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { createClient, type Post } from "../src/index.js";
import { findAccount, findSite, reset } from "./site.js";

interface Types {
  percorso: Post<{ length_km?: string }>;
  intervento: Post;
}

const site = findSite("first");

beforeEach(() => reset(site));

test("records of a profile's own type are a collection with its own fields", async () => {
  const { login, application_password: password } = findAccount(site, "administrator");
  const client = createClient<Types>({ url: site.url, auth: { login, password } });
  const made = await client.records("percorso").create({ title: "Along the quay", status: "publish" });
  const found = await client.records("percorso").get(made.id, { fields: ["title", "type", "meta"] });
  assert.deepEqual([found.title.rendered, found.type], ["Along the quay", "percorso"]);
  const length: string | undefined = found.meta.length_km;
  assert.equal(length, undefined);
  // @ts-expect-error A base that the profile has not.
  client.records("percorsi");
});

test("terms of a profile's own taxonomy are a collection", async () => {
  const { login, application_password: password } = findAccount(site, "administrator");
  const client = createClient<Types>({ url: site.url, auth: { login, password } });
  const made = await client.terms("categoria-intervento").create({ name: "Walls" });
  assert.deepEqual(
    (await client.terms("categoria-intervento").list().all()).map((term) => term.id),
    [made.id],
  );
});
