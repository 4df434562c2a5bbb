// Drives a site with the client `wpapi`: node wpapi.cjs ADDRESS LOGIN PASSWORD. Writes what it saw as JSON.
const WPAPI = require("wpapi");

async function main([address, username, password]) {
  const saw = {};
  const site = await WPAPI.discover(address);
  saw.root = (await site.root().get()).namespaces;
  const own = await site.auth({ username, password });

  const created = [];
  for (let at = 0; at < 5; at += 1) {
    created.push(await own.posts().create({ title: `Note ${at}`, content: "<p>ruscello</p>", status: "publish" }));
  }
  saw.created = created.map((post) => post.title.raw);
  const kind = await own.categories().create({ name: "Walks" });
  const changed = await own.posts().id(created[0].id).update({ title: "Changed", categories: [kind.id] });
  saw.changed = [changed.title.raw, changed.categories, changed.meta._acf_changed];

  // Page through, two at a time, as the client does: by the links of the answers.
  let page = await site.posts().perPage(2).order("asc").orderby("id");
  saw.paging = page._paging;
  saw.titles = [];
  for (;;) {
    saw.titles.push(...page.map((post) => post.title.rendered));
    if (!page._paging.next) break;
    page = await page._paging.next;
  }
  saw.found = (await site.posts().search("changed")).map((post) => post.id === created[0].id);
  const [embedded] = await site.posts().include([created[0].id]).embed();
  saw.embedded = embedded._embedded["wp:term"][0].map((term) => term.name);
  const type = await site.types().type("wp_block");
  saw.type = [type.slug, type.taxonomies];
  const block = await own.blocks().create({ title: "B", content: "<p>b</p>", status: "publish" });
  saw.block = block.type;

  const gone = await own.posts().id(created[4].id).delete({ force: true });
  saw.deleted = gone.deleted;
  saw.missing = await own.posts().id(created[4].id).get().catch((error) => error.code);
  const stranger = await WPAPI.discover(address);
  saw.refused = await stranger.posts().create({ title: "x" }).catch((error) => error.code);
  return saw;
}

main(process.argv.slice(2)).then((saw) => console.log(JSON.stringify(saw)), (error) => { console.error(error); process.exit(1); });
