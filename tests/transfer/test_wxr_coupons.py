"""Coupons of an export file come; orders, of which it has no items, are told with the way that brings them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conftest import Stand
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.report import ImportReport
from vetrina.transfer.sources.wxr.php_values import write_php_value
from vetrina.transfer.sources.wxr.source import ExportFileSource

from .export_files import ExportFile

pytestmark = pytest.mark.in_process("the site is written without HTTP")

COUPONS = "/shop/v3/coupons"


def bring(shop: Stand, file: ExportFile, tmp_path: Path) -> ImportReport:
    return import_records(shop.site, ExportFileSource(file.write(tmp_path)), ImportOptions(files=False))


def read(shop: Stand, id: int) -> dict[str, Any]:
    answer = shop.client("admin").get(f"{COUPONS}/{id}")
    assert answer.status == 200, answer.json
    found: dict[str, Any] = answer.json
    return found


def test_a_coupon_comes_with_its_conditions_and_uses(shop: Stand, tmp_path: Path) -> None:
    file = ExportFile()
    file.author(7, "anna")
    file.term(50, "product_cat", "clothes", "Clothes")
    file.item(500, "Shirt", post_type="product", meta={"_regular_price": "9", "_price": "9"})
    file.item(
        900, "Winter20", post_type="shop_coupon", excerpt="For the winter",
        meta={
            "discount_type": "percent", "coupon_amount": "20.5", "individual_use": "yes", "free_shipping": "no",
            "product_ids": "500", "exclude_product_ids": "", "product_categories": write_php_value([50]),
            "usage_limit": "30", "usage_limit_per_user": "2", "limit_usage_to_x_items": "0", "usage_count": "2",
            "date_expires": "1893452400", "minimum_amount": "10", "maximum_amount": "", "_used_by": "7",
            "customer_email": write_php_value(["*@example.net"]), "campaign": "radio", "_edit_lock": "1:1",
        },
    )  # fmt: skip
    report = bring(shop, file, tmp_path)
    assert vars(report.get_resource(COUPONS))["created"] == 1
    found = read(shop, 900)
    wanted = {
        "code": "winter20", "description": "For the winter", "discount_type": "percent", "amount": "20.50",
        "individual_use": True, "free_shipping": False, "product_ids": [500], "excluded_product_ids": [],
        "product_categories": [50], "usage_limit": 30, "usage_limit_per_user": 2, "limit_usage_to_x_items": None,
        "usage_count": 2, "minimum_amount": "10.00", "maximum_amount": "0.00", "status": "publish",
        "date_expires_gmt": "2029-12-31T23:00:00", "email_restrictions": ["*@example.net"],
        "date_created": "2020-05-06T10:00:00",
    }  # fmt: skip
    assert {name: found[name] for name in wanted} == wanted
    assert [(one["key"], one["value"]) for one in found["meta_data"]] == [("campaign", "radio")]
    assert len(found["used_by"]) == 1
    again = bring(shop, file, tmp_path)
    assert vars(again.get_resource(COUPONS))["unchanged"] == 1


@pytest.mark.parametrize("odd", ["", "x", "a:1:{", "0", "999999999999999999999", "a:1:{i:0;a:0:{}}", "2020-13-45"])
def test_odd_extra_fields_stop_no_coupon(shop: Stand, tmp_path: Path, odd: str) -> None:
    file = ExportFile()
    names = ("coupon_amount", "product_ids", "product_categories", "usage_limit", "usage_count", "date_expires",
             "expiry_date", "minimum_amount", "customer_email", "_used_by", "individual_use")  # fmt: skip
    file.item(900, "odd", post_type="shop_coupon", meta=dict.fromkeys(names, odd))
    file.item(901, "older", post_type="shop_coupon", meta={"coupon_amount": "5", "expiry_date": "2031-02-03"})
    file.item(902, "negative", post_type="shop_coupon", meta={"coupon_amount": "-1"})
    report = bring(shop, file, tmp_path)
    assert [id for _, id, _ in report.refusals] == [902]
    assert read(shop, 901)["date_expires"] == "2031-02-03T00:00:00"
    assert read(shop, 900)["code"] == "odd"


def test_orders_of_a_file_are_told_once_with_the_way_that_brings_them(shop: Stand, tmp_path: Path) -> None:
    file = ExportFile()
    for id in range(700, 750):
        file.item(id, "Order", post_type="shop_order", status="wc-completed", meta={"_order_total": "10"})
    file.item(760, "Refund", post_type="shop_order_refund", status="wc-completed", post_parent=700)
    report = bring(shop, file, tmp_path)
    assert report.refusals == []
    assert report.left_out["/shop/v3/orders"].startswith("50 are in the file, which has no place for what was ordered")
    assert "the site's address gives them" in report.to_text()
    assert shop.client("admin").get("/shop/v3/orders").json == []
    # Their numbers stay free for the day on which they come.
    product = shop.client("admin").post("/shop/v3/products", {"name": "Later"}).json["id"]
    assert product > 760


def test_a_site_without_a_shop_says_what_it_lacks(new: Stand, tmp_path: Path) -> None:
    file = ExportFile()
    file.item(900, "tenth", post_type="shop_coupon", meta={"coupon_amount": "10"})
    report = bring(new, file, tmp_path)
    assert [reason for _, _, reason in report.refusals] == ["the profile has no type 'shop_coupon'"]
