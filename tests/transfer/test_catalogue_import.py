"""A catalogue moves into an empty shop, and into one that has its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import Stand
from vetrina.transfer.report import ImportReport

from .old_catalogue import PRODUCTS, bring, fill_catalogue, list_damage, list_differences, open_shop

pytestmark = pytest.mark.in_process("both sites are read without HTTP")


class Move:
    """A catalogue that moved. ids: of its products in the old shop, by their names."""

    def __init__(self, old: Stand, new: Stand) -> None:
        self.old, self.new = old, new
        self.ids = fill_catalogue(old)
        self.report: ImportReport = bring(old, new)

    def get(self, path: str) -> Any:
        """Return what the new shop shows its administrator."""
        return self.new.client("admin").get(path).json


@pytest.fixture(scope="module")
def moved(prepared_shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Move]:
    folder = tmp_path_factory.mktemp("catalogue")
    old, new = (open_shop(prepared_shop, folder, name) for name in ("old", "new"))
    yield Move(old, new)
    old.site.close()
    new.site.close()


def test_a_catalogue_that_moved_in_agrees_with_the_old_one(moved: Move) -> None:
    assert not [refusal for refusal in moved.report.refusals if "/shop/" in refusal[0]]
    assert list_differences(moved.old, moved.new) == []


def test_everything_keeps_its_id(moved: Move) -> None:
    assert not [text for text in moved.report.notes if "another id" in text]
    assert {one["name"]: one["id"] for one in moved.get(f"{PRODUCTS}?per_page=50&status=any")}.items() <= (
        moved.ids.items()
    )


def test_nothing_that_moved_in_is_damaged(moved: Move) -> None:
    assert list_damage(moved.new) == []


def test_what_was_changed_last_is_known_to_the_second(moved: Move) -> None:
    for id in moved.ids.values():
        before = moved.old.client("admin").get(f"{PRODUCTS}/{id}?context=edit").json
        assert moved.get(f"{PRODUCTS}/{id}?context=edit")["date_modified_gmt"] == before["date_modified_gmt"]


def test_lists_find_what_moved_in_by_what_follows_from_it(moved: Move) -> None:
    def find(query: str) -> set[str]:
        return {one["name"] for one in moved.get(f"{PRODUCTS}?{query}")}

    assert find("min_price=9&max_price=10") == {"Cup", "Set"}
    assert find("on_sale=true") == {"Cup"}
    assert find("attribute=pa_colour&attribute_term=" + str(find_term(moved, "Crimson"))) == {"Jar"}
    assert find("stock_status=instock&type=variable") == {"Jar"}
    assert find("search=cup") == {"Cup"}
    assert find("sku=cup") == {"Cup"}
    assert [one["average_rating"] for one in moved.get(f"{PRODUCTS}?slug=cup")] == ["3.50"]


def find_term(moved: Move, name: str) -> int:
    [colour] = moved.get(f"{PRODUCTS}/attributes")
    return next(one["id"] for one in moved.get(f"{PRODUCTS}/attributes/{colour['id']}/terms") if one["name"] == name)


def test_a_value_is_known_by_its_name_where_another_one_has_that_as_its_slug(moved: Move) -> None:
    variations = moved.get(f"{PRODUCTS}/{moved.ids['Jar']}/variations?orderby=menu_order&order=asc")
    assert [(one["sku"], one["permalink"].rpartition("?")[2]) for one in variations] == [
        ("JAR-Red", "attribute_size-form=Small&attribute_pa_colour=crimson"),
        ("JAR-Crimson", "attribute_size-form=Small&attribute_pa_colour=red"),
    ]


def test_what_it_cost_comes_with_the_setting(moved: Move) -> None:
    assert moved.get(f"{PRODUCTS}/{moved.ids['Cup']}")["cost_of_goods_sold"]["total_value"] == 4.5


def test_orders_are_the_uses_that_their_coupon_came_with(moved: Move) -> None:
    [shown] = moved.get("/shop/v3/coupons")
    assert (shown["usage_count"], shown["used_by"]) == (2, ["ada@example.org", "bea@example.org"])
    assert list_damage(moved.new) == []


def test_a_second_run_brings_nothing(moved: Move) -> None:
    again = bring(moved.old, moved.new)
    assert {path for path, one in again.resources.items() if one.created or one.updated} == set()


def test_a_shop_that_has_a_catalogue_finds_what_it_has_and_gives_new_ids(
    moved: Move, prepared_shop: Path, tmp_path: Path
) -> None:
    other = open_shop(prepared_shop, tmp_path, "other")
    own = other.client("admin").post(PRODUCTS, {"name": "Ours", "sku": "CUP"}).json["id"]
    other.client("admin").post("/shop/v3/coupons", {"code": "TEA", "amount": "1"})
    other.client("admin").post(f"{PRODUCTS}/attributes", {"name": "Colore", "slug": "colour"})
    report = bring(moved.old, other, keep_ids=False)
    assert report.resources["/shop/v3/coupons"].found == report.resources[f"{PRODUCTS}/attributes"].found == 1
    assert report.resources[PRODUCTS].found == 1
    products = {one["name"]: one for one in other.client("admin").get(f"{PRODUCTS}?per_page=50&context=edit").json}
    jar, both = products["Jar"], products["Set"]
    assert "Cup" not in products
    assert both["grouped_products"] == [own, jar["id"]]
    assert [one["option"] for one in jar["default_attributes"]] == ["Red", "Large"]
    assert len(jar["variations"]) == 2
    assert len(other.client("admin").get(f"{PRODUCTS}/{jar['id']}/variations").json) == 2
    assert list_damage(other) == []
    other.site.close()
