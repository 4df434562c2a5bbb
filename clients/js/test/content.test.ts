// Content by the client, in both dialects: records, lists, files, languages, revisions.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { authorOf, featuredMediaOf, termsOf, type Client, type Post } from "../src/index.js";
import { refusalOf } from "./refusals.js";
import { clientOf, DIALECTS, findSite, reset } from "./site.js";

const site = findSite("second");

for (const dialect of DIALECTS) {
  describe(`content, ${dialect}`, () => {
    let client: Client;
    beforeEach(async () => {
      await reset(site);
      client = clientOf(site, "administrator", { dialect });
    });

    test("a record is made, read, changed, trashed and removed", async () => {
      const made = await client.posts.create({ title: "Harbour", status: "publish", content: "<p>Boats</p>" });
      assert.equal((await client.posts.get(made.id)).title.rendered, "Harbour");
      assert.equal((await client.posts.update(made.id, { title: "Port" })).title.raw, "Port");
      assert.equal((await client.posts.trash(made.id)).status, "trash");
      assert.equal((await client.posts.delete(made.id)).id, made.id);
      const error = await refusalOf(client.posts.get(made.id));
      assert.deepEqual([error.status, error.code], [404, "rest_post_invalid_id"]);
    });

    test("a list gives every record once and reads no page too many", async () => {
      const titles = Array.from({ length: 7 }, (_, number) => `Tag ${number}`);
      for (const name of titles) await client.tags.create({ name });
      const listing = client.tags.list({ per_page: 3, orderby: "name" });
      const found: string[] = [];
      for await (const tag of listing) found.push(tag.name);
      assert.deepEqual(found, titles);
      const second = await listing.page(2);
      assert.deepEqual([second.total, second.pages, second.number, second.items.length], [7, 3, 2, 3]);
      const sizes: number[] = [];
      for await (const page of listing.pages()) sizes.push(page.items.length);
      assert.deepEqual(sizes, [3, 3, 1]);
      assert.equal((await client.tags.list({ per_page: 7 }).page()).pages, 1);
      // @ts-expect-error A list is read from its start.
      assert.throws(() => client.tags.list({ page: 2 }), /page\(2\)/);
    });

    test("a list that shrinks while it is read ends", async () => {
      const ids: number[] = [];
      for (let number = 0; number < 4; number++) {
        ids.push((await client.posts.create({ title: `Post ${number}`, status: "publish" })).id);
      }
      const reading = client.posts.list({ per_page: 2 })[Symbol.asyncIterator]();
      const first = [(await reading.next()).value, (await reading.next()).value] as Post[];
      assert.deepEqual(
        first.map((post) => post.id),
        [ids[3], ids[2]],
      );
      for (const id of ids.slice(0, 3)) await client.posts.delete(id);
      assert.equal((await reading.next()).done, true);
    });

    test("fields, context and embed choose what is answered", async () => {
      const made = await client.posts.create({ title: "Harbour", status: "publish" });
      const slim = await client.posts.get(made.id, { fields: ["id", "title.rendered"] });
      assert.deepEqual(slim, { id: made.id, title: { rendered: "Harbour" } });
      // @ts-expect-error What was not asked for is not in the type either.
      assert.equal(slim.content, undefined);
      assert.equal((await client.posts.get(made.id, { context: "edit" })).title.raw, "Harbour");
      const embedded = await client.posts.get(made.id, { embed: ["author"] });
      assert.equal(authorOf(embedded)?.name, "Administrator");
      assert.deepEqual(termsOf(embedded), []);
    });

    test("author, picture and terms are embedded in one request", async () => {
      const picture = await client.media.upload(new Blob([PIXEL], { type: "image/png" }), { name: "pixel.png" });
      const tag = await client.tags.create({ name: "Boats" });
      const made = await client.posts.create({
        title: "x",
        status: "publish",
        featured_media: picture.id,
        tags: [tag.id],
      });
      const [found] = await client.posts.list({ embed: ["author", "cms:featuredmedia", "cms:term"] }).all();
      assert.ok(found);
      assert.equal(found.id, made.id);
      assert.equal(authorOf(found)?.slug, "admin");
      assert.equal(featuredMediaOf(found)?.mime_type, "image/png");
      assert.deepEqual(
        termsOf(found, "post_tag").map((term) => term.name),
        ["Boats"],
      );
      assert.ok(termsOf(await client.posts.get(made.id, { embed: true })).length > 1);
    });

    test("a file goes as a part of a form or as the body", async () => {
      const parted = await client.media.upload(new File(["one and two"], "caffè nero.txt"), {
        values: { title: "A cup" },
      });
      assert.deepEqual([parted.title.raw, parted.mime_type], ["A cup", "text/plain"]);
      assert.match(parted.source_url, /\/caffe-nero\.txt$/);
      const bytes = new TextEncoder().encode("three");
      const whole = await client.media.upload(bytes, {
        name: "caffè lungo.txt",
        raw: true,
        values: { title: "Another" },
      });
      assert.equal(whole.title.raw, "Another");
      assert.match(whole.source_url, /\/caffe-lungo\.txt$/);
      assert.throws(() => client.media.upload(bytes), /what the file is called/);
    });

    test("a record knows its revisions", async () => {
      const made = await client.pages.create({ title: "One", content: "first" });
      await client.pages.update(made.id, { content: "second" });
      await client.pages.update(made.id, { content: "third" });
      const found = await client.pages.revisions(made.id).list({ context: "edit" }).all();
      assert.deepEqual(
        found.map((revision) => revision.content.raw),
        ["third", "second"],
      );
      await client.pages.revisions(made.id).delete(found[1]?.id ?? 0);
      assert.equal((await client.pages.revisions(made.id).list().all()).length, 1);
    });

    test("a language is chosen for a call or for a client", async () => {
      const english = await client.posts.create({ title: "Boats", status: "publish" });
      const italian = await client.posts.create({
        title: "Barche",
        status: "publish",
        lang: "it",
        translations: { en: english.id },
      });
      assert.equal(italian.translations?.["en"]?.id, english.id);
      const idsOf = async (reader: Client, language?: string) =>
        (await reader.posts.list(language === undefined ? {} : { language }).all()).map((post) => post.id);
      assert.deepEqual(await idsOf(client, "it"), [italian.id]);
      const reader = clientOf(site, null, { dialect, language: "it" });
      assert.deepEqual(await idsOf(reader), [italian.id]);
      assert.deepEqual(await idsOf(reader, "en"), [english.id]);
      assert.deepEqual(await idsOf(reader.inLanguage("en")), [english.id]);
    });

    test("translation jobs are sent and listed", async () => {
      const items: { type: string; id: number }[] = [];
      for (let number = 0; number < 3; number++) {
        items.push({
          type: "post_post",
          id: (await client.posts.create({ title: `Post ${number}`, status: "publish" })).id,
        });
      }
      const made = await client.translations.send(items, ["it"]);
      const listed = await client.translations.list().all();
      assert.deepEqual(listed.map((job) => job.id).sort(), made.map((job) => job.id).sort());
      assert.deepEqual(await client.translations.list({ source_language: "it" }).all(), []);
    });

    test("what has no name here is reached by its path", async () => {
      const types = client.collection<{ slug: string; rest_base: string }>("/cms/v2/types");
      const slugs = (await types.list().all()).map((type) => type.slug);
      assert.ok(slugs.includes("post") && slugs.includes("page"));
      assert.equal((await types.get("post")).rest_base, "posts");
      assert.deepEqual(await client.request("GET", "/cms/v2/posts", { query: { include: [1, 2] } }), []);
      assert.ok(await client.request("GET", "/shop-admin/features"));
      assert.throws(() => client.request("GET", "/cms/v2/posts?page=2"), /more than a path/);
    });

    test("a template is named by a path of its own", async () => {
      const templates = client.collection<{ id: string; slug: string }>("/cms/v2/templates");
      const [template] = (await templates.list().page()).items;
      assert.match(template?.id ?? "", /\/\//);
      assert.equal((await templates.get(template?.id ?? "")).slug, template?.slug);
    });

    test("the site says who calls, what it is and what it has", async () => {
      assert.deepEqual((await client.me()).roles, ["administrator"]);
      assert.equal((await client.settings.update({ title: "Quay" })).title, "Quay");
      assert.equal((await client.settings.get()).title, "Quay");
      assert.equal((await client.index()).name, "Quay");
      const made = await client.posts.create({ title: "Lighthouse", status: "publish" });
      const found = await client.search("lighthouse").all();
      assert.deepEqual(
        found.map((one) => one.id),
        [made.id],
      );
      assert.equal((await clientOf(site, null, { dialect }).index()).name, "Quay");
      const user = await client.users.create({ username: "mara", email: "mara@example.org", password: "A long one 7" });
      assert.equal((await client.users.delete(user.id, { reassign: false })).id, user.id);
    });

    test("a moment is written with its offset", async () => {
      const made = await client.posts.create({
        title: "Then",
        date_gmt: new Date("2030-01-31T09:00:00.250Z"),
        status: "future",
      });
      assert.equal(made.date_gmt, "2030-01-31T09:00:00");
    });
  });
}

// A picture of one pixel.
const PIXEL = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (sign) => sign.charCodeAt(0),
);
