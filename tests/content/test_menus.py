"""Menus, their locations and their items over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import Client, Stand, made
from vetrina.settings import load_profile

MENUS, ITEMS, PLACES = "/cms/v2/menus", "/cms/v2/menu-items", "/cms/v2/menu-locations"
EVERY_METHOD = "GET, POST, PUT, PATCH, DELETE"


def menu_of(client: Client, name: str = "Main", **members: Any) -> int:
    answer = client.post(MENUS, {"name": name, **members})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def item_of(client: Client, **members: Any) -> dict[str, Any]:
    if not {"title", "url", "type"} & members.keys():
        members |= {"title": "Link", "url": "https://x.example/"}
    answer = client.post(ITEMS, members)
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def page_of(client: Client, title: str = "Page", **members: Any) -> int:
    return int(client.post("/cms/v2/pages", {"title": title, "status": "publish", **members}).json["id"])


def refusal(answer: Any) -> tuple[int, str | None]:
    return answer.status, answer.code


def numbers(answer: Any) -> list[int]:
    assert answer.status == 200, answer.json
    return [one["id"] for one in answer.json]


@pytest.fixture
def placed(tmp_path: Path) -> Iterator[Stand]:
    """A site whose profile declares two menu locations."""
    places = {"header": "Above", "footer": "Below"}
    site = made(tmp_path, msgspec.structs.replace(load_profile("first"), menu_locations=places))
    yield Stand(site)
    site.close()


# -- menus


def test_a_menu_answers_with_all_that_it_is(admin: Client) -> None:
    answer = admin.post(MENUS, {"name": "Main <b>menu</b>", "slug": "own", "description": "With <b>words</b>"})
    menu = answer.json
    links = menu.pop("_links")
    own = menu.pop("translations")
    assert {code: (one["id"], one["status"]) for code, one in own.items()} == {"en": (menu["id"], "publish")}
    assert menu == {
        "lang": "en",
        "id": menu["id"], "name": "Main menu", "slug": "main-menu", "description": "With <b>words</b>", "meta": {},
        "locations": [], "auto_add": False,
    }  # fmt: skip
    assert answer.headers["location"].endswith(f"{MENUS}/{menu['id']}")
    assert links["cms:post_type"][0]["href"].endswith(f"{ITEMS}?menus={menu['id']}")
    assert links["self"][0]["targetHints"]["allow"] == EVERY_METHOD.split(", ")
    embed = admin.get(f"{MENUS}/{menu['id']}", query={"context": "embed"}).json
    assert embed.keys() == {"id", "name", "slug", "lang", "_links"}


def test_a_name_is_there_once_and_the_slug_follows_it(admin: Client) -> None:
    main, other = menu_of(admin), menu_of(admin, "Other")
    taken = admin.post(MENUS, {"name": "MAIN"})
    assert (taken.status, taken.code, taken.json["data"]["term_id"]) == (400, "menu_exists", main)
    assert refusal(admin.post(f"{MENUS}/{other}", {"name": "Main"})) == (400, "menu_exists")
    assert refusal(admin.post(MENUS, {"name": ""})) == (400, "empty_term_name")
    assert refusal(admin.post(MENUS, {})) == (400, "rest_missing_callback_param")
    assert admin.post(f"{MENUS}/{main}", {"name": "First"}).json["slug"] == "first"
    assert admin.patch(f"{MENUS}/{main}", {"description": "Words"}).json["slug"] == "first"


def test_a_menu_takes_the_language_of_the_request(site: Stand, admin: Client) -> None:
    menu_of(admin)
    italian = site.client("admin", root="/it/cms-json")
    menu = menu_of(italian)
    assert numbers(italian.get(MENUS)) == [menu]
    item = item_of(admin, menus=menu)
    assert numbers(italian.get(ITEMS, query={"menus": menu})) == [item["id"]]


def test_who_sees_and_who_writes_menus(
    admin: Client, editor: Client, author: Client, contributor: Client, subscriber: Client, anyone: Client
) -> None:
    menu = menu_of(admin)
    for path in (MENUS, f"{MENUS}/{menu}", PLACES, ITEMS):
        assert refusal(anyone.get(path)) == (401, "rest_cannot_view")
        assert refusal(subscriber.get(path)) == (403, "rest_cannot_view")
        for client in (contributor, author, editor):
            answer = client.get(path)
            assert (answer.status, answer.headers["allow"]) == (200, "GET")
    assert refusal(editor.get(MENUS, query={"context": "edit"})) == (403, "rest_forbidden_context")
    assert refusal(editor.post(MENUS, {"name": "x"})) == (403, "rest_cannot_create")
    assert refusal(editor.post(f"{MENUS}/{menu}", {"name": "x"})) == (403, "rest_cannot_update")
    assert refusal(editor.delete(f"{MENUS}/{menu}", query={"force": True})) == (403, "rest_cannot_delete")
    assert refusal(anyone.get(f"{MENUS}/999999")) == (404, "rest_term_invalid")
    assert refusal(admin.get(f"{MENUS}/1")) == (404, "rest_term_invalid")


def test_a_menu_goes_with_its_items(admin: Client) -> None:
    menu = menu_of(admin)
    item = item_of(admin, menus=menu)["id"]
    assert refusal(admin.delete(f"{MENUS}/{menu}")) == (501, "rest_trash_not_supported")
    removed = admin.delete(f"{MENUS}/{menu}", query={"force": True})
    assert removed.json["previous"]["name"] == "Main"
    assert refusal(admin.get(f"{ITEMS}/{item}")) == (404, "rest_post_invalid_id")


def test_places_show_one_menu_each(placed: Stand) -> None:
    admin, italian = placed.client("admin"), placed.client("admin", root="/it/cms-json")
    main = menu_of(admin, "Main", locations=["header", "footer"])
    other = menu_of(admin, "Other", locations=["footer"])
    assert admin.get(f"{MENUS}/{main}").json["locations"] == ["header"]
    place = admin.get(f"{PLACES}/footer").json
    assert (place["name"], place["description"], place["menu"]) == ("footer", "Below", other)
    assert place["_links"]["cms:menu"][0]["href"].endswith(f"{MENUS}/{other}")
    assert italian.get(f"{PLACES}/footer").json["menu"] == other
    assert set(admin.get(PLACES).json) == {"header", "footer"}
    assert refusal(admin.get(f"{PLACES}/nowhere")) == (404, "rest_menu_location_invalid")
    refused = admin.post(f"{MENUS}/{main}", {"locations": ["nowhere"]})
    assert refused.json["data"]["details"]["locations"]["code"] == "rest_invalid_menu_location"
    admin.delete(f"{MENUS}/{main}", query={"force": True})
    assert admin.get(f"{PLACES}/header").json["menu"] == 0


def test_new_pages_join_menus_that_ask_for_them(admin: Client) -> None:
    menu = menu_of(admin, auto_add=True)
    item_of(admin, menus=menu, menu_order=5)
    draft = page_of(admin, "Later", status="draft")
    first = page_of(admin, "First")
    page_of(admin, "Below", parent=first)
    admin.post("/cms/v2/posts", {"title": "No page", "status": "publish"})
    admin.post(f"/cms/v2/pages/{draft}", {"status": "publish"})
    admin.post(f"/cms/v2/pages/{draft}", {"status": "draft"})
    admin.post(f"/cms/v2/pages/{draft}", {"status": "publish"})
    shown = admin.get(ITEMS, query={"menus": menu}).json
    titles = [(one["title"]["rendered"], one["menu_order"]) for one in shown]
    assert titles == [("Link", 5), ("First", 6), ("Later", 7)]


# -- items


def test_an_item_answers_with_all_that_it_is(admin: Client) -> None:
    menu = menu_of(admin)
    answer = admin.post(
        ITEMS,
        {
            "title": {"raw": "A <b>full</b> & link"}, "url": "https://x.example/c?d=1&e=2", "menus": menu,
            "attr_title": "An <i>attribute</i>", "classes": ["one", "two three", "<b>"],
            "description": "Some <b>words</b>",
            "menu_order": 7, "target": "_blank", "xfn": "friend met", "parent": 4, "meta": {"_ext_changed": True},
        },
    )  # fmt: skip
    item = answer.json
    links = item.pop("_links")
    assert item.pop("translations") == {"en": {"id": item["id"], "status": "publish", "link": item["url"]}}
    assert item == {
        "lang": "en",
        "id": item["id"], "title": {"raw": "A <b>full</b> & link", "rendered": "A <b>full</b> &#038; link"},
        "status": "publish", "url": "https://x.example/c?d=1&e=2", "attr_title": "An attribute",
        "description": "Some words", "type": "custom", "type_label": "Custom Link", "object": "custom",
        "object_id": item["id"], "parent": 4, "menu_order": 7, "target": "_blank",
        "classes": ["one", "twothree", "b"], "xfn": ["friend", "met"], "invalid": False,
        "meta": {"_ext_changed": True}, "menus": menu,
    }  # fmt: skip
    assert answer.headers["location"].endswith(f"{ITEMS}/{item['id']}")
    assert links["cms:term"][0]["href"].endswith(f"{MENUS}?post={item['id']}")
    assert {name for name in links if name.startswith("cms:action")} == {
        "cms:action-publish", "cms:action-unfiltered-html", "cms:action-create-menus", "cms:action-assign-menus",
    }  # fmt: skip
    view = admin.get(f"{ITEMS}/{item['id']}").json
    assert view["title"] == {"rendered": "A <b>full</b> &#038; link"}
    embed = admin.get(f"{ITEMS}/{item['id']}", query={"context": "embed"}).json
    assert view.keys() - embed.keys() == {"meta", "menus", "translations"}
    inside = admin.get(f"{ITEMS}/{item['id']}?_embed=cms:term").json["_embedded"]["cms:term"]
    assert [menu["id"] for menu in inside[0]] == [menu]


def test_defaults_of_an_item_without_a_menu(admin: Client) -> None:
    item = item_of(admin)
    assert "menus" not in item
    shown = {name: item[name] for name in ("status", "menu_order", "classes", "xfn", "target", "parent")}
    assert shown == {"status": "publish", "menu_order": 1, "classes": [""], "xfn": [""], "target": "", "parent": 0}


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({}, "rest_title_required"),
        ({"title": "x"}, "rest_url_required"),
        ({"title": "", "url": "https://x.example"}, "rest_title_required"),
        ({"title": "x", "url": "javascript:alert(1)"}, "rest_invalid_param"),
        ({"title": "x", "url": "https://x.example", "menus": 999999}, "invalid_menu_id"),
        ({"title": "x", "url": "https://x.example", "menus": 1}, "invalid_menu_id"),
        ({"title": "x", "url": "https://x.example", "menu_order": 0}, "rest_invalid_param"),
        ({"title": "x", "url": "https://x.example", "parent": -1}, "rest_invalid_param"),
        ({"title": "x", "url": "https://x.example", "object_id": -2}, "rest_invalid_param"),
        ({"title": "x", "url": "https://x.example", "target": "_top"}, "rest_invalid_param"),
        ({"title": "x", "url": "https://x.example", "type": "image"}, "rest_invalid_param"),
        ({"title": "x", "url": "https://x.example", "status": "trash"}, "rest_invalid_param"),
        ({"title": "x", "url": "https://x.example", "menus": "main"}, "rest_invalid_param"),
        ({"title": "x", "url": "https://x.example", "meta": "x"}, "rest_invalid_param"),
        ({"title": "x", "url": "https://x.example", "id": 3}, "rest_post_exists"),
        ({"type": "post_type_archive", "object": "nothing"}, "rest_post_invalid_type"),
        ({"type": "post_type", "object_id": 999999}, "rest_post_invalid_id"),
        ({"type": "taxonomy", "object_id": 999999}, "rest_term_invalid_id"),
    ],
)
def test_what_an_item_may_not_be(admin: Client, members: dict[str, Any], code: str) -> None:
    assert refusal(admin.post(ITEMS, members)) == (400, code)


def test_all_that_an_item_needs_is_told_at_once(admin: Client) -> None:
    told = admin.post(ITEMS, {}).json
    assert [one["code"] for one in told["additional_errors"]] == ["rest_url_required"]
    assert told["additional_errors"][0]["data"] == {"status": 400}
    path = f"{ITEMS}/{item_of(admin)['id']}"
    assert [one["code"] for one in admin.patch(path, {"title": "", "url": ""}).json["additional_errors"]] == [
        "rest_url_required"
    ]
    assert "additional_errors" not in admin.post(ITEMS, {"title": "x"}).json
    assert "additional_errors" not in admin.post(ITEMS, {"url": "https://x.example"}).json


def test_a_number_as_title_is_its_text(admin: Client) -> None:
    assert item_of(admin, title={"raw": 24}, url="https://x.example")["title"]["raw"] == "24"
    assert refusal(admin.post(ITEMS, {"title": {"raw": ["a"]}, "url": "https://x.example"})) == (
        400, "rest_invalid_param",
    )  # fmt: skip


def test_an_item_that_is_pointed_elsewhere_keeps_what_it_showed(admin: Client) -> None:
    first, second = page_of(admin, "First"), page_of(admin, "Second")
    path = f"{ITEMS}/{item_of(admin, type='post_type', object='page', object_id=first)['id']}"
    moved = admin.patch(path, {"object_id": second}).json
    assert (moved["title"]["raw"], moved["url"].endswith("/second/")) == ("First", True)
    assert admin.patch(path, {"title": "Second"}).json["title"]["raw"] == "Second"
    admin.post(f"/cms/v2/pages/{second}", {"title": "New"})
    assert admin.get(path).json["title"]["rendered"] == "New"
    assert admin.patch(path, {"object_id": second, "object": "", "menu_order": 2}).json["title"]["raw"] == "New"
    admin.post(f"/cms/v2/pages/{second}", {"title": "Newer"})
    assert admin.get(path).json["title"]["rendered"] == "Newer"


def test_an_item_that_waited_takes_the_title_of_what_it_comes_to_show(admin: Client) -> None:
    path = f"{ITEMS}/{item_of(admin, type='post_type', object='page', object_id=999999)['id']}"
    assert admin.patch(path, {"object_id": page_of(admin, "Found")}).json["title"]["raw"] == "Found"


def test_an_item_does_not_hang_below_itself(admin: Client) -> None:
    above, below = item_of(admin)["id"], item_of(admin)["id"]
    assert admin.patch(f"{ITEMS}/{below}", {"parent": above}).json["parent"] == above
    assert admin.patch(f"{ITEMS}/{below}", {"parent": below}).json["parent"] == 0


def test_an_item_without_a_menu_has_the_first_place(admin: Client) -> None:
    item = item_of(admin, menu_order=7)
    assert item["menu_order"] == 1
    assert admin.patch(f"{ITEMS}/{item['id']}", {"menu_order": 7}).json["menu_order"] == 1
    menu = menu_of(admin)
    assert admin.patch(f"{ITEMS}/{item['id']}", {"menu_order": 7, "menus": menu}).json["menu_order"] == 7
    assert admin.patch(f"{ITEMS}/{item['id']}", {"menu_order": 5}).json["menu_order"] == 5
    assert item_of(admin, menus=menu, menu_order=3)["menu_order"] == 3


def test_an_item_follows_its_page_and_goes_with_it(admin: Client) -> None:
    page = page_of(admin, "Old & name")
    follows = item_of(admin, type="post_type", object_id=page, title="Old & name")
    own = item_of(admin, type="post_type", object="page", object_id=page, title="Own")
    assert (follows["object"], follows["type_label"], follows["title"]["rendered"]) == (
        "page", "Page", "Old &#038; name",
    )  # fmt: skip
    assert follows["_links"]["cms:menu-item-object"][0]["post_type"] == "page"
    admin.post(f"/cms/v2/pages/{page}", {"title": "New", "slug": "new"})
    shown = [admin.get(f"{ITEMS}/{item['id']}").json for item in (follows, own)]
    assert [item["title"]["rendered"] for item in shown] == ["New", "Own"]
    assert all(item["url"].endswith("/new/") for item in shown)
    admin.patch(f"{ITEMS}/{follows['id']}", {"menu_order": 3})
    admin.delete(f"/cms/v2/pages/{page}")
    trashed = admin.get(f"{ITEMS}/{follows['id']}").json
    assert (trashed["invalid"], trashed["title"]["rendered"]) == (True, "New")
    assert trashed["url"].endswith(f"/?page_id={page}")
    admin.delete(f"/cms/v2/pages/{page}", query={"force": True})
    for item in (follows, own):
        assert refusal(admin.get(f"{ITEMS}/{item['id']}")) == (404, "rest_post_invalid_id")


def test_an_item_follows_its_category_and_goes_with_it(admin: Client) -> None:
    category = admin.post("/cms/v2/categories", {"name": "Wine"}).json["id"]
    item = item_of(admin, type="taxonomy", object="category", object_id=category)
    assert (item["title"]["rendered"], item["type_label"], item["invalid"]) == ("Wine", "Category", False)
    assert item["url"].endswith("/category/wine/")
    admin.delete(f"/cms/v2/categories/{category}", query={"force": True})
    assert refusal(admin.get(f"{ITEMS}/{item['id']}")) == (404, "rest_post_invalid_id")


@pytest.mark.parametrize(
    ("members", "label"),
    [
        ({"type": "post_type", "object": "page", "object_id": 999999}, "Page"),
        ({"type": "taxonomy", "object": "category", "object_id": 999999}, "Category"),
        ({"type": "taxonomy", "object": "nothing", "object_id": 999999}, "nothing"),
    ],
)
def test_an_item_may_wait_for_its_original(admin: Client, members: dict[str, Any], label: str) -> None:
    item = item_of(admin, **members)
    assert (item["title"]["raw"], item["url"], item["invalid"], item["type_label"]) == (
        "#999999 (no title)", "", True, label,
    )  # fmt: skip
    assert "cms:menu-item-object" not in item["_links"]


def test_an_archive_of_posts_is_the_home(admin: Client) -> None:
    item = item_of(admin, type="post_type_archive", object="post")
    assert (item["title"]["raw"], item["type_label"], item["object_id"]) == ("Post Archives", "Post Type Archive", 0)
    assert item["url"].endswith("/en")


def test_changes_of_an_item(admin: Client) -> None:
    one, two = menu_of(admin), menu_of(admin, "Other")
    path = f"{ITEMS}/{item_of(admin, menus=one)['id']}"
    assert admin.post(path, {"title": "Changed", "classes": "a b", "xfn": []}).json["classes"] == ["a", "b"]
    assert admin.patch(path, {"menus": two}).json["menus"] == two
    assert admin.put(path, {"url": "not an address"}).json["url"] == "http://not%20an%20address"
    assert refusal(admin.patch(path, {"title": ""})) == (400, "rest_title_required")
    assert admin.patch(path, {"status": "pending"}).json["status"] == "draft"
    assert numbers(admin.get(ITEMS, query={"menus": two})) == []
    assert len(admin.get(ITEMS, query={"menus": two, "status": "draft,publish"}).json) == 1
    page = page_of(admin, "Page")
    moved = admin.patch(path, {"type": "post_type", "object": "page", "object_id": page, "title": "Page"}).json
    assert (moved["title"]["raw"], moved["object_id"], moved["url"].endswith("/page/")) == ("Page", page, True)


def test_rights_on_items(
    admin: Client, editor: Client, contributor: Client, subscriber: Client, anyone: Client
) -> None:
    path = f"{ITEMS}/{item_of(admin)['id']}"
    assert contributor.get(path).headers["allow"] == "GET"
    assert refusal(editor.get(path, query={"context": "edit"})) == (403, "rest_forbidden_context")
    for client, status in ((editor, 403), (subscriber, 403), (anyone, 401)):
        assert refusal(client.post(ITEMS, {"title": "x", "url": "https://x.example"})) == (status, "rest_cannot_create")
        assert refusal(client.post(path, {"title": "x"})) == (status, "rest_cannot_edit")
        assert refusal(client.delete(path, query={"force": True})) == (status, "rest_cannot_delete")
    assert refusal(anyone.get(path)) == (401, "rest_cannot_view")
    assert refusal(subscriber.get(path)) == (403, "rest_cannot_view")
    admin.patch(path, {"status": "draft"})
    assert refusal(editor.get(path)) == (403, "rest_forbidden")


def test_removal_of_an_item(admin: Client) -> None:
    above = item_of(admin)
    below = item_of(admin, parent=above["id"])
    path = f"{ITEMS}/{above['id']}"
    assert refusal(admin.delete(path)) == (501, "rest_trash_not_supported")
    removed = admin.delete(path, query={"force": True}).json
    assert (removed["deleted"], removed["previous"]["title"]) == (True, {"rendered": "Link"})
    assert admin.get(f"{ITEMS}/{below['id']}").json["parent"] == above["id"]


def test_lists_of_items(admin: Client) -> None:
    one, two = menu_of(admin), menu_of(admin, "Other")
    z = item_of(admin, title="Zeta", url="https://x.example", menus=one, menu_order=2)["id"]
    a = item_of(admin, title="Alpha", url="https://x.example", menus=one, menu_order=1)["id"]
    q = item_of(admin, title="Mid quokka", url="https://x.example", menus=two, menu_order=3)["id"]
    for query, expected in (
        ({}, [a, z, q]),
        ({"menus": one}, [a, z]),
        ({"menus": {"terms": [one, two]}, "order": "desc"}, [q, z, a]),
        ({"menus_exclude": one}, [q]),
        ({"orderby": "title"}, [a, q, z]),
        ({"menu_order": 2}, [z]),
        ({"search": "quokka"}, [q]),
        ({"per_page": 2, "page": 2}, [q]),
    ):
        assert numbers(admin.get(ITEMS, query=query)) == expected, query


def test_autosaves_of_items_leave_the_item_as_it_is(admin: Client, anyone: Client) -> None:
    item = item_of(admin)["id"]
    path = f"{ITEMS}/{item}/autosaves"
    saved = admin.post(path, {"title": "Other", "url": "https://y.example"})
    assert (saved.status, saved.json["title"]["raw"], saved.json["preview_link"]) == (200, "Other", "")
    assert saved.json["slug"] == f"{item}-autosave-v1"
    assert admin.get(f"{ITEMS}/{item}").json["title"] == {"rendered": "Link"}
    assert numbers(admin.get(path)) == [saved.json["id"]]
    assert refusal(anyone.get(path)) == (401, "rest_cannot_read")
    assert refusal(admin.get(f"{ITEMS}/{item}/revisions")) == (404, "rest_no_route")


def test_items_come_in_batches(admin: Client) -> None:
    request = {"path": ITEMS, "body": {"title": "In a batch", "url": "https://x.example"}}
    answer = admin.post("/batch/v1", {"requests": [request, {"path": ITEMS, "body": {}}]})
    assert [one["status"] for one in answer.json["responses"]] == [201, 400]
