"""A site that moves: in two languages, with a record of every kind."""

from __future__ import annotations

from conftest import Client, Stand
from content.test_fonts import WOFF2, family, sent
from pictures import picture

WOFF = b"wOFF" + WOFF2[4:]
STYLES = {"color": {"text": "#123456"}}


def fill(old: Stand) -> None:
    admin, italian = old.client("admin"), old.client("admin", "/it/cms-json")
    headers = {"content-disposition": 'attachment; filename="harbour.jpg"'}
    image = admin.post("/cms/v2/media", body=picture(400, 200), headers=headers).json
    parent = admin.post("/cms/v2/categories", {"name": "Places"}).json["id"]
    category = admin.post("/cms/v2/categories", {"name": "Harbours", "parent": parent}).json["id"]
    text = f'<!-- wp:image {{"id":{image["id"]}}} --><img class="wp-image-{image["id"]}" src="{image["source_url"]}"/>'
    post = admin.post("/cms/v2/posts", {
        "title": "The harbour", "content": f"{text}<!-- /wp:image -->", "status": "publish", "categories": [category],
        "featured_media": image["id"], "sticky": True, "date": "2020-03-29T02:30:00",
    }).json  # fmt: skip
    other = italian.post("/cms/v2/posts", {"title": "Il porto", "status": "publish"}).json["id"]
    admin.put(f"/cms/v2/posts/{post['id']}", {"translations": {"it": {"id": other}}})
    admin.post("/cms/v2/comments", {"post": post["id"], "content": "I was there"})
    below = admin.post("/cms/v2/pages", {"title": "Below", "status": "draft"}).json["id"]
    above = admin.post("/cms/v2/pages", {"title": "Above", "status": "publish"}).json["id"]
    admin.put(f"/cms/v2/pages/{below}", {"parent": above})
    menu = admin.post("/cms/v2/menus", {"name": "Main"}).json["id"]
    admin.post("/cms/v2/menu-items", {
        "title": "Up", "menus": menu, "type": "post_type", "object": "page", "object_id": above, "status": "publish",
    })  # fmt: skip
    admin.post("/cms/v2/blocks", {"title": "Piece", "content": "<p>Piece</p>", "status": "publish",
                                  "meta": {"cms_pattern_sync_status": "unsynced"}})  # fmt: skip
    admin.post("/cms/v2/templates", {"slug": "narrow", "title": "Narrow", "content": "<p>Narrow</p>"})
    admin.put("/cms/v2/template-parts/portico//footer", {"content": "<p>Our footer</p>"})
    admin.put(f"/cms/v2/global-styles/{find_styles(admin)}", {"styles": STYLES})
    admin.post("/cms/v2/widgets", {"id_base": "text", "sidebar": "cms_inactive_widgets",
                                   "instance": {"raw": {"title": "Hours", "text": "Nine to five"}}})  # fmt: skip
    admin.post("/cms/v2/redirects", {"source": "/quay", "target": "/harbour", "status": 302})
    files = {"file-0": ("kept.woff2", WOFF2), "file-1": ("kept.woff", WOFF)}
    assert sent(admin, family(admin).json["id"], files, src=[*files]).status == 201
    admin.put("/cms/v2/settings", {"title": "The harbour", "description": "By the sea"})


def find_styles(admin: Client) -> str:
    theme = admin.get("/cms/v2/themes?status=active").json[0]
    href: str = theme["_links"]["cms:user-global-styles"][0]["href"]
    return href.rpartition("/")[2]
