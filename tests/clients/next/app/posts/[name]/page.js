import { notFound } from "next/navigation";

import { findPost, listPosts, name } from "../../../lib/vetrina";

export async function generateStaticParams() {
  return (await listPosts()).map((post) => ({ name: name(post) }));
}

export default async function Post({ params }) {
  const post = await findPost(parseInt((await params).name, 10) || 0);
  if (post === null) notFound();
  return (
    <article>
      <h1 dangerouslySetInnerHTML={{ __html: post.title.rendered }} />
      <p>{post._embedded.author[0].name}</p>
      <div dangerouslySetInnerHTML={{ __html: post.content.rendered }} />
    </article>
  );
}
