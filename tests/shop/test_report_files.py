"""A report requested as a file is a CSV at its URL, and only shop managers can download it."""

from __future__ import annotations

import csv
import io

from conftest import Client, Stand, exchange
from vetrina.analytics.exports import rules as exports

from .store import sold

EVER = {"after": "2000-01-01T00:00:00", "before": "2100-01-01T00:00:00"}


def _ordered(manager: Client) -> None:
    line = {"product_id": sold(manager, "=Cup"), "quantity": 3}
    body = {"status": "completed", "billing": {"first_name": "=Mara", "email": "m@example.org"}, "line_items": [line]}
    assert manager.post("/shop/v3/orders", body).status == 201


def test_the_file_has_a_line_of_headings_and_a_row_an_order(site: Stand, manager: Client) -> None:
    _ordered(manager)
    asked = manager.post("/shop-analytics/reports/orders/export", {"report_args": EVER, "email": True}).json
    status = manager.get(f"/shop-analytics/reports/orders/export/{asked['export_id']}/status").json
    assert status["percent_complete"] == 100
    name = status["download_url"].partition("filename=")[2]
    file = exports.find_export_file(site.site.folder, name)
    assert file is not None
    headings, row = csv.reader(io.StringIO(file.read_text(encoding="utf-8")))
    told = dict(zip(headings, row, strict=True))
    assert (told["Items sold"], told["Net Sales"], told["Customer"]) == ("3", "30.00", "'=Mara")
    listed = manager.get("/shop-analytics/reports/orders", query=EVER).json[0]
    assert (told["N. Revenue (formatted)"], told["Status"]) == (listed["total_formatted"], listed["status"])


def test_a_report_says_where_orders_came_from(site: Stand, manager: Client) -> None:
    prefix = "_shop_order_attribution_"
    line = {"product_id": sold(manager, "Cup"), "quantity": 1}
    sources = {
        "Source: Newsletter": ("utm", "newsletter"), "Organic: Google": ("organic", "google"),
        "Direct": ("typein", "(direct)"), "Web admin": ("admin", ""), "Unknown": ("", ""),
    }  # fmt: skip
    for kind, source in sources.values():
        told = [{"key": f"{prefix}source_type", "value": kind}, {"key": f"{prefix}utm_source", "value": source}]
        body = {"status": "completed", "line_items": [line], "meta_data": told if kind else []}
        assert manager.post("/shop/v3/orders", body).status == 201
    rows = manager.get("/shop-analytics/reports/orders", query={**EVER, "extended_info": True, "order": "asc"}).json
    assert [one["extended_info"]["attribution"]["origin"] for one in rows] == list(sources)
    asked = manager.post("/shop-analytics/reports/orders/export", {"report_args": EVER}).json
    status = manager.get(f"/shop-analytics/reports/orders/export/{asked['export_id']}/status").json
    file = exports.find_export_file(site.site.folder, status["download_url"].partition("filename=")[2])
    assert file is not None
    sheet = csv.DictReader(io.StringIO(file.read_text(encoding="utf-8")))
    assert sorted(row["Attribution"] for row in sheet) == sorted(sources)


def test_files_say_the_state_of_stock_in_words(site: Stand, manager: Client) -> None:
    counted = {"name": "Cup", "regular_price": "9", "manage_stock": True, "stock_quantity": 5}
    lines = [
        {"product_id": manager.post("/shop/v3/products", body).json["id"], "quantity": 1}
        for body in (counted, {"name": "Pot", "regular_price": "9"})
    ]
    assert manager.post("/shop/v3/orders", {"status": "completed", "line_items": lines}).status == 201
    rows = {}
    for type in ("products", "stock"):
        asked = manager.post(f"/shop-analytics/reports/{type}/export", {"report_args": EVER}).json
        status = manager.get(f"/shop-analytics/reports/{type}/export/{asked['export_id']}/status").json
        file = exports.find_export_file(site.site.folder, status["download_url"].partition("filename=")[2])
        assert file is not None
        for row in csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))):
            name = row.get("Product title") or row["Product / Variation"]
            rows[type, name] = (row["Status"], row["Stock"])
    assert rows == {
        ("products", "Cup"): ("In stock", "4"), ("products", "Pot"): ("N/A", "N/A"),
        ("stock", "Cup"): ("In stock", "4"), ("stock", "Pot"): ("In stock", "0"),
    }  # fmt: skip


def test_nobody_gets_it_without_signing_in(site: Stand, manager: Client) -> None:
    _ordered(manager)
    asked = manager.post("/shop-analytics/reports/orders/export", {"report_args": EVER}).json
    target = f"/admin/?action=shop_admin_download_report_csv&filename=shop-orders-report-export-{asked['export_id']}"
    status, headers, _ = exchange(site.site, "GET", target, b"", {})
    assert status == 303
    assert "sign-in" in dict(headers).get("location", dict(headers).get("Location", ""))


def test_no_name_leads_out_of_the_folder(site: Stand) -> None:
    for name in ("../vetrina", "shop-../../x", "", "shop-", "/etc/passwd"):
        assert exports.find_export_file(site.site.folder, name) is None
