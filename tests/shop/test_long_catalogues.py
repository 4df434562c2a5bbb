"""Lists of a long catalogue, whose totals are kept and which are read along indexes, say what short ones say."""

from __future__ import annotations

import random
from typing import Any

import pytest

from conftest import Client
from vetrina.shop.products import listing

PRODUCTS, STORE = "/shop/v3/products", "/shop/store/v1/products"

pytestmark = pytest.mark.in_process  # a constant of the process that answers is changed


@pytest.fixture
def catalogue(manager: Client, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Products in a few places, in a catalogue that counts as long."""
    monkeypatch.setattr(listing, "_INDEX_SCAN_THRESHOLD", 4)
    chance, made = random.Random(7), []
    for number in range(24):
        members = {
            "name": f"{chance.choice('abcÉ')} {number}", "menu_order": chance.choice([0, 0, 0, 0, -3, 2, 7]),
            "regular_price": "10", "catalog_visibility": chance.choice(["visible", "visible", "catalog", "hidden"]),
        }  # fmt: skip
        made.append(manager.post(PRODUCTS, members).json)
    return made


def list_ids(manager: Client, **query: Any) -> tuple[list[int], int]:
    words = "&".join(f"{name}={value}" for name, value in query.items())
    answer = manager.get(f"{STORE}?{words}")
    return [one["id"] for one in answer.json], int(answer.headers["x-cms-total"])


def test_the_order_of_places_is_that_of_a_short_catalogue(
    manager: Client, catalogue: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    query = {"orderby": "menu_order", "order": "asc", "catalog_visibility": "catalog"}
    pages = [list_ids(manager, **query, per_page=5, page=page)[0] for page in range(1, 6)]
    monkeypatch.setattr(listing, "_INDEX_SCAN_THRESHOLD", 500)
    whole, total = list_ids(manager, **query, per_page=100)
    assert [id for page in pages for id in page] == whole
    assert total == len(whole) == sum(one["catalog_visibility"] != "hidden" for one in catalogue)


def test_a_kept_total_follows_every_change(manager: Client, catalogue: list[dict[str, Any]]) -> None:
    def count() -> int:
        return list_ids(manager, catalog_visibility="catalog")[1]

    before = count()
    shown = [one["id"] for one in catalogue if one["catalog_visibility"] != "hidden"]
    assert before == len(shown)
    manager.put(f"{PRODUCTS}/{shown[0]}", {"catalog_visibility": "hidden"})
    assert count() == before - 1
    manager.put(f"{PRODUCTS}/{shown[0]}", {"catalog_visibility": "visible"})
    manager.put(f"{PRODUCTS}/{shown[1]}", {"status": "draft"})
    assert count() == before - 1
    manager.delete(f"{PRODUCTS}/{shown[2]}?force=true")
    manager.post(PRODUCTS, {"name": "New", "regular_price": "1"})
    assert count() == before - 1


def test_a_kept_total_of_a_category_follows_the_category(manager: Client, catalogue: list[dict[str, Any]]) -> None:
    above = manager.post(f"{PRODUCTS}/categories", {"name": "Above"}).json["id"]
    below = manager.post(f"{PRODUCTS}/categories", {"name": "Below"}).json["id"]
    for one in catalogue[:5]:
        manager.put(f"{PRODUCTS}/{one['id']}", {"categories": [{"id": below}]})

    def count() -> int:
        return list_ids(manager, category=above, catalog_visibility="any")[1]

    assert count() == 0
    manager.put(f"{PRODUCTS}/categories/{below}", {"parent": above})
    assert count() == 5
    manager.put(f"{PRODUCTS}/{catalogue[0]['id']}", {"categories": [{"id": above}]})
    manager.put(f"{PRODUCTS}/{catalogue[1]['id']}", {"categories": []})
    assert count() == 4
    manager.delete(f"{PRODUCTS}/categories/{below}?force=true")
    assert count() == 1
