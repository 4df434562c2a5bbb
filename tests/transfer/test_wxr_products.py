"""Products of an export file: as the original writes them, and as our own export does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conftest import Stand
from pictures import picture
from vetrina.cli.site_connection import LocalConnection
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.report import ImportReport
from vetrina.transfer.sources.address.site_source import SiteSource
from vetrina.transfer.sources.wxr.extension_fields import get_language_fields
from vetrina.transfer.sources.wxr.php_values import write_php_value
from vetrina.transfer.sources.wxr.source import ExportFileSource
from vetrina.transfer.wxr_export.export import export_to_wxr

from .export_files import OLD, ExportFile, comment
from .old_catalogue import PRODUCTS, fill_catalogue, list_damage, list_differences, open_shop

pytestmark = pytest.mark.in_process("both sites are read without HTTP")

SHIRT, RED, BLUE, POSTER, BOX = 500, 501, 502, 510, 520
PICTURE, OTHER_PICTURE = 600, 601
UNUSED = {"_price": "9.90", "_edit_lock": "1600000000:1", "_wp_old_slug": "tee", "_product_version": "9.0.0",
          "_wc_average_rating": "4.00"}  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> ExportFile:
    """A small catalogue as the original writes it, whose pictures are in the folder of uploads."""
    (tmp_path / "uploads").mkdir()
    for name in ("front", "back"):
        (tmp_path / "uploads" / f"{name}.png").write_bytes(picture(30, 30))
    out = ExportFile()
    out.term(40, "product_type", "variable", "variable")
    out.term(41, "product_visibility", "featured", "featured")
    out.term(50, "product_cat", "clothes", "Clothes", meta={"order": "3", "display_type": "both"})
    out.term(51, "product_cat", "shirts", "Shirts", "clothes", {"thumbnail_id": str(PICTURE)})
    out.term(52, "product_tag", "new", "New")
    out.term(53, "product_brand", "ada", "Ada & Co")
    out.term(54, "product_shipping_class", "heavy", "Heavy")
    out.term(60, "pa_cup-colour", "red", "Red", meta={"order": "2"})
    # The slug of the one is the name of the other.
    out.term(61, "pa_cup-colour", "blue-2", "Blue", meta={"order_pa_cup-colour": "1"})
    attributes = {
        "pa_cup-colour": {"name": "pa_cup-colour", "value": "", "position": 0, "is_visible": 1, "is_variation": 1,
                          "is_taxonomy": 1},
        "fit-form": {"name": "Fit & form", "value": "Slim | Wide", "position": 1, "is_visible": 0, "is_variation": 1,
                     "is_taxonomy": 0},
    }  # fmt: skip
    # Before what it is made of, as in files that are sorted by date.
    out.item(
        SHIRT, "Shirt", "<p>Long</p>", excerpt="<p>Short</p>", post_type="product", post_name="shirt", menu_order=4,
        comment_status="open", link=f"{OLD}/product/shirt/",
        terms=(("product_type", "variable"), ("product_visibility", "featured"), ("product_visibility", "rated-4"),
               ("product_cat", "shirts"), ("product_tag", "new"), ("product_brand", "ada"),
               ("product_shipping_class", "heavy"), ("pa_cup-colour", "red"), ("pa_cup-colour", "blue-2")),
        meta={
            "_sku": "SHIRT", "_global_unique_id": "9781", "_manage_stock": "yes", "_stock": "5",
            "_stock_status": "instock", "_backorders": "notify", "_low_stock_amount": "2", "_weight": "0.4",
            "_length": "10", "_width": "20", "_height": "3", "_tax_status": "shipping", "_tax_class": "",
            "_sold_individually": "yes", "_purchase_note": "Wash cold.", "total_sales": "7", "_virtual": "no",
            "_upsell_ids": write_php_value([POSTER]), "_crosssell_ids": write_php_value([str(BOX)]),
            "_thumbnail_id": str(PICTURE), "_product_image_gallery": str(OTHER_PICTURE),
            "_product_attributes": write_php_value(attributes),
            "_default_attributes": write_php_value({"pa_cup-colour": "blue-2", "fit-form": "Wide"}),
            "maker": write_php_value({"name": "Ada"}), "_kiln": "3", **UNUSED,
        },
        comments=(
            comment(70, "Fine", type="review", meta={"rating": "4", "verified": "1"}),
            comment(71, "From before", type="", approved="0", meta={"rating": "2", "verified": "0"}),
            comment(72, "Thank you", type="comment", parent=70),
        ),
    )  # fmt: skip
    for id, colour, more in (
        (RED, "red", {"_manage_stock": "yes", "_stock": "0", "_stock_status": "outofstock", "_tax_class": "parent",
                      "_thumbnail_id": str(OTHER_PICTURE)}),
        (BLUE, "blue-2", {"_sale_price": "9.90", "_variation_description": "The last", "_tax_class": "standard"}),
    ):  # fmt: skip
        out.item(
            id, "Shirt - x", post_type="product_variation", post_parent=SHIRT, menu_order=id,
            meta={"_regular_price": "12.50", "_sku": f"SHIRT-{id}", "attribute_pa_cup-colour": colour,
                  "attribute_fit-form": "", **more, **UNUSED},
        )  # fmt: skip
    files = {"abc": {"id": "abc", "name": "PDF", "file": "https://files.example/poster.pdf", "enabled": True}}
    out.item(
        POSTER, "Poster", post_type="product", comment_status="closed",
        terms=(("product_type", "simple"), ("product_visibility", "exclude-from-catalog"),
               ("product_visibility", "exclude-from-search")),
        meta={
            "_regular_price": "12.50", "_sale_price": "9.90", "_sale_price_dates_from": "1577836800",
            "_sale_price_dates_to": "4083865199", "_virtual": "yes", "_downloadable": "yes", "_download_limit": "2",
            "_download_expiry": "-1", "_downloadable_files": write_php_value(files), "_stock": "",
        },
    )  # fmt: skip
    out.item(
        BOX, "Box", post_type="product", terms=(("product_type", "grouped"),),
        meta={"_children": write_php_value([POSTER, SHIRT])},
    )  # fmt: skip
    out.item(
        521, "Elsewhere", post_type="product", terms=(("product_type", "external"),),
        meta={"_product_url": "https://other.example/x", "_button_text": "There", "_visibility": "search",
              "_featured": "yes"},
    )  # fmt: skip
    out.item(
        522, "Thrown away", post_type="product", status="trash", post_name="gone__trashed",
        meta={"_wp_trash_meta_status": "publish", "_wp_desired_post_slug": "gone"},
    )  # fmt: skip
    for id, name in ((PICTURE, "front"), (OTHER_PICTURE, "back")):
        out.item(id, name, post_type="attachment", status="inherit",
                 attachment_url=f"{OLD}/wp-content/uploads/{name}.png")  # fmt: skip
    return out


def bring(shop: Stand, file: ExportFile | Path, folder: Path, **options: Any) -> ImportReport:
    path = file if isinstance(file, Path) else file.write(folder)
    return import_records(
        shop.site, ExportFileSource(path, folder / "uploads"), ImportOptions(**{"files": True, **options})
    )


def show(shop: Stand, path: str) -> Any:
    return shop.client("admin").get(path).json


def test_a_product_is_as_it_was(shop: Stand, file: ExportFile, tmp_path: Path) -> None:
    report = bring(shop, file, tmp_path)
    assert report.refusals == []
    shirt = show(shop, f"{PRODUCTS}/{SHIRT}?context=edit")
    plain = {
        "name": "Shirt", "slug": "shirt", "type": "variable", "status": "publish", "description": "<p>Long</p>",
        "short_description": "<p>Short</p>", "date_created": "2020-05-06T10:00:00",
        "date_created_gmt": "2020-05-06T08:00:00", "menu_order": 4, "reviews_allowed": True, "featured": True,
        "catalog_visibility": "visible", "sku": "SHIRT", "global_unique_id": "9781", "manage_stock": True,
        "stock_quantity": 5, "stock_status": "instock", "backorders": "notify", "low_stock_amount": 2, "weight": "0.4",
        "dimensions": {"length": "10", "width": "20", "height": "3"}, "tax_status": "shipping", "tax_class": "",
        "sold_individually": True, "purchase_note": "Wash cold.", "total_sales": 7, "upsell_ids": [POSTER],
        "cross_sell_ids": [BOX], "shipping_class": "heavy", "variations": [RED, BLUE], "price": "9.90",
    }  # fmt: skip
    assert {name: shirt[name] for name in plain} == plain
    assert [[one["id"] for one in shirt[name]] for name in ("categories", "tags", "brands", "images")] == [
        [51], [52], [53], [PICTURE, OTHER_PICTURE],
    ]  # fmt: skip
    assert [(one["key"], one["value"]) for one in shirt["meta_data"]] == [("maker", {"name": "Ada"}), ("_kiln", "3")]


def test_attributes_follow_from_their_values(shop: Stand, file: ExportFile, tmp_path: Path) -> None:
    bring(shop, file, tmp_path)
    [attribute] = show(shop, f"{PRODUCTS}/attributes")
    assert (attribute["name"], attribute["slug"]) == ("Cup colour", "pa_cup-colour")
    terms = show(shop, f"{PRODUCTS}/attributes/{attribute['id']}/terms")
    assert {(one["id"], one["slug"], one["menu_order"], one["count"]) for one in terms} == {
        (60, "red", 2, 1), (61, "blue-2", 1, 1),
    }  # fmt: skip
    shirt = show(shop, f"{PRODUCTS}/{SHIRT}")
    colour, fit = shirt["attributes"]
    assert (colour["id"], sorted(colour["options"]), colour["visible"]) == (attribute["id"], ["Blue", "Red"], True)
    assert (fit["name"], fit["options"], fit["visible"], fit["variation"]) == (
        "Fit & form", ["Slim", "Wide"], False, True,
    )  # fmt: skip
    assert [one["option"] for one in shirt["default_attributes"]] == ["Blue", "Wide"]


def test_variations_have_what_they_choose(shop: Stand, file: ExportFile, tmp_path: Path) -> None:
    bring(shop, file, tmp_path)
    red, blue = (show(shop, f"{PRODUCTS}/{SHIRT}/variations/{id}?context=edit") for id in (RED, BLUE))
    assert [[one["option"] for one in found["attributes"]] for found in (red, blue)] == [["Red"], ["Blue"]]
    assert (red["manage_stock"], red["stock_quantity"], red["stock_status"]) == (True, 0, "outofstock")
    assert (red["price"], red["image"]["id"], red["tax_class"]) == ("12.50", OTHER_PICTURE, "parent")
    assert (blue["manage_stock"], blue["price"], blue["on_sale"], blue["tax_class"]) == ("parent", "9.90", True, "")
    assert "The last" in blue["description"]


def test_other_types_of_products_come(shop: Stand, file: ExportFile, tmp_path: Path) -> None:
    bring(shop, file, tmp_path)
    poster, box, outside, gone = (show(shop, f"{PRODUCTS}/{id}?context=edit") for id in (POSTER, BOX, 521, 522))
    assert (poster["date_on_sale_from_gmt"], poster["date_on_sale_to_gmt"]) == (
        "2020-01-01T00:00:00", "2099-05-30T22:59:59",
    )  # fmt: skip
    assert (poster["on_sale"], poster["catalog_visibility"], poster["reviews_allowed"]) == (True, "hidden", False)
    assert (poster["virtual"], poster["downloadable"], poster["download_limit"]) == (True, True, 2)
    [download] = poster["downloads"]
    assert (download["id"], download["file"]) == ("abc", "https://files.example/poster.pdf")
    assert (box["type"], box["grouped_products"], box["reviews_allowed"]) == ("grouped", [POSTER, SHIRT], True)
    assert (outside["external_url"], outside["button_text"]) == ("https://other.example/x", "There")
    assert (outside["catalog_visibility"], outside["featured"]) == ("search", True)
    assert gone["status"] == "trash"


def test_terms_have_their_order_and_image(shop: Stand, file: ExportFile, tmp_path: Path) -> None:
    bring(shop, file, tmp_path)
    above, shirts = (show(shop, f"{PRODUCTS}/categories/{id}") for id in (50, 51))
    assert (above["menu_order"], above["display"], above["image"]) == (3, "both", None)
    assert (shirts["parent"], shirts["image"]["id"], shirts["count"]) == (50, PICTURE, 1)
    assert show(shop, f"{PRODUCTS}/brands/53")["slug"] == "ada"
    assert show(shop, f"{PRODUCTS}/shipping_classes/54")["count"] == 1


def test_reviews_come_with_their_stars_and_answers_as_comments(shop: Stand, file: ExportFile, tmp_path: Path) -> None:
    report = bring(shop, file, tmp_path)
    reviews = {one["id"]: one for one in show(shop, f"{PRODUCTS}/reviews?status=all")}
    assert {id: (one["rating"], one["verified"], one["status"]) for id, one in reviews.items()} == {
        70: (4, True, "approved"), 71: (2, False, "hold"),
    }  # fmt: skip
    assert reviews[70]["reviewer_email"] == "zoe@example.net"
    assert (report.get_resource("/cms/v2/comments").created, report.get_resource(f"{PRODUCTS}/reviews").created) == (
        1, 2,
    )  # fmt: skip
    shirt = show(shop, f"{PRODUCTS}/{SHIRT}")
    assert (shirt["average_rating"], shirt["rating_count"]) == ("4.00", 1)


def test_nothing_that_came_is_damaged_or_comes_twice(shop: Stand, file: ExportFile, tmp_path: Path) -> None:
    bring(shop, file, tmp_path)
    assert list_damage(shop) == []
    again = bring(shop, file, tmp_path)
    assert [name for name, one in again.resources.items() if one.created or one.updated] == []
    file.parts = [part.replace("SHIRT-502", "SHIRT-BLUE").replace(">Fine<", ">Very fine<") for part in file.parts]
    changed = {name: one.updated for name, one in bring(shop, file, tmp_path).resources.items() if one.updated}
    assert changed == {f"{PRODUCTS}/{{product_id}}/variations": 1, f"{PRODUCTS}/reviews": 1}
    assert show(shop, f"{PRODUCTS}/{SHIRT}/variations/{BLUE}")["sku"] == "SHIRT-BLUE"
    assert list_damage(shop) == []


def test_a_site_with_a_catalogue_gives_new_ids(shop: Stand, file: ExportFile, tmp_path: Path) -> None:
    own = shop.client("admin").post(PRODUCTS, {"name": "Own", "sku": "OWN"}).json["id"]
    report = bring(shop, file, tmp_path, keep_ids=False)
    assert report.refusals == []
    assert show(shop, f"{PRODUCTS}/{own}")["name"] == "Own"
    [shirt] = show(shop, f"{PRODUCTS}?sku=SHIRT")
    [poster] = show(shop, f"{PRODUCTS}?slug=item-{POSTER}&status=any")
    assert shirt["upsell_ids"] == [poster["id"]]
    assert len(shirt["variations"]) == 2
    assert len(shirt["images"]) == 2
    assert list_damage(shop) == []


def test_terms_and_attributes_that_only_items_name_are_made(shop: Stand, tmp_path: Path) -> None:
    file = ExportFile()
    attributes = {"pa_size": {"name": "pa_size", "is_taxonomy": "1", "is_visible": "1", "position": "0"}}
    file.item(
        SHIRT, "Shirt", post_type="product", terms=(("product_cat", "shirts"), ("pa_size", "xl")),
        meta={"_product_attributes": write_php_value(attributes), "_regular_price": "5"},
    )  # fmt: skip
    assert bring(shop, file, tmp_path).refusals == []
    shirt = show(shop, f"{PRODUCTS}/{SHIRT}")
    assert [one["slug"] for one in shirt["categories"]] == ["shirts"]
    assert [(one["name"], one["options"]) for one in shirt["attributes"]] == [("Size", ["xl"])]


@pytest.mark.parametrize("value", ["", "a:1:{broken", 'O:8:"stdClass":0:{}', "a:1:{i:0;N;}", "12.5", "a:0:{}", "-"])
def test_odd_extra_fields_stop_no_product(shop: Stand, tmp_path: Path, value: str) -> None:
    names = (
        "_sku", "_product_attributes", "_default_attributes", "_downloadable_files", "_children", "_upsell_ids",
        "_thumbnail_id", "_product_image_gallery", "_stock", "_sale_price_dates_from", "_regular_price", "_weight",
        "_download_limit", "_tax_class", "total_sales", "_cogs_total_value", "attribute_size", "rating",
    )  # fmt: skip
    file, meta = ExportFile(), dict.fromkeys(names, value)
    file.item(SHIRT, "Shirt", post_type="product", meta=meta, terms=(("product_type", "variable"),))
    file.item(RED, "Shirt", post_type="product_variation", post_parent=SHIRT, meta={**meta, "_sku": "X"})
    report = bring(shop, file, tmp_path)
    assert report.refusals == []
    assert list_damage(shop) == []


def test_without_products_a_taxonomy_may_be_called_as_an_attribute(shop: Stand, tmp_path: Path) -> None:
    file = ExportFile()
    file.item(SHIRT, "Post", terms=(("pa_size", "xl"),))
    assert bring(shop, file, tmp_path).refusals == [
        ("/cms/v2/pa_size", "pa_size:xl", "the profile has no taxonomy 'pa_size'"),
    ]  # fmt: skip


def test_a_variation_without_its_product_is_refused(shop: Stand, tmp_path: Path) -> None:
    file = ExportFile()
    file.item(RED, "Lost", post_type="product_variation", post_parent=SHIRT)
    assert [reason for *_, reason in bring(shop, file, tmp_path).refusals] == ["what it belongs to did not come"]


def test_a_catalogue_that_moved_by_our_own_file_agrees(prepared_shop: Path, shop: Stand, tmp_path: Path) -> None:
    old = open_shop(prepared_shop, tmp_path, "old")
    ids, admin = fill_catalogue(old), old.client("admin")
    jar = ids["Jar"]
    # The product has the stock of this one.
    shared = admin.get(f"{PRODUCTS}/{jar}/variations").json[0]["id"]
    assert admin.put(f"{PRODUCTS}/{jar}", {"manage_stock": True, "stock_quantity": 9}).status == 200
    assert admin.put(f"{PRODUCTS}/{jar}/variations/{shared}", {"manage_stock": False, "tax_class": ""}).status == 200
    path = tmp_path / "export.xml"
    export_to_wxr(SiteSource(LocalConnection(old.site)), path)
    files = old.site.folder / "media" / "uploads"
    report = import_records(shop.site, ExportFileSource(path, files), ImportOptions(files=True))
    assert [one for one in report.refusals if "/shop/" in one[0]] == []
    # Taxes and coupons are in no file.
    found = [one for one in list_differences(old, shop) if one.resource.startswith(PRODUCTS)]
    assert found == []
    assert list_damage(shop) == []
    switch = "/shop/v3/settings/advanced/shop_feature_cost_of_goods_sold_enabled"
    assert shop.client("admin").put(switch, {"value": "yes"}).status == 200
    assert show(shop, f"{PRODUCTS}/{ids['Cup']}")["cost_of_goods_sold"]["total_value"] == 4.5
    old.site.close()


def test_products_of_two_languages_stay_translations(shop: Stand, tmp_path: Path) -> None:
    file, (code, group, source) = ExportFile(), get_language_fields()
    shared = {"_sku": "CUP", "_regular_price": "5", group: "cup"}
    file.item(SHIRT, "Cup", post_type="product", post_name="cup", meta={**shared, code: "en"})
    file.item(POSTER, "Tazza", post_type="product", post_name="tazza", meta={**shared, code: "it", source: "en"})
    report = bring(shop, file, tmp_path)
    assert report.refusals == []
    assert report.notes["its sku is that of another product: it comes without one"] == 1
    admin, italian = shop.client("admin"), shop.client("admin", "/it/cms-json")
    assert [one["name"] for one in admin.get(PRODUCTS).json] == ["Cup"]
    assert [(one["name"], one["meta_data"]) for one in italian.get(PRODUCTS).json] == [("Tazza", [])]
    record = italian.get(f"/cms/v2/product/{POSTER}?context=edit").json
    assert (record["lang"], record["translations"]["en"]["id"]) == ("it", SHIRT)
