"""Front ends of other origins get contents whose addresses lead to this site."""

from __future__ import annotations


def test_contents_and_excerpts_have_absolute_addresses(site) -> None:
    editor = site.client("editor")
    content = (
        '<!-- wp:paragraph --><p><a href="/en/about/">About</a> <img src="/media/a.jpg"></p><!-- /wp:paragraph -->'
    )
    given = {"title": "T", "content": content, "excerpt": '<a href="/en/more/">More</a>', "status": "publish"}
    made = editor.post("/cms/v2/posts", given)
    assert made.status == 201
    shown = site.client().get(f"/cms/v2/posts/{made.json['id']}").json
    assert 'href="http://vetrina.test/en/about/"' in shown["content"]["rendered"]
    assert 'src="http://vetrina.test/media/a.jpg"' in shown["content"]["rendered"]
    assert 'href="http://vetrina.test/en/more/"' in shown["excerpt"]["rendered"]
    raw = editor.get(f"/cms/v2/posts/{made.json['id']}?context=edit").json["content"]["raw"]
    assert raw == content


def test_revisions_have_them_too(site) -> None:
    editor = site.client("editor")
    made = editor.post("/cms/v2/posts", {"title": "T", "content": '<a href="/x">x</a>'}).json
    editor.post(f"/cms/v2/posts/{made['id']}", {"content": '<a href="/y">y</a>'})
    [newest, *_] = editor.get(f"/cms/v2/posts/{made['id']}/revisions").json
    assert 'href="http://vetrina.test/y"' in newest["content"]["rendered"]
