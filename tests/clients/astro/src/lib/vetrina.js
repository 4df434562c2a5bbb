const API = process.env.VETRINA_API; // https://example.org/en/cms-json
const MOST = 1000; // answers that are kept

const kept = new Map(); // path → { tags, body }
const reading = new Set(); // what is read just now

/** Returns what the interface answers to visitors, kept until a change has one of its tags; null for what is not there. */
export async function read(path) {
  const found = kept.get(path);
  if (found) return found.body;
  const entry = { tags: [], body: null, changed: new Set() };
  reading.add(entry);
  try {
    const answer = await fetch(API + path);
    if (answer.status === 401 || answer.status === 404) return null;
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    entry.tags = (answer.headers.get("cache-tag") ?? "").split(",").filter(Boolean);
    entry.body = await answer.json();
  } finally {
    reading.delete(entry);
  }
  // What changed while it was read may be in it, or not.
  if (entry.tags.length && !entry.tags.some((tag) => entry.changed.has(tag))) keep(path, entry);
  return entry.body;
}

function keep(path, entry) {
  kept.set(path, entry);
  if (kept.size > MOST) kept.delete(kept.keys().next().value);
}

/** Forgets every answer that has one of these tags. */
export function forget(tags) {
  for (const entry of reading) for (const tag of tags) entry.changed.add(tag);
  for (const [path, entry] of kept) {
    if (entry.tags.some((tag) => tags.includes(tag))) kept.delete(path);
  }
}

export const listPosts = () => read("/cms/v2/posts?per_page=20&_fields=id,slug,title");

export const findPost = (id) => read(`/cms/v2/posts/${id}?_embed`);

/** The last part of a post's address: its id finds it, its slug is for people. */
export const name = (post) => `${post.id}-${post.slug}`;
