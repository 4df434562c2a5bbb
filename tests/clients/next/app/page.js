import Link from "next/link";

import { listPosts, name } from "../lib/vetrina";

export default async function Posts() {
  return (
    <ul>
      {(await listPosts()).map((post) => (
        <li key={post.id}>
          <Link href={`/posts/${name(post)}`} dangerouslySetInnerHTML={{ __html: post.title.rendered }} />
        </li>
      ))}
    </ul>
  );
}
