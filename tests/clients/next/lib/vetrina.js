import { cacheLife, cacheTag } from "next/cache";

const API = process.env.VETRINA_API; // https://example.org/en/cms-json

/** Returns what the interface answers to visitors, kept until a change has one of its tags; null for what is not there. */
export async function read(path) {
  "use cache";
  cacheLife("max");
  const answer = await fetch(API + path);
  if (answer.status === 401 || answer.status === 404) {
    cacheLife("seconds"); // a refusal has no tags
    return null;
  }
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  cacheTag(...(answer.headers.get("cache-tag") ?? "").split(",").filter(Boolean));
  return answer.json();
}

export const listPosts = () => read("/cms/v2/posts?per_page=20&_fields=id,slug,title");

export const findPost = (id) => read(`/cms/v2/posts/${id}?_embed`);

/** The last part of a post's address: its id finds it, its slug is for people. */
export const name = (post) => `${post.id}-${post.slug}`;
