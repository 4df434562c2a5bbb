"""A report asked for as a file is a sheet at its address, and only those who run the shop get it."""

from __future__ import annotations

import csv
import io

from conftest import Client, Stand, exchange
from vetrina.domain.analytics import export

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
    file = export.file_of(site.site.folder, name)
    assert file is not None
    headings, row = csv.reader(io.StringIO(file.read_text(encoding="utf-8")))
    told = dict(zip(headings, row, strict=True))
    assert (told["Items sold"], told["Net Sales"], told["Customer"]) == ("3", "30.00", "'=Mara")


def test_nobody_gets_it_without_signing_in(site: Stand, manager: Client) -> None:
    _ordered(manager)
    asked = manager.post("/shop-analytics/reports/orders/export", {"report_args": EVER}).json
    target = f"/admin/?action=shop_admin_download_report_csv&filename=shop-orders-report-export-{asked['export_id']}"
    status, headers, _ = exchange(site.site, "GET", target, b"", {})
    assert status == 303
    assert "sign-in" in dict(headers).get("location", dict(headers).get("Location", ""))


def test_no_name_leads_out_of_the_folder(site: Stand) -> None:
    for name in ("../vetrina", "shop-../../x", "", "shop-", "/etc/passwd"):
        assert export.file_of(site.site.folder, name) is None
