// What is kept and told later: answers with their entity tags, the change feed, previews, messages of webhooks.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { beforeEach, describe, test } from "node:test";

import { createCache, type Change } from "../src/index.js";
import { readWebhook, verifyWebhook } from "../src/webhooks.js";
import { Answers, refusalOf } from "./refusals.js";
import { clientOf, findSite, reset } from "./site.js";

const site = findSite("first");

beforeEach(() => reset(site));

describe("answers that are kept", () => {
  test("what did not change is not sent again, and what did is", async () => {
    const post = await clientOf(site).posts.create({ title: "Harbour", status: "publish" });
    const statuses: number[] = [];
    const counting: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init);
      statuses.push(answer.status);
      return answer;
    };
    const reader = clientOf(site, null, { cache: createCache(), fetch: counting });
    const titles = async () => (await reader.posts.list().all()).map((one) => one.title.rendered);
    assert.deepEqual([await titles(), await titles()], [["Harbour"], ["Harbour"]]);
    await clientOf(site).posts.update(post.id, { title: "Port" });
    assert.deepEqual(await titles(), ["Port"]);
    assert.deepEqual(statuses, [200, 304, 200]);
  });

  test("what is not to be stored is not kept, and the oldest goes first", async () => {
    const kept = createCache(2);
    const reply = (text: string) => ({ status: 200, headers: new Headers({ etag: `"${text}"` }), text });
    for (const name of ["a", "b"]) void kept.set(name, reply(name));
    await kept.get("a");
    void kept.set("c", reply("c"));
    assert.deepEqual(
      [(await kept.get("a"))?.text, await kept.get("b"), (await kept.get("c"))?.text],
      ["a", undefined, "c"],
    );
    const secret = () => new Response("[]", { headers: { ETag: '"x"', "Cache-Control": "private, no-store" } });
    const answers = new Answers(secret(), secret());
    const client = clientOf(site, null, { fetch: answers.fetch, cache: createCache() });
    await client.posts.list().all();
    await client.posts.list().all();
    assert.ok(answers.sent.every(({ init }) => !new Headers(init.headers).has("if-none-match")));
  });
});

describe("the change feed", () => {
  test("changes are told from a cursor on, in their order", async () => {
    const client = clientOf(site);
    const since = await client.changes.now();
    const post = await client.posts.create({ title: "Harbour", status: "publish" });
    const page = await client.changes.page({ since, kinds: ["post"] });
    assert.ok(page.changes.some((change) => change.id === post.id && change.action !== "removed"));
    assert.ok(page.next > since);
  });

  for (const push of [true, false]) {
    test(`following yields what happens until it is stopped, ${push ? "pushed" : "asked for"}`, async () => {
      const client = clientOf(site);
      const stopper = new AbortController();
      const since = await client.changes.now();
      const seen: Change[] = [];
      let cursor = since;
      const following = (async () => {
        const onCursor = (reached: number) => {
          cursor = reached;
          if (seen.some((one) => one.transition === "trashed")) stopper.abort();
        };
        const options = { interval: 10, signal: stopper.signal, push, onCursor };
        for await (const change of client.changes.follow({ since, kinds: ["post"] }, options)) seen.push(change);
      })();
      const post = await client.posts.create({ title: "Harbour", status: "publish" });
      await client.posts.trash(post.id);
      await following;
      assert.ok(seen.every((change) => change.id === post.id));
      const rest = await client.changes.page({ since: cursor, kinds: ["post"] });
      assert.deepEqual(rest.changes, []);
    });
  }

  test("whoever stops reading ends the stream", async () => {
    let ended = false;
    const body = new ReadableStream({
      start: (out) => {
        out.enqueue(new TextEncoder().encode('id: 8\ndata: {"id": 8}\n\n'));
      },
      cancel: () => {
        ended = true;
      },
    });
    const answers = new Answers(new Response(body, { headers: { "Content-Type": "text/event-stream" } }));
    for await (const change of clientOf(site, null, { fetch: answers.fetch }).changes.follow({ since: 7 })) {
      assert.equal(change.id, 8);
      break;
    }
    assert.equal(ended, true);
  });

  test("events are put together from parts, and a lost stream goes on where it was", async () => {
    const stream = (...parts: string[]) => {
      const bytes = parts.map((part) => new TextEncoder().encode(part));
      const body = new ReadableStream({
        pull: (out) => {
          const next = bytes.shift();
          if (next) out.enqueue(next);
          else out.close();
        },
      });
      return new Response(body, { headers: { "Content-Type": "text/event-stream; charset=UTF-8" } });
    };
    const change = (id: number) => `event: change\nid: ${id}\ndata: {"id": ${id}}\n\n`;
    const busy = Response.json({ code: "rest_too_many_streams" }, { status: 429 });
    const answers = new Answers(
      stream("retry: 5\nid: 7\n\n:\n\n", change(8).slice(0, 20), change(8).slice(20) + change(9)),
      new TypeError("lost"),
      busy,
      Response.json({ changes: [{ id: 10 }], next: 10, more: false }),
      Response.json({ code: "rest_changes_gone" }, { status: 410 }),
    );
    const seen: (number | null)[] = [];
    const follow = async () => {
      const client = clientOf(site, null, { fetch: answers.fetch });
      for await (const one of client.changes.follow({ since: 7 }, { interval: 5 })) seen.push(one.id);
    };
    assert.equal((await refusalOf(follow())).status, 410);
    assert.deepEqual(seen, [8, 9, 10]);
    assert.deepEqual(
      answers.sent.map(({ url }) => new URL(url).searchParams.get("since")),
      ["7", "9", "9", "9", "10"],
    );
    assert.deepEqual(
      answers.sent.map(({ init }) => /event-stream/.test(new Headers(init.headers).get("accept") ?? "")),
      [true, true, true, false, false],
    );
  });

  test("a cursor from nowhere is refused", async () => {
    const error = await refusalOf(clientOf(site).changes.page({ since: 999_999_999 }));
    assert.equal(error.status, 410);
  });
});

test("a preview shows a draft and its unsaved texts to a visitor", async () => {
  const editor = clientOf(site, "editor");
  // What authors save of their own drafts is the draft itself; what others do, an autosave.
  const draft = await clientOf(site, "author").posts.create({ title: "The coast in winter" });
  const { token } = await editor.request<{ token: string }>("POST", `/cms/v2/posts/${draft.id}/preview-links`, {
    body: { expires_in: 7200 },
  });
  const visitor = clientOf(site, null);
  assert.equal((await refusalOf(visitor.posts.get(draft.id))).status, 401);
  const previewing = visitor.preview(token);
  assert.equal((await previewing.posts.get(draft.id)).title.rendered, "The coast in winter");
  await editor.posts.autosaves(draft.id).create({ title: "The coast in January" });
  assert.equal((await previewing.posts.get(draft.id, { embed: ["author"] })).title.rendered, "The coast in January");
  const [autosave] = await previewing.posts.autosaves(draft.id).list().all();
  assert.equal(autosave?.title.rendered, "The coast in January");
  assert.deepEqual(await previewing.posts.list().all(), []);
});

test("a preview's token is sent where a single record is read, and its answers are not kept", async () => {
  const answers = new Answers(Response.json({ id: 12 }), Response.json([]));
  const cache = { get: () => assert.fail("it was looked up"), set: () => assert.fail("it was kept") };
  const previewing = clientOf(site, null, { fetch: answers.fetch, cache }).preview("a.token");
  await previewing.posts.get(12, { fields: ["id"] });
  await previewing.posts.list().all();
  const [one, list] = answers.sent.map(({ url }) => new URL(url).searchParams);
  assert.equal(one?.get("preview"), "a.token");
  assert.equal(list?.has("preview"), false);
});

describe("messages of webhooks", () => {
  const secret = "at least sixteen characters";
  const body = JSON.stringify({ topic: "post.published", id: 12, record: { id: 12, title: "Caffè" } });
  const signature = createHmac("sha256", secret).update(body).digest("base64");

  test("only the secret's signature of that body is genuine", async () => {
    assert.equal(await verifyWebhook(secret, body, signature), true);
    assert.equal(await verifyWebhook(secret, new TextEncoder().encode(body), signature), true);
    assert.equal(await verifyWebhook("another secret, as long", body, signature), false);
    assert.equal(await verifyWebhook(secret, `${body} `, signature), false);
    for (const none of [null, undefined, "", "no base64!", signature.slice(4)]) {
      assert.equal(await verifyWebhook(secret, body, none), false);
    }
  });

  test("a request is read once it is genuine", async () => {
    const message = (signed: string) =>
      new Request("https://front.example/hook", {
        method: "POST",
        body,
        headers: { "X-CMS-Webhook-Signature": signed },
      });
    const read = await readWebhook<{ title: string }>(message(signature), secret);
    assert.deepEqual([read.topic, read.record?.title], ["post.published", "Caffè"]);
    assert.equal((await refusalOf(readWebhook(message("AAAA"), secret))).code, "webhook_not_genuine");
  });
});
