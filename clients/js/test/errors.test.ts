// What goes wrong is an error with the site's message, and only requests that change nothing are sent again.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, test } from "node:test";

import { createClient, signWithKey, signWithPassword, type ClientOptions } from "../src/index.js";
import { Answers, refusalOf } from "./refusals.js";
import { clientOf, DIALECTS, findSite, reset } from "./site.js";

const site = findSite("second");

beforeEach(() => reset(site));

for (const dialect of DIALECTS) {
  test(`a refusal names its code and every parameter, ${dialect}`, async () => {
    const client = clientOf(site, "administrator", { dialect });
    const error = await refusalOf(client.posts.create({ status: "nonsense", author: "nobody" as unknown as number }));
    assert.deepEqual([error.kind, error.status, error.code], ["refused", 400, "rest_invalid_param"]);
    assert.deepEqual(Object.keys(error.params).sort(), ["author", "status"]);
    assert.equal(error.details["status"]?.code, "rest_not_in_enum");
    assert.ok(error.is("rest_invalid_param") && error.is(400) && !error.is(404));
  });
}

describe("refusals of a real site", () => {
  test("they are told apart by their status", async () => {
    assert.equal((await refusalOf(clientOf(site, null).posts.create({ title: "x" }))).status, 401);
    assert.equal((await refusalOf(clientOf(site, "subscriber").posts.create({ title: "x" }))).status, 403);
    const stranger = createClient({ url: site.url, auth: { login: "admin", password: "wrong" } });
    assert.equal((await refusalOf(stranger.me())).code, "incorrect_password");
  });

  test("who fails too often is told how long to wait", async () => {
    const stranger = createClient({ url: site.url, auth: { login: "admin", password: "wrong" }, retries: 0 });
    let error = await refusalOf(stranger.me());
    for (let attempt = 0; error.status !== 429 && attempt < 100; attempt++) error = await refusalOf(stranger.me());
    assert.ok((error.retryAfter ?? 0) > 0);
  });
});

test("nobody at the address is no answer", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise((resolve) => server.close(resolve));
  const error = await refusalOf(createClient({ url, retries: 0 }).index());
  assert.deepEqual([error.kind, error.status], ["no_answer", 0]);
});

test("a site that takes too long is no answer, and a signal stops the waiting", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  try {
    const error = await refusalOf(createClient({ url, timeout: 50, retries: 0 }).index());
    assert.match(error.message, /in time/);
    const reason = new RangeError("enough");
    const stopper = new AbortController();
    setTimeout(() => {
      stopper.abort(reason);
    }, 30);
    await assert.rejects(createClient({ url }).index({ signal: stopper.signal }), reason);
    await assert.rejects(createClient({ url }).index({ signal: AbortSignal.abort(reason) }), reason);
  } finally {
    silent.close();
  }
});

test("what is no interface is not understood", async () => {
  const page = () => new Response("<html>", { headers: { "Content-Type": "text/html" } });
  const moved = () => new Response(null, { status: 301, headers: { Location: "https://other/" } });
  assert.match((await refusalOf(told(page()).index())).message, /no JSON but text\/html/);
  assert.match((await refusalOf(told(moved()).index())).message, /leads to https:\/\/other\//);
  const broken = await refusalOf(told(new Response("<html>", { status: 502 })).posts.create({ title: "x" }));
  assert.deepEqual([broken.kind, broken.status, broken.code], ["refused", 502, ""]);
});

for (const status of [429, 502, 503, 504]) {
  test(`a read is sent again when the site asks to wait: ${status}`, async () => {
    const answers = new Answers(waits(status, "0"), Response.json({ name: "Quay" }));
    assert.equal((await clientFor(answers).index()).name, "Quay");
    assert.equal(answers.sent.length, 2);
  });
}

test("a write is never sent again", async () => {
  const answers = new Answers(waits(503, "0"), Response.json({}));
  assert.equal((await refusalOf(clientFor(answers).posts.create({ title: "x" }))).status, 503);
  assert.equal(answers.sent.length, 1);
});

test("attempts end, and a long wait is an error at once", async () => {
  const answers = new Answers(...Array.from({ length: 9 }, () => waits(429, "0")));
  assert.equal((await refusalOf(clientFor(answers).index())).status, 429);
  assert.equal(answers.sent.length, 3);
  assert.equal((await refusalOf(told(waits(429, "31")).index())).retryAfter, 31);
  const dated = await refusalOf(told(waits(429, "Fri, 31 Dec 2999 23:59:59 GMT")).index());
  assert.ok((dated.retryAfter ?? 0) > 1e9);
});

test("a broken line is tried again", async () => {
  const answers = new Answers(new TypeError("fetch failed"), Response.json({ name: "Quay" }));
  assert.equal((await clientFor(answers).index()).name, "Quay");
});

test("no secret is shown", () => {
  for (const credentials of [signWithPassword({ login: "a", password: "hush" }), signWithKey("ck", "hush")]) {
    assert.doesNotMatch(JSON.stringify(credentials), /hush/);
  }
  const client = createClient({ url: "https://site.example", auth: { login: "a", password: "hush" } });
  assert.doesNotMatch(JSON.stringify(client), /hush/);
});

test("an address that cannot be is refused at once", () => {
  for (const url of ["example.org", "ftp://example.org", "https://", "https://a.example/?b=c"]) {
    assert.throws(() => createClient({ url }), /no address of a site/);
  }
  assert.throws(() => createClient({ url: "https://a:b@example.org" }), /credentials/);
  const latin = { url: "https://example.org", dialect: "latin" } as unknown as ClientOptions;
  assert.throws(() => createClient(latin), /known: neutral, wordpress/);
});

test("the address of the interface is as good as that of the site", async () => {
  const answers = new Answers(Response.json([]), Response.json([]), Response.json([]));
  for (const url of ["http://site.example/sub", "http://site.example/sub/", "http://site.example/sub/wp-json/"]) {
    const client = createClient({ url, dialect: "wordpress", fetch: answers.fetch });
    await client.posts.list({ categories: [1, 2], sticky: true }).all();
  }
  const asked = "http://site.example/sub/wp-json/wp/v2/posts?categories%5B0%5D=1&categories%5B1%5D=2&sticky=true";
  assert.deepEqual(
    answers.sent.map(({ url }) => url),
    [asked, asked, asked],
  );
});

function waits(status: number, after: string): Response {
  return new Response("{}", { status, headers: { "Retry-After": after } });
}

function told(answer: Response) {
  return clientFor(new Answers(answer));
}

function clientFor(answers: Answers) {
  return createClient({ url: "http://site.example", fetch: answers.fetch });
}
