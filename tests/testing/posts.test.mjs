import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";

import { startStandIn } from "./stand-in.mjs";

let site;
const signed = { Authorization: `Basic ${btoa("admin:application password")}`, "Content-Type": "application/json" };

// VETRINA: how the command is called where it is not on the path.
before(async () => {
  site = await startStandIn({ users: process.env.USERS, command: process.env.VETRINA?.split(" ") });
});
beforeEach(() => site.reset());
after(() => site.stop());

async function create(post) {
  const answer = await fetch(`${site.root}/cms/v2/posts`, {
    method: "POST", headers: signed, body: JSON.stringify(post),
  });
  return answer.json();
}

async function titles() {
  const answer = await fetch(`${site.root}/cms/v2/posts`);
  return (await answer.json()).map((post) => post.title.rendered);
}

test("a published post is listed", async () => {
  await create({ title: "Harbour", status: "publish" });
  assert.deepEqual(await titles(), ["Harbour"]);
});

test("every test begins at the start", async () => {
  assert.deepEqual(await titles(), []);
});

test("a scheduled post is published when its time has come", async () => {
  await site.setClock(new Date("2031-01-01T00:00:00Z"), true);
  await create({ title: "Later", status: "future", date_gmt: "2031-01-01T01:00:00" });
  assert.deepEqual(await titles(), []);
  await site.travel(3600);
  assert.deepEqual(await titles(), ["Later"]);
});
