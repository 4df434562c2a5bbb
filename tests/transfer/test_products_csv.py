"""Products as a table: files of other shops come in, and what goes out comes in again."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, strategies as st

from conftest import Stand
from pictures import picture
from vetrina.cli import main
from vetrina.cli.site_connection import LocalConnection
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.products_csv.cells import (
    decode_text,
    encode_text,
    guard_cell,
    join_list,
    split_list,
    unguard_cell,
)
from vetrina.transfer.products_csv.export import export_products
from vetrina.transfer.products_csv.source import ProductFileSource
from vetrina.transfer.records import SourceError
from vetrina.transfer.report import ImportReport
from vetrina.transfer.sources.address.site_source import SiteSource

from .old_catalogue import PRODUCTS, SECRET, fill_catalogue, list_damage, open_shop

OTHER_SHOP = """\
ID;Type;SKU;Name;Published;Visibility in catalog;Description;In stock?;Stock;Backorders allowed?;Weight (lbs);\
Allow customer reviews?;Regular price;Categories;Tags;Shipping class;Parent;Upsells;Position;Attribute 1 name;\
Attribute 1 value(s);Attribute 1 visible;Attribute 1 global;Meta: maker;Images
12;variable;SHIRT;Shirt;1;visible;"<p>One\\nTwo</p>";1;;0;1.5;0;;"Men > Shirts, Men > Sale";"Blue\\, dark, new";Heavy;;\
id:14;2;Size;"S, M";1;1;'=Ada;https://old.example/shirt.png
13;variation;SHIRT-S;;1;visible;;backorder;parent;;;;9.50;;;;SHIRT;;1;Size;S;;1;;

14;"simple, virtual";;Gift;-1;hidden;;0;;;;1;5;Women > Sale;;;;SHIRT;;;;;;"[1, 2]";
"""

pytestmark = pytest.mark.in_process("both sites are read without HTTP")


def bring(shop: Stand, path: Path, **options: Any) -> ImportReport:
    return import_records(shop.site, ProductFileSource(path, path.parent), ImportOptions(**options))


def show(shop: Stand, path: str) -> Any:
    return shop.client("admin").get(path).json


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "shirt.png").write_bytes(picture(30, 30))
    path = tmp_path / "products.csv"
    path.write_text(OTHER_SHOP, encoding="utf-8-sig")
    return path


def test_a_file_of_another_shop_comes_in(shop: Stand, file: Path) -> None:
    report = bring(shop, file)
    assert report.refusals == []
    shirt, gift = (show(shop, f"{PRODUCTS}/{id}?context=edit") for id in (12, 14))
    assert {name: shirt[name] for name in ("name", "description", "price", "weight", "reviews_allowed", "menu_order",
                                           "stock_status", "shipping_class", "upsell_ids", "variations")} == {
        "name": "Shirt", "description": "<p>One\nTwo</p>", "price": "9.50", "weight": "1.5", "reviews_allowed": False,
        "menu_order": 2, "stock_status": "onbackorder", "shipping_class": "heavy", "upsell_ids": [14],
        "variations": [13],
    }  # fmt: skip
    assert sorted(one["name"] for one in shirt["tags"]) == ["Blue, dark", "new"]
    assert [one["name"] for one in shirt["attributes"]] == ["Size"]
    assert (shirt["attributes"][0]["variation"], sorted(shirt["attributes"][0]["options"])) == (True, ["M", "S"])
    assert [(one["key"], one["value"]) for one in shirt["meta_data"]] == [("maker", "=Ada")]
    assert len(shirt["images"]) == 1
    assert (gift["status"], gift["virtual"], gift["catalog_visibility"], gift["stock_status"]) == (
        "draft", True, "hidden", "outofstock",
    )  # fmt: skip
    assert gift["meta_data"][0]["value"] == [1, 2]
    assert list_damage(shop) == []


def test_categories_of_one_name_below_others_are_others(shop: Stand, file: Path) -> None:
    bring(shop, file)
    found = {one["id"]: one for one in show(shop, f"{PRODUCTS}/categories?per_page=50")}
    paths = {(found[one["parent"]]["name"], one["name"]) for one in found.values() if one["parent"]}
    assert paths == {("Men", "Shirts"), ("Men", "Sale"), ("Women", "Sale")}


def test_a_shop_that_has_the_products_finds_them_again(shop: Stand, file: Path) -> None:
    admin = shop.client("admin")
    own = admin.post(PRODUCTS, {"name": "Ours", "sku": "shirt", "type": "variable", "regular_price": "1"}).json["id"]
    first = bring(shop, file)
    assert (first.keep_ids, first.resources[PRODUCTS].found, first.resources[PRODUCTS].created) == (False, 1, 1)
    assert show(shop, f"{PRODUCTS}/{own}")["name"] == "Ours"
    again = bring(shop, file)
    assert all(not (one.created or one.updated) for one in again.resources.values())
    assert len(show(shop, f"{PRODUCTS}/categories?per_page=50")) == 6


def test_what_goes_out_comes_in_again(prepared_shop: Path, tmp_path: Path) -> None:
    old, new = (open_shop(prepared_shop, tmp_path, name) for name in ("old", "new"))
    ids = fill_catalogue(old)
    path = tmp_path / "out.csv"
    assert export_products(SiteSource(LocalConnection(old.site)), path) == len(ids) - 1 + 2
    import_records(new.site, ProductFileSource(path, tmp_path / "old" / "media" / "uploads"))
    kept = (
        "name", "type", "sku", "status", "regular_price", "sale_price", "date_on_sale_from", "date_on_sale_to",
        "stock_quantity", "stock_status", "backorders", "low_stock_amount", "weight", "dimensions", "tax_class",
        "description", "short_description", "purchase_note", "catalog_visibility", "featured", "sold_individually",
        "virtual", "downloads", "download_limit", "download_expiry", "external_url", "button_text", "menu_order",
        "upsell_ids", "cross_sell_ids", "grouped_products", "shipping_class", "global_unique_id", "reviews_allowed",
    )  # fmt: skip
    for name, id in ids.items():
        if name != "Thrown away":
            before, after = (show(one, f"{PRODUCTS}/{id}?context=edit") for one in (old, new))
            assert {member: after[member] for member in kept} == {member: before[member] for member in kept}
            assert [one["name"] for one in after["categories"]] == [one["name"] for one in before["categories"]]
            assert [(one["name"], one["variation"]) for one in after["attributes"]] == [
                (one["name"], one["variation"]) for one in before["attributes"]
            ]
            assert len(after["images"]) == len(before["images"])
    varied = f"{PRODUCTS}/{ids['Jar']}/variations"
    assert {one["sku"]: one["price"] for one in show(new, varied)} == {"JAR-Red": "20", "JAR-Crimson": "25"}
    assert list_damage(new) == []
    old.site.close()
    new.site.close()


def test_the_commands_write_and_read_a_table(shop: Stand, file: Path, tmp_path: Path) -> None:
    bring(shop, file)
    shop.site.close()
    (tmp_path / "new" / "vetrina.toml").write_text(f'profile = "second"\nsecret = "{SECRET}"\n')
    target = tmp_path / "written.csv"
    told = CliRunner().invoke(main, ["export", "--site", str(tmp_path / "new"), "--products", str(target)])
    assert told.exit_code == 0, told.output
    assert "3 products and variations" in told.output
    with target.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    assert [(row["ID"], row["Type"], row["Parent"], row["Categories"]) for row in rows] == [
        ("12", "variable", "", "Men > Sale, Men > Shirts"), ("14", "simple, virtual", "", "Women > Sale"),
        ("13", "variation", "SHIRT", ""),
    ]  # fmt: skip
    assert rows[0]["Meta: maker"] == "'=Ada"
    read = CliRunner().invoke(main, ["import", str(target), "--site", str(tmp_path / "new"), "--no-files"])
    assert read.exit_code == 0, read.output
    assert "/shop/v3/products " in read.output


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "Name\n\xff"], ids=["empty", "other columns", "another code"])
def test_what_is_no_file_of_products_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd.csv"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(SourceError, match="odd"):
        ProductFileSource(path).describe()


_WORDS = st.text(st.characters(blacklist_characters="\\\r", blacklist_categories=("Cs",)), max_size=20)


@given(_WORDS)
def test_a_text_stands_in_one_line_and_is_read_as_it_was(text: str) -> None:
    cell = encode_text(text)
    assert "\n" not in cell
    assert decode_text(cell) == text


@given(_WORDS)
def test_no_cell_is_a_formula(text: str) -> None:
    cell = guard_cell(text)
    assert not cell.startswith(("=", "+", "@"))
    assert unguard_cell(cell) == text or text.startswith("'")


@given(st.lists(_WORDS.map(str.strip).filter(bool), max_size=5))
def test_values_of_a_list_are_read_as_they_were(values: list[str]) -> None:
    assert split_list(join_list(values)) == values
