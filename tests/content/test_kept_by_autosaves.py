"""A write is stored or refused, never accepted and dropped: menu items, templates, patterns, excerpts."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from conftest import Client

ITEMS, TEMPLATES, BLOCKS, POSTS = "/cms/v2/menu-items", "/cms/v2/templates", "/cms/v2/blocks", "/cms/v2/posts"


def item(admin: Client, title: str, **more: Any) -> Any:
    answer = admin.post(ITEMS, {"title": title, "url": "https://x.example/", "status": "publish", **more})
    assert answer.status == 201, answer.json
    return answer.json


@pytest.mark.parametrize("title", ["Other <b>title</b>", {"raw": "Other"}])
def test_an_autosave_of_a_menu_item_keeps_the_title_that_it_is_sent(admin: Client, title: Any) -> None:
    one = item(admin, "First")
    saved = admin.post(f"{ITEMS}/{one['id']}/autosaves", {"title": title})
    wanted = title["raw"] if isinstance(title, dict) else title
    assert (saved.status, saved.json["title"]["raw"]) == (200, wanted)
    [kept] = admin.get(f"{ITEMS}/{one['id']}/autosaves", query={"context": "edit"}).json
    assert kept["title"]["raw"] == wanted
    read = admin.get(f"{ITEMS}/{one['id']}/autosaves/{saved.json['id']}", query={"context": "edit"})
    assert read.json["title"]["raw"] == wanted
    again = admin.post(f"{ITEMS}/{one['id']}/autosaves", {"title": "Third"}).json
    assert (again["id"], again["title"]["raw"]) == (saved.json["id"], "Third")
    assert admin.get(f"{ITEMS}/{one['id']}").json["title"]["rendered"] == "First"


def test_items_are_listed_by_what_is_above_them(admin: Client) -> None:
    first = item(admin, "First")
    below = item(admin, "Below", parent=first["id"])
    second = item(admin, "Second")
    deep = item(admin, "Deep", parent=below["id"])

    def listed(**query: Any) -> list[int]:
        answer = admin.get(ITEMS, query={"orderby": "parent", **query})
        assert answer.status == 200, answer.json
        return [one["id"] for one in answer.json]

    up = [first["id"], second["id"], below["id"], deep["id"]]
    assert listed(order="asc") == up
    assert listed(order="desc") == up[::-1]
    assert listed(order="asc", per_page=2, page=2) == up[2:]


def test_an_autosave_of_a_template_keeps_what_it_is_sent(admin: Client) -> None:
    one = admin.post(TEMPLATES, {"slug": "mine", "title": "First", "content": "<p>a</p>"}).json
    told = {"title": "Other", "content": "<p>b</p>", "description": "Said"}
    assert admin.post(f"{TEMPLATES}/{one['id']}/autosaves", told).status == 200
    [kept] = admin.get(f"{TEMPLATES}/{one['id']}/autosaves", query={"context": "edit"}).json
    assert (kept["title"]["raw"], kept["content"]["raw"], kept["description"]) == ("Other", "<p>b</p>", "Said")
    assert admin.get(f"{TEMPLATES}/{one['id']}", query={"context": "edit"}).json["content"]["raw"] == "<p>a</p>"


@pytest.mark.parametrize("method", ["PATCH", "PUT", "POST"])
def test_the_slug_of_a_template_stays(admin: Client, method: str) -> None:
    own = admin.post(TEMPLATES, {"slug": "mine", "title": "First"}).json
    for id in (own["id"], f"{own['theme']}//index"):
        answer = admin.ask(method, f"{TEMPLATES}/{id}", json={"slug": "another"})
        assert (answer.status, answer.code) == (400, "rest_invalid_param")
        assert list(answer.json["data"]["params"]) == ["slug"]
        assert admin.get(f"{TEMPLATES}/{id}").status == 200
    # A client sends a record back as it read it.
    assert admin.ask(method, f"{TEMPLATES}/{own['id']}", json={"slug": "mine", "title": "Second"}).status == 200


@pytest.mark.parametrize("empty", [{}, {"title": "", "content": "", "excerpt": ""}, {"status": "publish"}])
def test_a_pattern_needs_text(admin: Client, empty: dict[str, str]) -> None:
    answer = admin.post(BLOCKS, empty)
    assert (answer.status, answer.code) == (400, "empty_content")
    one = admin.post(BLOCKS, {"excerpt": "Said"}).json
    refused = admin.post(f"{BLOCKS}/{one['id']}", {"excerpt": ""})
    assert (refused.status, refused.code) == (400, "empty_content")
    assert admin.post(f"{BLOCKS}/{one['id']}", {"excerpt": "", "title": "Named"}).status == 200


@pytest.mark.parametrize(
    ("length", "shown"),
    [(-1, "one two three [&hellip;]"), (-2, "one two three [&hellip;]"), (-3, " [&hellip;]"), (0, " [&hellip;]"),
     (-2**53, " [&hellip;]"), (4, "one two three four"), (3, "one two three [&hellip;]")],
)  # fmt: skip
def test_an_excerpt_of_fewer_words_than_none(admin: Client, anyone: Client, length: int, shown: str) -> None:
    id = admin.post(POSTS, {"title": "x", "content": "one two three four", "status": "publish"}).json["id"]
    answer = anyone.get(f"{POSTS}/{id}", query={"excerpt_length": length})
    assert answer.json["excerpt"]["rendered"] == f"<p>{shown}</p>\n"


@pytest.mark.parametrize("path", ["embed", "proxy"])
def test_an_embed_of_the_site_itself_is_as_tall_as_it_may_be(admin: Client, path: str) -> None:
    link = admin.post(POSTS, {"title": "x", "content": "y", "status": "publish"}).json["link"]

    def size(more: str) -> tuple[int, int]:
        found = admin.get(f"/oembed/1.0/{path}?url={quote(link, safe='')}{more}").json
        assert f'width="{found["width"]}" height="{found["height"]}"' in found["html"]
        return found["width"], found["height"]

    assert size("") == (600, 338)
    assert size("&maxheight=100") == (600, 100)
    assert size("&maxwidth=200&maxheight=90") == (200, 90)
    assert size("&maxheight=5000") == size("&maxheight=x") == size("&maxheight=0") == (600, 338)


def test_the_history_of_a_navigation_is_embedded_with_its_content(admin: Client) -> None:
    path, words = "/cms/v2/navigation", {"title": "Menu", "content": "<p>One</p>", "status": "publish"}
    id = admin.post(path, words).json["id"]
    admin.post(f"{path}/{id}", {"content": "<p>Two</p>"})
    for beside in ("revisions", "autosaves"):
        if beside == "autosaves":
            admin.post(f"{path}/{id}/autosaves", {"content": "<p>Three</p>"})
        [first, *_] = admin.get(f"{path}/{id}/{beside}", query={"context": "embed"}).json
        assert set(first["content"]) == {"raw", "rendered"}
        one = admin.get(f"{path}/{id}/{beside}/{first['id']}", query={"context": "embed"}).json
        assert one["content"]["raw"] == first["content"]["raw"]
    for base in ("posts", "pages", "blocks"):
        made = admin.post(f"/cms/v2/{base}", words).json["id"]
        admin.post(f"/cms/v2/{base}/{made}", {"content": "<p>Two</p>"})
        kept = admin.get(f"/cms/v2/{base}/{made}/revisions", query={"context": "embed"}).json
        assert kept
        assert not any("content" in one for one in kept)
