"""Galleries in texts: the shortcode, which lists files, and the block, which contains its images."""

from __future__ import annotations

from typing import Any

from conftest import Client
from pictures import picture


def uploaded(admin: Client, name: str, **members: Any) -> dict[str, Any]:
    headers = {"content-disposition": f"attachment; filename={name}.jpg"}
    answer = admin.post("/cms/v2/media", body=picture(400, 300), headers=headers, query=members)
    assert answer.status == 201, answer.json
    return answer.json  # type: ignore[no-any-return]


def rendered(client: Client, admin: Client, content: str) -> str:
    made = admin.post("/cms/v2/posts", {"title": "x", "content": content, "status": "publish"}).json
    return str(client.get(f"/cms/v2/posts/{made['id']}").json["content"]["rendered"])


def test_a_gallery_shows_the_files_that_it_numbers(admin: Client, anyone: Client) -> None:
    one, two = uploaded(admin, "one", caption="Primo"), uploaded(admin, "two")
    html = rendered(anyone, admin, f'Prima\n\n[gallery ids="{two["id"]},{one["id"]},99" columns="2"]\n\nDopo')
    assert html.index("two-150x150.jpg") < html.index("one-150x150.jpg")
    assert "gallery-columns-2 gallery-size-thumbnail'>" in html
    assert f"<a href='{one['link']}'>" in html
    assert "Primo" in html
    assert html.count("<figure class='gallery-item'>") == 2
    assert html.startswith("<p>Prima</p>")


def test_a_gallery_follows_its_files(admin: Client, anyone: Client) -> None:
    one = uploaded(admin, "one")
    made = admin.post("/cms/v2/posts", {"title": "x", "content": f"[gallery ids={one['id']}]", "status": "publish"})
    path = f"/cms/v2/posts/{made.json['id']}"
    assert "one-150x150" in anyone.get(path).json["content"]["rendered"]
    admin.post(f"/cms/v2/media/{one['id']}", {"alt_text": "Mare"})
    assert 'alt="Mare"' in anyone.get(path).json["content"]["rendered"]
    admin.delete(f"/cms/v2/media/{one['id']}", query={"force": True})
    assert "gallery" not in anyone.get(path).json["content"]["rendered"]


def test_a_gallery_without_numbers_shows_what_is_attached(admin: Client, anyone: Client) -> None:
    made = admin.post("/cms/v2/posts", {"title": "x", "content": "[gallery]", "status": "publish"}).json["id"]
    kept, out = uploaded(admin, "kept", post=made), uploaded(admin, "out", post=made)
    path = f"/cms/v2/posts/{made}"
    assert anyone.get(path).json["content"]["rendered"].count("gallery-item") == 2
    admin.post(path, {"content": f"[gallery exclude={out['id']} link=file]"})
    html = anyone.get(path).json["content"]["rendered"]
    assert f"<a href='{kept['source_url']}'>" in html
    assert "out-150x150" not in html


def test_a_gallery_does_not_show_what_is_hidden(admin: Client, anyone: Client) -> None:
    draft = admin.post("/cms/v2/posts", {"title": "x", "content": "x"}).json["id"]
    hidden, private = uploaded(admin, "hidden", post=draft), uploaded(admin, "private", status="private")
    html = rendered(anyone, admin, f"Vuota[gallery ids={hidden['id']},{private['id']},{draft}]")
    assert html.strip() == "<p>Vuota</p>"


def test_images_of_a_gallery_block_bear_their_numbers(admin: Client, anyone: Client) -> None:
    image = (
        '<!-- wp:image {"id":7} --><figure class="wp-block-image"><img src="/a.jpg" alt=""/></figure><!-- /wp:image -->'
    )
    html = rendered(anyone, admin, f'<!-- wp:gallery --><figure class="wp-block-gallery">{image}</figure>'
                                   f"<!-- /wp:gallery -->{image}")  # fmt: skip
    assert html.count('data-id="7"') == 1
