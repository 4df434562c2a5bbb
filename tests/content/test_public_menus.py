"""Menus, items and trees that visitors may read where the profile makes a location public."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import Client, Stand, made
from vetrina.settings import load_profile

MENUS, ITEMS, PLACES = "/cms/v2/menus", "/cms/v2/menu-items", "/cms/v2/menu-locations"
TREE = f"{PLACES}/header/tree"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Stand]:
    """A site with two menu locations, of which the header is public."""
    profile = msgspec.structs.replace(
        load_profile("first"), menu_locations={"header": "Above", "staff": "Inside"}, public_menu_locations=("header",)
    )
    site = made(tmp_path, profile)
    yield Stand(site)
    site.close()


def menu_of(admin: Client, name: str = "Main", *places: str, **members: Any) -> int:
    return int(admin.post(MENUS, {"name": name, "locations": list(places), **members}).json["id"])


def item_of(admin: Client, menu: int, **members: Any) -> int:
    answer = admin.post(ITEMS, {"menus": menu, "title": "", **members})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def page_of(admin: Client, **members: Any) -> int:
    return int(admin.post("/cms/v2/pages", {"title": "About", "status": "publish", **members}).json["id"])


def pages_item(admin: Client, menu: int, page: int, **members: Any) -> int:
    return item_of(admin, menu, type="post_type", object="page", object_id=page, **members)


def titles(items: list[dict[str, Any]]) -> list[Any]:
    """Return titles of a tree, each with those below it."""
    return [[one["title"], titles(one["children"])] if one["children"] else one["title"] for one in items]


def refusal(answer: Any) -> tuple[int, str | None]:
    return answer.status, answer.code


def test_a_visitor_reads_public_locations_and_no_others(admin: Client, anyone: Client, subscriber: Client) -> None:
    header, staff = menu_of(admin, "Main", "header"), menu_of(admin, "Staff", "staff")
    for client in (anyone, subscriber):
        assert client.get(PLACES).json.keys() == {"header"}
        assert client.get(f"{PLACES}/header").json["menu"] == header
        assert [one["id"] for one in client.get(MENUS).json] == [header]
        assert client.get(f"{MENUS}/{header}").json["name"] == "Main"
    assert refusal(anyone.get(f"{PLACES}/staff")) == (401, "rest_cannot_view")
    assert refusal(anyone.get(f"{PLACES}/staff/tree")) == (401, "rest_cannot_view")
    assert refusal(anyone.get(f"{PLACES}/nowhere/tree")) == (401, "rest_cannot_view")
    assert refusal(subscriber.get(f"{MENUS}/{staff}")) == (403, "rest_cannot_view")
    assert [one["id"] for one in anyone.get(MENUS, query={"include": [staff]}).json] == []
    assert refusal(admin.get(f"{PLACES}/nowhere/tree")) == (404, "rest_menu_location_invalid")
    assert admin.get(PLACES).json.keys() == {"header", "staff"}


def test_a_visitor_is_not_told_what_only_designers_need(admin: Client, anyone: Client) -> None:
    both = menu_of(admin, "Main", "header", "staff", description="For the relaunch", auto_add=True)
    shown = anyone.get(f"{MENUS}/{both}").json
    assert (shown["description"], shown["auto_add"], shown["locations"]) == ("", False, ["header"])
    assert [one["href"].rpartition("/")[2] for one in shown["_links"]["cms:menu-location"]] == ["header"]
    told = admin.get(f"{MENUS}/{both}").json
    assert (told["description"], told["auto_add"], told["locations"]) == ("For the relaunch", True, ["header", "staff"])
    assert refusal(anyone.get(f"{MENUS}/{both}", query={"context": "edit"})) == (401, "rest_forbidden_context")


def test_items_lead_only_to_what_is_published(admin: Client, anyone: Client) -> None:
    menu, other = menu_of(admin, "Main", "header"), menu_of(admin, "Other")
    public, draft = page_of(admin), page_of(admin, title="Plans", status="draft")
    private = page_of(admin, title="Ours", status="private")
    shown = pages_item(admin, menu, public, menu_order=1)
    hidden = [pages_item(admin, menu, number, menu_order=2) for number in (draft, private)]
    below = item_of(admin, menu, title="Below", url="https://x.example/", parent=hidden[0], menu_order=3)
    unfinished = item_of(admin, menu, title="Soon", url="https://x.example/", status="draft", menu_order=4)
    under = item_of(admin, menu, title="Under", url="https://x.example/", parent=unfinished, menu_order=5)
    elsewhere = item_of(admin, other, title="Elsewhere", url="https://x.example/")
    answer = anyone.get(ITEMS, query={"menus": menu})
    assert ([one["id"] for one in answer.json], answer.headers["x-cms-total"]) == ([shown], "1")
    assert [one["id"] for one in anyone.get(ITEMS).json] == [shown]
    assert [one["id"] for one in anyone.get(ITEMS, query={"include": [shown, elsewhere]}).json] == [shown]
    assert refusal(anyone.get(ITEMS, query={"status": "draft"})) == (400, "rest_invalid_param")
    for number in (*hidden, below, unfinished, under, elsewhere):
        assert anyone.get(f"{ITEMS}/{number}").status == 401
    assert anyone.get(f"{ITEMS}/{shown}").json["url"] == "http://vetrina.test/en/about/"
    assert titles(anyone.get(TREE).json["items"]) == ["About"]


def test_the_tree_has_all_that_a_front_end_draws(admin: Client, anyone: Client) -> None:
    menu, page = menu_of(admin, "Main", "header"), page_of(admin)
    category = admin.post("/cms/v2/categories", {"name": "News & more"}).json
    last = item_of(
        admin, menu, title="Code", url="https://code.example/x", menu_order=9, target="_blank", classes=["big", "red"],
        attr_title="Our code", description="Where it is", xfn=["me"],
    )  # fmt: skip
    first = pages_item(admin, menu, page, menu_order=1)
    below = item_of(
        admin, menu, type="taxonomy", object="category", object_id=category["id"], parent=first, menu_order=2
    )
    tree = anyone.get(TREE).json
    assert {name: tree[name] for name in tree if name != "items"} == {
        "location": "header", "description": "Above", "lang": "en", "menu": menu, "name": "Main",
    }  # fmt: skip
    top, code = tree["items"]
    child = top["children"][0]
    assert [top["id"], child["id"], code["id"]] == [first, below, last]
    assert code == {
        "id": last, "title": "Code", "url": "https://code.example/x", "path": None, "target": "_blank",
        "attr_title": "Our code", "description": "Where it is", "classes": ["big", "red"], "xfn": ["me"],
        "type": "custom", "object": "custom", "object_id": last, "href": None, "children": [],
    }  # fmt: skip
    assert (top["url"], top["path"]) == ("http://vetrina.test/en/about/", "/en/about/")
    assert (top["type"], top["object"], top["object_id"]) == ("post_type", "page", page)
    assert top["href"].endswith(f"/cms/v2/pages/{page}")
    assert (child["title"], child["url"]) == ("News &amp; more", category["link"])


def test_an_empty_location_has_an_empty_tree(anyone: Client) -> None:
    tree = anyone.get(TREE).json
    assert (tree["menu"], tree["name"], tree["lang"], tree["items"]) == (0, "", "", [])


def test_a_parent_that_is_not_in_the_menu_leaves_its_items_at_the_top(admin: Client, anyone: Client) -> None:
    menu = menu_of(admin, "Main", "header")
    item_of(admin, menu, title="Orphan", url="https://x.example/", parent=987654)
    assert titles(anyone.get(TREE).json["items"]) == ["Orphan"]


def test_items_that_stand_below_each_other_are_left_out(admin: Client, anyone: Client) -> None:
    menu = menu_of(admin, "Main", "header")
    one = item_of(admin, menu, title="One", url="https://x.example/")
    two = item_of(admin, menu, title="Two", url="https://x.example/", parent=one)
    admin.patch(f"{ITEMS}/{one}", {"parent": two})
    item_of(admin, menu, title="Three", url="https://x.example/")
    assert titles(anyone.get(TREE).json["items"]) == ["Three"]


def test_a_kept_tree_follows_everything_that_it_shows(admin: Client, anyone: Client) -> None:
    menu, page = menu_of(admin, "Main", "header"), page_of(admin)
    category = admin.post("/cms/v2/categories", {"name": "News"}).json["id"]
    item = pages_item(admin, menu, page, menu_order=1)
    item_of(admin, menu, type="taxonomy", object="category", object_id=category, menu_order=2)
    assert titles(anyone.get(TREE).json["items"]) == ["About", "News"]
    admin.patch(f"/cms/v2/pages/{page}", {"title": "About us", "slug": "us"})
    assert anyone.get(TREE).json["items"][0]["path"] == "/en/us/"
    assert titles(anyone.get(TREE).json["items"]) == ["About us", "News"]
    admin.patch(f"/cms/v2/categories/{category}", {"name": "Latest"})
    assert titles(anyone.get(TREE).json["items"]) == ["About us", "Latest"]
    admin.patch(f"/cms/v2/pages/{page}", {"status": "draft"})
    assert titles(anyone.get(TREE).json["items"]) == ["Latest"]
    admin.patch(f"/cms/v2/pages/{page}", {"status": "publish"})
    admin.patch(f"{ITEMS}/{item}", {"title": "Who"})
    assert titles(anyone.get(TREE).json["items"]) == ["Who", "Latest"]
    admin.patch(f"{MENUS}/{menu}", {"name": "Top"})
    assert anyone.get(TREE).json["name"] == "Top"
    admin.patch(f"{MENUS}/{menu}", {"locations": []})
    assert anyone.get(TREE).json["items"] == []


def test_each_root_shows_the_menu_of_its_language(site: Stand, admin: Client, anyone: Client) -> None:
    english = menu_of(admin, "Main", "header")
    italian_admin, italian = site.client("admin", root="/it/cms-json"), site.client(root="/it/cms-json")
    twin = int(italian_admin.post(MENUS, {"name": "Principale", "translations": {"en": english}}).json["id"])
    item_of(admin, english, title="Home", url="https://x.example/")
    italian_admin.post(ITEMS, {"menus": twin, "title": "Casa", "url": "https://x.example/"})
    assert titles(anyone.get(TREE).json["items"]) == ["Home"]
    shown = italian.get(TREE).json
    assert (shown["menu"], shown["lang"], titles(shown["items"])) == (twin, "it", ["Casa"])


def test_published_navigations_are_read_by_everybody(admin: Client, anyone: Client) -> None:
    words = {"title": "Nav", "content": "<p>Where to go</p>", "status": "publish"}
    number = admin.post("/cms/v2/navigation", words).json["id"]
    draft = admin.post("/cms/v2/navigation", {**words, "status": "draft"}).json["id"]
    assert [one["id"] for one in anyone.get("/cms/v2/navigation").json] == [number]
    assert anyone.get(f"/cms/v2/navigation/{number}").json["content"]["rendered"]
    assert anyone.get(f"/cms/v2/navigation/{draft}").status == 401


def test_without_the_key_menus_stay_closed(tmp_path: Path) -> None:
    profile = msgspec.structs.replace(load_profile("first"), menu_locations={"header": "Above"})
    closed = Stand(made(tmp_path, profile))
    menu_of(closed.client("admin"), "Main", "header")
    for path in (PLACES, MENUS, ITEMS, TREE):
        assert refusal(closed.client().get(path)) == (401, "rest_cannot_view")
    assert closed.client("editor").get(TREE).status == 200
    closed.site.close()


def test_places_and_items_of_a_menu_are_of_the_state_that_a_write_names(admin: Client) -> None:
    menu = menu_of(admin)
    path = f"{MENUS}/{menu}"

    def read_tag() -> str:
        return str(admin.get(path, query={"context": "edit"}).headers["etag"])

    tags = [read_tag()]
    admin.put(path, {"locations": ["staff"]})
    tags.append(read_tag())
    item = item_of(admin, menu, type="custom", title="Huts", url="https://example.org/")
    tags.append(read_tag())
    admin.put(f"{ITEMS}/{item}", {"title": "Inns"})
    tags.append(read_tag())
    admin.delete(f"{ITEMS}/{item}", query={"force": "true"})
    tags.append(read_tag())
    late = [admin.put(path, {}, headers={"If-Match": tag}).status for tag in tags]
    # What is as it was is the same state again.
    assert late == [412, 200, 412, 412, 200]
