// Batches by the client: split by the site's limit, with a result for every part.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import type { Client } from "../src/index.js";
import { Answers, refusalOf } from "./refusals.js";
import { clientOf, DIALECTS, findSite, reset } from "./site.js";

const site = findSite("second");

for (const dialect of DIALECTS) {
  describe(`batches, ${dialect}`, () => {
    let client: Client;
    beforeEach(async () => {
      await reset(site);
      client = clientOf(site, "administrator", { dialect });
    });

    test("more than the site takes at once goes in several requests", async () => {
      const names = Array.from({ length: 60 }, (_, number) => `Tag ${number}`);
      const tags = await client.batch((batch) => names.map((name) => batch.of(client.tags).create({ name })));
      assert.deepEqual(
        tags.map((tag) => tag.name),
        names,
      );
      assert.equal((await client.tags.list().page()).total, 60);
    });

    test("parts change, trash and remove, and each has its type", async () => {
      const ids: number[] = [];
      for (let number = 0; number < 3; number++) ids.push((await client.posts.create({ title: `Post ${number}` })).id);
      const [one = 0, two = 0, three = 0] = ids;
      const [changed, trashed, removed, plain] = await client.batch((batch) => {
        const posts = batch.of(client.posts);
        return [
          posts.update(one, { title: "Changed" }),
          posts.trash(two),
          posts.delete(three),
          batch.add<{ name: string }>("POST", "/cms/v2/categories", { name: "Harbours" }),
        ];
      });
      assert.equal(changed.title.raw, "Changed");
      assert.equal(trashed.status, "trash");
      assert.equal(removed.id, three);
      assert.equal(plain.name, "Harbours");
    });

    test("a refused part is told at the end and the others are kept", async () => {
      const error = await refusalOf(
        client.batch((batch) => [
          batch.of(client.tags).create({ name: "Good" }),
          batch.of(client.tags).create({ slug: "nameless" }),
        ]),
      );
      assert.equal(error.kind, "batch_failed");
      assert.match(error.message, /^1 of 2 parts/);
      const [good, bad] = error.parts;
      assert.equal(good?.status, "fulfilled");
      assert.ok(bad?.status === "rejected");
      assert.deepEqual((bad.reason as typeof error).params, { name: "missing" });
      assert.equal((await client.tags.list().all()).length, 1);
    });

    test("errors may be left to the parts", async () => {
      const [bad, good] = await client.batchSettled((batch) => [
        batch.of(client.tags).create({ slug: "nameless" }),
        batch.of(client.tags).create({ name: "Good" }),
      ]);
      assert.equal(bad.status, "rejected");
      assert.ok(good.status === "fulfilled");
      assert.equal(good.value.name, "Good");
    });

    test("all or none runs nothing where a part cannot be valid", async () => {
      const [good, bad] = await client.batchSettled(
        (batch) => [
          batch.of(client.posts).create({ title: "Good" }),
          batch.of(client.posts).create({ status: "nonsense" }),
        ],
        { allOrNone: true },
      );
      assert.ok(good.status === "rejected" && bad.status === "rejected");
      assert.deepEqual(
        [(good.reason as Error & { kind: string }).kind, String(bad.reason).length > 0],
        ["not_run", true],
      );
      assert.deepEqual(await client.posts.list({ status: "any" }).all(), []);
      const many = Array.from({ length: 26 }, (_, number) => `Tag ${number}`);
      await assert.rejects(
        client.batch((batch) => many.map((name) => batch.of(client.tags).create({ name })), { allOrNone: true }),
        /takes 25 at once/,
      );
      assert.deepEqual(await client.tags.list().all(), []);
    });

    test("a builder that throws sends nothing", async () => {
      await assert.rejects(
        async () =>
          client.batch((batch) => {
            batch.of(client.tags).create({ name: "Never" });
            throw new RangeError("no");
          }),
        RangeError,
      );
      assert.deepEqual(await client.tags.list().all(), []);
    });

    test("no batch carries a read", async () => {
      const read = "GET" as "POST";
      await assert.rejects(async () => client.batch((batch) => [batch.add(read, "/cms/v2/posts")]), /cannot carry GET/);
    });
  });
}

test("what was carried out before a later request fails is told", async () => {
  const limit = Response.json({ endpoints: [{ args: { requests: { maxItems: 25 } } }] });
  const first = Response.json({
    responses: Array.from({ length: 25 }, () => ({ status: 201, headers: {}, body: { id: 1 } })),
  });
  const answers = new Answers(limit, first, new Error("broken"));
  const client = clientOf(site, null, { fetch: answers.fetch });
  const results = await client.batchSettled((batch) =>
    Array.from({ length: 60 }, (_, number) => batch.of(client.tags).create({ name: `${number}` })),
  );
  const told = results.map((result) =>
    result.status === "fulfilled" ? "done" : (result.reason as { kind: string }).kind,
  );
  assert.deepEqual(
    [told[24], told[25], told[49], told[50], told[59]],
    ["done", "no_answer", "no_answer", "not_run", "not_run"],
  );
});
