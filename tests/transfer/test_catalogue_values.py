"""What a catalogue brings that is odd, incomplete or not known here."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from conftest import Stand
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.records import IdKind, Record, SourceDescription
from vetrina.transfer.report import ImportReport

from .old_catalogue import PRODUCTS, list_damage

ATTRIBUTES, TERMS = f"{PRODUCTS}/attributes", f"{PRODUCTS}/attributes/{{attribute_id}}/terms"
VARIATIONS = f"{PRODUCTS}/{{product_id}}/variations"

pytestmark = pytest.mark.in_process("the site is read without HTTP")


class ListedSource:
    """A source that has the records that it is made of."""

    key = "https://listed.example"

    def __init__(self, *records: Record, languages: tuple[str, ...] = ()) -> None:
        self._records, self._languages = records, languages

    def describe(self) -> SourceDescription:
        resources = tuple(dict.fromkeys(one.resource for one in self._records))
        return SourceDescription("Listed", (self.key,), resources, {}, {}, self._languages)

    def find_greatest_ids(self) -> dict[IdKind, int]:
        return {}

    def count_records(self, resource: str, since: datetime | None = None) -> int | None:
        return sum(one.resource == resource for one in self._records)

    def read_records(self, resource: str, since: datetime | None = None) -> Iterator[Record]:
        return (one for one in self._records if one.resource == resource)

    def fetch_file(self, record: Record, folder: Path) -> Path | None:
        return None


def bring(shop: Stand, *records: Record, **options: Any) -> ImportReport:
    languages = tuple(dict.fromkeys(one.language for one in records if one.language))
    return import_records(shop.site, ListedSource(*records, languages=languages), ImportOptions(**options))


def show(shop: Stand, path: str) -> Any:
    return shop.client("admin").get(path).json


def product(id: int = 7000, /, **members: Any) -> Record:
    return Record(PRODUCTS, id, {"name": "Cup", "status": "publish", **members})


def test_numbers_come_as_texts_and_flags_as_words(shop: Stand) -> None:
    bring(shop, product(
        regular_price=12.5, sale_price=1e-05, manage_stock="yes", stock_quantity="3.0", low_stock_amount="",
        total_sales="42", virtual="1", weight=".5", download_limit="", menu_order="4", meta_data=None, images=None,
        categories=[{"id": None}], upsell_ids="", attributes={}, dimensions=[], downloads=[None, {"file": ""}],
    ))  # fmt: skip
    one = show(shop, f"{PRODUCTS}/7000")
    assert {name: one[name] for name in ("regular_price", "sale_price", "stock_quantity", "low_stock_amount", "weight",
                                         "total_sales", "virtual", "download_limit", "menu_order")} == {
        "regular_price": "12.5", "sale_price": "0.00001", "stock_quantity": 3, "low_stock_amount": None,
        "weight": ".5", "total_sales": 42, "virtual": True, "download_limit": -1, "menu_order": 4,
    }  # fmt: skip
    assert list_damage(shop) == []


def test_numbers_beyond_every_database_come_as_the_greatest(shop: Stand) -> None:
    report = bring(shop, product(total_sales="1e30", menu_order="1e400", download_limit="nan"), product(2**60))
    assert report.refusals == []
    assert show(shop, f"{PRODUCTS}/7000")["total_sales"] == 2**53 - 1
    assert len(show(shop, PRODUCTS)) == 2


def test_a_type_that_is_not_known_is_told_and_simple(shop: Stand) -> None:
    report = bring(shop, product(type="subscription", regular_price="5", catalog_visibility="nowhere"))
    assert (show(shop, f"{PRODUCTS}/7000")["type"], show(shop, f"{PRODUCTS}/7000")["price"]) == ("simple", "5")
    assert report.notes["the type 'subscription' is not known here: simple"] == 1
    assert report.notes["the catalog_visibility 'nowhere' is not known here: visible"] == 1


def test_two_products_of_one_number_both_come(shop: Stand) -> None:
    bring(shop, product(sku="A", global_unique_id="1-2"), product(7001, sku="a", global_unique_id="1-2"))
    found = {id: show(shop, f"{PRODUCTS}/{id}") for id in (7000, 7001)}
    assert [(one["sku"], one["global_unique_id"]) for one in found.values()] == [("A", "1-2"), ("", "")]
    assert list_damage(shop) == []


def test_a_state_of_stock_follows_from_the_quantity(shop: Stand) -> None:
    report = bring(shop, product(manage_stock=True, stock_quantity=0, stock_status="instock"))
    assert show(shop, f"{PRODUCTS}/7000")["stock_status"] == "outofstock"
    assert report.notes["its state of stock is another one than there: it follows from the quantity"] == 1
    assert list_damage(shop) == []


def test_a_variation_waits_for_its_product_and_without_it_does_not_come(shop: Stand) -> None:
    early = Record(VARIATIONS, 7001, {"regular_price": "4", "status": "publish", "attributes": [
        {"id": 0, "name": "Size", "option": "L"}, {"id": 0, "name": "Mood", "option": "Merry"},
    ]}, parent=7000)  # fmt: skip
    lost = Record(VARIATIONS, 7002, {"regular_price": "1", "status": "publish"}, parent=6999)
    of = product(type="variable", attributes=[{"name": "Size", "options": ["L", "XL"], "variation": True}])
    report = bring(shop, early, lost, of)
    one = show(shop, f"{PRODUCTS}/7000")
    assert (one["price"], one["variations"], one["stock_status"]) == ("4", [7001], "instock")
    assert show(shop, f"{PRODUCTS}/7000/variations/7001")["name"] == "L"
    assert report.refusals == [(VARIATIONS, "7002", "what it belongs to did not come")]
    assert report.notes["a choice is of an attribute that its product does not vary by: left out"] == 1
    assert list_damage(shop) == []


def test_attributes_with_long_names_come(shop: Stand) -> None:
    slug = "pa_" + "%d1%86" * 9
    bring(
        shop, Record(ATTRIBUTES, 5, {"name": "Цвет", "slug": slug, "order_by": "odd"}),
        Record(TERMS, 90, {"name": "Red", "slug": "red"}, parent=5),
        product(attributes=[{"id": 5, "name": "Цвет", "options": ["Red", "Blue"]}, {"id": 6, "options": ["?"]}]),
    )  # fmt: skip
    assert [(one["id"], one["slug"]) for one in show(shop, ATTRIBUTES)] == [(5, slug)]
    [own] = show(shop, f"{PRODUCTS}/7000")["attributes"]
    assert (own["id"], sorted(own["options"])) == (5, ["Blue", "Red"])
    assert {one["name"]: one["count"] for one in show(shop, f"{ATTRIBUTES}/5/terms")} == {"Red": 1, "Blue": 1}


def test_taxes_name_their_places_in_either_form(shop: Stand) -> None:
    rate = {"country": "it", "rate": 4, "name": "IVA", "class": "standard"}
    bring(
        shop, Record("/shop/v3/taxes", 8, {**rate, "postcode": "39100;391*", "city": "Bolzano"}),
        Record("/shop/v3/taxes", 9, {**rate, "postcodes": ["10*"], "postcode": "10*", "class": "lost"}),
    )  # fmt: skip
    [one] = show(shop, "/shop/v3/taxes")
    assert (one["id"], one["rate"], one["postcodes"], one["cities"]) == (8, "4.0000", ["39100", "391*"], ["BOLZANO"])
    bring(shop, Record("/shop/v3/taxes", 8, {**rate, "postcode": "", "cities": []}))
    assert [(one["postcodes"], one["cities"]) for one in show(shop, "/shop/v3/taxes")] == [([], [])]


def test_the_first_category_of_an_empty_shop_is_that_of_the_old_one(shop: Stand) -> None:
    bring(shop, Record(f"{PRODUCTS}/categories", 15, {"name": "Various", "slug": "uncategorized", "display": "both"}))
    [one] = show(shop, f"{PRODUCTS}/categories")
    assert (one["name"], one["display"]) == ("Various", "both")


def test_a_discount_that_is_not_known_is_refused_by_name(shop: Stand) -> None:
    path = "/shop/v3/coupons"
    report = bring(
        shop, Record(path, 7100, {"code": "a", "discount_type": "sign_up_fee"}),
        Record(path, 7101, {"code": "b", "amount": 5, "usage_count": 3, "used_by": ["12", "Ada@Example.org"]}),
    )  # fmt: skip
    assert report.refusals == [(path, 7100, "there are no discounts of the type 'sign_up_fee' here")]
    [one] = show(shop, path)
    assert (one["amount"], one["usage_count"], one["used_by"]) == ("5.00", 3, ["12", "ada@example.org"])
    assert list_damage(shop) == []


def test_reviews_of_a_product_in_the_trash_are_shelved_with_it(shop: Stand) -> None:
    review = {"product_id": 7000, "review": "<script>x</script>Fine", "rating": "4", "status": "approved"}
    bring(shop, product(status="trash"), Record(f"{PRODUCTS}/reviews", 60, review))
    assert show(shop, f"{PRODUCTS}/reviews/60")["review"] == "<p>xFine</p>\n"
    assert show(shop, f"{PRODUCTS}/7000")["rating_count"] == 0
    assert shop.client("admin").put(f"{PRODUCTS}/7000", {"status": "publish"}).status == 200
    assert show(shop, f"{PRODUCTS}/reviews/60")["status"] == "approved"


def test_a_catalogue_in_two_languages_is_translated_from_then_on(shop: Stand) -> None:
    english = Record(PRODUCTS, 7000, {"name": "Cup", "slug": "cup", "status": "publish"}, "en")
    values = {"name": "Tazza", "slug": "cup", "status": "publish", "translations": {"en": 7000}}
    bring(shop, english, Record(PRODUCTS, 7001, values, "it"))
    admin, italian = shop.client("admin"), shop.client("admin", "/it/cms-json")
    assert [one["name"] for one in admin.get(PRODUCTS).json] == ["Cup"]
    assert [(one["name"], one["slug"]) for one in italian.get(PRODUCTS).json] == [("Tazza", "cup")]


def test_a_translation_does_not_double_a_product_of_a_shop_without_translated_ones(shop: Stand) -> None:
    report = bring(shop, Record(PRODUCTS, 7001, {"name": "Tazza", "status": "publish"}, "it"), keep_ids=False)
    assert len(report.refusals) == 1
    assert show(shop, PRODUCTS) == []


def test_a_picture_that_did_not_come_is_told(shop: Stand) -> None:
    report = bring(shop, product(images=[{"id": 6000, "src": "https://listed.example/cup.jpg"}]))
    assert show(shop, f"{PRODUCTS}/7000")["images"] == []
    assert report.notes["refers to a thing that did not come: image"] == 1
