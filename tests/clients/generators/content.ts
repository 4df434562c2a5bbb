// Drives a site with types of openapi-typescript: node built/content.js ADDRESS LOGIN PASSWORD. Writes what it saw as JSON.
import createClient from "openapi-fetch";
import type { components, paths } from "./content-schema";

type Post = components["schemas"]["Post"];

async function main([address, login, password]: string[]): Promise<Record<string, unknown>> {
  const Authorization = "Basic " + Buffer.from(`${login}:${password}`).toString("base64");
  const client = createClient<paths>({ baseUrl: `${address}/en/cms-json`, headers: { Authorization } });

  const titles: string[] = [];
  for (const title of ["One", "Two", "Three"]) {
    const made = await client.POST("/cms/v2/posts", { body: { title, status: "publish" } });
    // A write answers in the context `edit`, where the raw title is always there.
    if (made.data) titles.push(made.data.title.raw.toUpperCase());
  }

  const { data: posts = [], response } = await client.GET("/cms/v2/posts", { params: { query: { per_page: 2, order: "asc", orderby: "id" } } });
  const shown = posts.map((post: Post) => post.title.rendered.length + post.content.rendered.length);
  const first = posts[0];
  if (first === undefined) throw new Error("there is no post");
  const second = await client.GET("/cms/v2/posts", { params: { query: { per_page: 2, page: 2 } } });

  const read = await client.GET("/cms/v2/posts/{id}", { params: { path: { id: first.id } } });
  const missing = await client.GET("/cms/v2/posts/{id}", { params: { path: { id: 999999 } } });
  let code = "";
  if (missing.error && "code" in missing.error) {
    const wrong = missing.error.code;
    code = wrong === "rest_post_invalid_id" ? wrong : `unexpected ${wrong}`;
  }
  const status: "publish" | "draft" | string = read.data?.status ?? "";
  return { titles, lengths: shown.length, total: response.headers.get("X-CMS-Total"), rest: second.data?.length, type: first.type satisfies "post", status, code };
}

main(process.argv.slice(2)).then((saw) => console.log(JSON.stringify(saw)), (error) => { console.error(error); process.exit(1); });
