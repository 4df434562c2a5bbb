"""Menus synchronized across languages: translated targets are linked, others left out."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client

from .conftest import Desk

PATH = "/mlang/tm/v1/menus/sync"


def page(desk: Desk, title: str, translated: bool = True) -> int:
    number: int = desk.it.post("/cms/v2/pages", {"title": title, "status": "publish"}).json["id"]
    if translated:
        desk.translate(desk.send("post_page", number), lambda text: f"EN {text}")
    return number


def item(desk: Desk, menu: int, order: int, **members: Any) -> int:
    answer = desk.it.post("/cms/v2/menu-items", {"menus": menu, "menu_order": order, "status": "publish", **members})
    assert answer.status == 201, answer.json
    number: int = answer.json["id"]
    return number


def of_page(number: int) -> dict[str, Any]:
    return {"type": "post_type", "object": "page", "object_id": number}


def shown(desk: Desk, menu: int) -> list[tuple[str, int, int]]:
    """Return title, position and parent of a menu's items in English."""
    found = desk.en.get("/cms/v2/menu-items", query={"menus": str(menu), "orderby": "menu_order", "order": "asc"}).json
    return [(one["title"]["rendered"], one["menu_order"], one["parent"]) for one in found]


@pytest.mark.every_database
def test_a_menu_is_brought_into_the_other_language_with_its_items(desk: Desk) -> None:
    menu = desk.it.post("/cms/v2/menus", {"name": "Principale"}).json["id"]
    first = item(desk, menu, 1, **of_page(page(desk, "Orari")))
    lone = item(desk, menu, 2, parent=first, **of_page(page(desk, "Solo qui", translated=False)))
    beneath = item(desk, menu, 3, parent=lone, **of_page(page(desk, "Prezzi")))
    link = item(desk, menu, 4, type="custom", title="Amici", url="https://example.org/")

    [done] = desk.it.post(PATH).json
    assert (done["menu"], done["language"], done["left_out"], done["changed"]) == (menu, "en", [lone], [])
    assert len(done["created"]) == 3
    there = done["translation"]
    assert desk.en.get(f"/cms/v2/menus/{there}").json["translations"]["it"]["id"] == menu
    first_there = desk.it.get(f"/cms/v2/menu-items/{first}").json["translations"]["en"]["id"]
    # Children of the item that is left out move up.
    assert shown(desk, there) == [("EN Orari", 1, 0), ("EN Prezzi", 3, first_there), ("Amici", 4, 0)]

    # The label of a link is a string; the next menu has its translation.
    [label] = desk.it.get("/mlang/st/v1/strings", query={"domain": "menus"}).json
    assert (label["value"], label["name"]) == ("Amici", f"Menu Item Label {link}")

    desk.it.post(f"/cms/v2/menu-items/{beneath}", {"menu_order": 9, "parent": 0})
    [again] = desk.it.post(PATH, {"menu": menu, "languages": ["en"]}).json
    assert (again["created"], len(again["changed"]), again["translation"]) == ([], 1, there)
    assert shown(desk, there) == [("EN Orari", 1, 0), ("Amici", 4, 0), ("EN Prezzi", 9, 0)]


def test_a_translated_label_is_taken(desk: Desk) -> None:
    menu = desk.it.post("/cms/v2/menus", {"name": "Piede"}).json["id"]
    link = item(desk, menu, 1, type="custom", title="Amici & altri", url="https://example.org/")
    [done] = desk.it.post(PATH).json
    [label] = desk.it.get("/mlang/st/v1/strings", query={"domain": "menus"}).json
    desk.it.post(f"/mlang/st/v1/strings/{label['id']}", {"translations": {"en": "Friends"}})
    there = desk.it.get(f"/cms/v2/menu-items/{link}").json["translations"]["en"]["id"]
    desk.en.delete(f"/cms/v2/menu-items/{there}", query={"force": "true"})
    desk.it.post(PATH)
    assert shown(desk, done["translation"]) == [("Friends", 1, 0)]


def test_only_originals_are_brought_and_only_by_who_manages(desk: Desk, editor: Client, anyone: Client) -> None:
    menu = desk.it.post("/cms/v2/menus", {"name": "Principale"}).json["id"]
    [done] = desk.it.post(PATH).json
    assert desk.it.post(PATH, {"menu": done["translation"]}).code == "mlang_menu_not_found"
    assert desk.it.post(PATH, {"menu": 99999}).status == 404
    assert desk.it.post(PATH, {"menu": menu, "languages": ["de"]}).code == "rest_invalid_param"
    assert (editor.post(PATH).status, anyone.post(PATH).status) == (403, 401)
