"""Products out of a file and into one."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.screens import open_screen
from browser.admin.shop import serve_shop

PRODUCTS = "/wc/v3/products"
COUNT = 200


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_shop(tmp_path_factory.mktemp("shop")) as site:
        yield site


def write_file(path: Path, rows: list[list[str]], *, separator: str = ",") -> Path:
    text = io.StringIO()
    csv.writer(text, delimiter=separator).writerows(rows)
    path.write_text("\ufeff" + text.getvalue(), encoding="utf-8")
    return path


def choose_file(page: Any, path: Path) -> None:
    page.locator("input[type=file]").set_input_files(path)


def test_two_hundred_rows_are_taken_in_and_the_three_wrong_ones_mended(
    admin: Any, admin_site: AdminSite, tmp_path: Path
) -> None:
    rows = [["Name", "SKU", "Regular price", "Stock", "Categories", "Remark"]]
    rows += [[f"Card {number}", f"CARD-{number}", "2.50", "10", "Paper", "x"] for number in range(COUNT)]
    rows[1][0] = 'Card "zero", with\na second line'  # quotes and a line break inside a cell
    rows[51][2] = "cheap"  # no amount
    rows[101][1] = "MAP-1"  # changes a product that is there
    rows[121][1] = "CARD-7"  # a number that another row has: the interface refuses one of both
    rows[181][4] = "Peper"  # no such category
    calls: list[str] = []
    admin.on("request", lambda one: calls.append(one.post_data) if one.url.endswith("/products/batch") else None)
    open_screen(admin, admin_site, "/products/import")
    choose_file(admin, write_file(tmp_path / "cards.csv", rows))
    expect(admin.get_by_label("What it is: Regular price")).to_have_value("regular_price")
    expect(admin.get_by_label("What it is: Remark")).to_have_value("")
    admin.get_by_text("200 rows, 2 cannot be read as they are").wait_for()
    assert find_violations(admin) == []
    admin.get_by_role("button", name="Import the rows").click()
    admin.get_by_role("heading", name="2 rows were refused").wait_for()
    assert find_violations(admin) == []
    # The later row with the number of an earlier part would change that product: it is found by it.
    admin.get_by_text("200 of 200 rows: 196 products made, 2 changed, 2 refused").wait_for()
    sent = len(calls)
    admin.get_by_label("Price, Line 53").fill("2.60")
    admin.get_by_label("Categories, Line 183").fill("Paper")
    admin.get_by_role("button", name="Send these rows again").click()
    admin.get_by_text("200 of 200 rows: 198 products made, 2 changed, 0 refused").wait_for()
    again = json.loads(calls[sent])
    assert [one["sku"] for one in again["create"]] == ["CARD-50", "CARD-180"]
    assert len(calls) == sent + 1

    mended = call(admin, "GET", f"{PRODUCTS}?sku=CARD-50,CARD-180&orderby=id&order=asc")
    assert [(one["name"], one["regular_price"]) for one in mended] == [("Card 50", "2.60"), ("Card 180", "2.50")]
    assert call(admin, "GET", f"{PRODUCTS}?sku=MAP-1")[0]["name"] == "Card 100"
    assert call(admin, "GET", f"{PRODUCTS}?sku=CARD-0")[0]["name"] == 'Card "zero", with\na second line'
    assert admin.foreign == []


def test_a_refusal_of_the_interface_stands_beside_its_row_and_is_mended(
    admin: Any, admin_site: AdminSite, tmp_path: Path
) -> None:
    rows = [["Nome interno", "SKU", "Preis"], ["Twin one", "TWIN", "3,50"], ["Twin two", "TWIN", "4,50"]]
    open_screen(admin, admin_site, "/products/import")
    choose_file(admin, write_file(tmp_path / "twins.csv", rows, separator=";"))
    # Headings that nobody knows are said by hand.
    admin.get_by_label("What it is: Nome interno").select_option("name")
    admin.get_by_label("What it is: Preis").select_option("regular_price")
    admin.get_by_role("button", name="Import the rows").click()
    admin.get_by_text("2 of 2 rows: 1 product made, 0 changed, 1 refused").wait_for()
    admin.get_by_text("The SKU 'TWIN' is that of product").wait_for()
    admin.get_by_label("SKU, Line 3").fill("TWIN-2")
    admin.get_by_role("button", name="Send these rows again").click()
    admin.get_by_text("2 of 2 rows: 2 products made, 0 changed, 0 refused").wait_for()
    stored = call(admin, "GET", f"{PRODUCTS}?sku=TWIN,TWIN-2&orderby=id&order=asc")
    assert [(one["sku"], one["regular_price"]) for one in stored] == [("TWIN", "3.50"), ("TWIN-2", "4.50")]


def test_the_list_is_written_into_a_file_that_no_spreadsheet_calculates(admin: Any, admin_site: AdminSite) -> None:
    call(admin, "POST", PRODUCTS, {"name": "=1+1", "sku": "FORMULA", "regular_price": "4", "description": 'A "b", c'})
    open_screen(admin, admin_site, "/products")
    admin.get_by_role("button", name="Export CSV").click()
    with admin.expect_download() as download:
        admin.get_by_role("button", name="All products").click()
    content = Path(download.value.path()).read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(content)))
    assert {"MAP-1", "BTL", "SCK"} <= {one["SKU"] for one in rows}
    formula = next(one for one in rows if one["SKU"] == "FORMULA")
    assert (formula["Name"], formula["Price"], formula["Description"]) == ("'=1+1", "4", 'A "b", c')
    assert next(one for one in rows if one["SKU"] == "MAP-2")["Categories"] == "Paper > Maps"
    admin.get_by_role("searchbox", name="Search").fill("pencils")
    expect(admin.get_by_role("row")).to_have_count(2)
    admin.get_by_role("button", name="Export CSV").click()
    with admin.expect_download() as listed:
        admin.get_by_role("button", name="Those of the list").click()
    few = list(csv.DictReader(io.StringIO(Path(listed.value.path()).read_text(encoding="utf-8-sig"))))
    assert [one["Name"] for one in few] == ["Three pencils"]
