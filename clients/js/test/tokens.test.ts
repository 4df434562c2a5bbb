// Signing in with tokens: renewed once when they have run out, by one request for all, and ended.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { createClient } from "../src/index.js";
import { Answers, refusalOf } from "./refusals.js";
import { clientOf, DIALECTS, findAccount, findSite, reset } from "./site.js";

const site = findSite("second");
const PASSWORD = "a long own password";
const json = (body: object, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
const expired = () => json({ code: "rest_token_expired", message: "It has run out.", data: { status: 401 } }, 401);
const tokens = (number: number) =>
  json({ access_token: `access ${number}`, refresh_token: `refresh ${number}`, session: "one" });

beforeEach(() => reset(site));

for (const dialect of DIALECTS) {
  test(`somebody signs in, goes on and signs out, in ${dialect} names`, async () => {
    await clientOf(site).request("POST", "/cms/v2/users/me", { body: { password: PASSWORD } });
    const { login } = findAccount(site, "administrator");
    const stranger = createClient({ url: site.url, dialect });
    const client = await stranger.signIn({ login, password: PASSWORD, name: "script", scopes: ["read"] });
    assert.equal((await client.me()).id, 1);
    assert.equal((await refusalOf(client.posts.create({ title: "X" }))).code, "rest_insufficient_scope");
    const later = await stranger.resume(client.refreshToken);
    assert.notEqual(later.refreshToken, client.refreshToken);
    assert.equal((await later.me()).id, 1);
    await later.signOut();
    assert.equal((await refusalOf(later.me())).status, 401);
    assert.equal((await refusalOf(client.me())).code, "rest_token_session_ended");
  });
}

test("what has run out is renewed once, and the request is sent again", async () => {
  const answers = new Answers(tokens(1), expired(), tokens(2), json({ id: 7 }));
  const stranger = createClient({ url: "https://example.org", fetch: answers.fetch });
  const client = await stranger.signIn({ login: "a", password: "b" });
  assert.equal((await client.me()).id, 7);
  const sent = answers.sent.map(({ url, init }) => [
    new URL(url).pathname,
    (init.headers as Record<string, string>)["Authorization"],
  ]);
  assert.deepEqual(sent, [
    ["/cms-json/access/v1/tokens", undefined],
    ["/cms-json/cms/v2/users/me", "Bearer access 1"],
    ["/cms-json/access/v1/tokens/refresh", undefined],
    ["/cms-json/cms/v2/users/me", "Bearer access 2"],
  ]);
  assert.equal(client.refreshToken, "refresh 2");
});

test("requests at once share one exchange", async () => {
  const answers = new Answers(tokens(1), expired(), expired(), tokens(2), json({ id: 1 }), json({ id: 1 }));
  const stranger = createClient({ url: "https://example.org", fetch: answers.fetch });
  const client = await stranger.signIn({ login: "a", password: "b" });
  await Promise.all([client.me(), client.me()]);
  assert.equal(answers.sent.filter(({ url }) => url.endsWith("/refresh")).length, 1);
});

test("a new token that is refused too is told, not renewed again", async () => {
  const answers = new Answers(tokens(1), expired(), tokens(2), expired());
  const stranger = createClient({ url: "https://example.org", fetch: answers.fetch });
  const client = await stranger.signIn({ login: "a", password: "b" });
  assert.equal((await refusalOf(client.me())).code, "rest_token_expired");
});

test("a page leaves the refresh token to a cookie", async () => {
  const given = { access_token: "access", session: "one" };
  const answers = new Answers(json(given), json(given), json({ deleted: true }));
  const stranger = createClient({ url: "https://example.org", fetch: answers.fetch });
  await stranger.signIn({ login: "a", password: "b", cookie: true });
  const client = await stranger.resume();
  await client.signOut();
  for (const { init } of answers.sent) {
    assert.equal(init.credentials, "same-origin");
    assert.equal((init.headers as Record<string, string>)["X-Requested-With"], "fetch");
  }
  assert.equal(client.refreshToken, "");
});
