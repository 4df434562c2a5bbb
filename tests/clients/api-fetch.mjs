// Drives a site with `@wordpress/api-fetch`: node api-fetch.mjs ROOT LOGIN PASSWORD. Writes what it saw as JSON.
import apiFetch from "@wordpress/api-fetch";

const fetched = apiFetch.default ?? apiFetch;

async function main([root, login, password]) {
  const saw = {};
  const key = "Basic " + Buffer.from(`${login}:${password}`).toString("base64");
  fetched.use(fetched.createRootURLMiddleware(root));
  fetched.use((options, next) => next({ ...options, headers: { ...options.headers, Authorization: key } }));

  const bodies = [0, 1, 2].map((at) => ({ title: `Leaf ${at}`, content: "<p>acero</p>", status: "publish" }));
  const made = [];
  for (const data of bodies) made.push(await fetched({ path: "/wp/v2/posts", method: "POST", data }));
  saw.created = made.map((post) => post.title.raw);

  const first = await fetched({ path: "/wp/v2/posts?per_page=2&context=edit", parse: false });
  saw.totals = [first.headers.get("X-WP-Total"), first.headers.get("X-WP-TotalPages")];
  saw.links = Object.keys((await first.json())[0]._links).filter((name) => name.startsWith("wp:")).length > 0;
  // Without a bound the client follows the links from page to page by itself.
  saw.all = (await fetched({ path: "/wp/v2/posts?per_page=-1&order=asc&orderby=id" })).map((post) => post.title.rendered);

  const changed = await fetched({ path: `/wp/v2/posts/${made[0].id}`, method: "PUT", data: { meta: { _acf_changed: true } } });
  saw.changed = changed.meta._acf_changed;
  saw.found = (await fetched({ path: "/wp/v2/search?search=leaf&type=post&subtype=post" })).length;
  saw.fields = await fetched({ path: `/wp/v2/posts/${made[0].id}?_fields=meta._acf_changed,type` });

  const batch = await fetched({
    path: "/batch/v1",
    method: "POST",
    data: {
      validation: "require-all-validate",
      requests: [
        { path: "/wp/v2/posts", body: { title: "In a batch", status: "publish" } },
        { path: "/wp/v2/blocks", body: { title: "B", content: "b", status: "publish", wp_pattern_category: [] } },
        { path: `/wp/v2/posts/${made[1].id}`, method: "PUT", body: { title: "Changed in a batch" } },
      ],
    },
  });
  saw.batch = batch.responses.map((part) => [part.status, part.body.type]);

  const gone = await fetched({ path: `/wp/v2/posts/${made[2].id}?force=true`, method: "DELETE" });
  saw.deleted = gone.deleted;
  saw.missing = await fetched({ path: `/wp/v2/posts/${made[2].id}` }).catch((error) => [error.code, error.data.status]);
  saw.options = (await fetched({ path: "/wp/v2/blocks", method: "OPTIONS" })).namespace;
  return saw;
}

main(process.argv.slice(2)).then((saw) => console.log(JSON.stringify(saw)), (error) => { console.error(error); process.exit(1); });
