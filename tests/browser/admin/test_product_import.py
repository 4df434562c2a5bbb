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
    wait_for_import(admin, "200 of 200 rows: 196 products made, 2 changed, 2 refused")
    sent = len(calls)
    admin.get_by_label("Price, Line 53").fill("2.60")
    admin.get_by_label("Categories, Line 183").fill("Paper")
    admin.get_by_role("button", name="Send these rows again").click()
    wait_for_import(admin, "200 of 200 rows: 198 products made, 2 changed, 0 refused")
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
    wait_for_import(admin, "2 of 2 rows: 1 product made, 0 changed, 1 refused")
    admin.get_by_text("The SKU 'TWIN' is that of product").wait_for()
    admin.get_by_label("SKU, Line 3").fill("TWIN-2")
    admin.get_by_role("button", name="Send these rows again").click()
    wait_for_import(admin, "2 of 2 rows: 2 products made, 0 changed, 0 refused")
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
    # The dialog lets nobody write beside it until it is closed, a moment after the download began.
    expect(admin.get_by_role("dialog")).to_have_count(0)
    admin.get_by_role("searchbox", name="Search").fill("pencils")
    # What was typed a moment ago is of the list already.
    admin.get_by_role("button", name="Export CSV").click()
    with admin.expect_download() as listed:
        admin.get_by_role("button", name="Those of the list").click()
    few = list(csv.DictReader(io.StringIO(Path(listed.value.path()).read_text(encoding="utf-8-sig"))))
    assert [one["Name"] for one in few] == ["Three pencils"]


def list_catalogue(page: Any) -> dict[tuple[int, str], Any]:
    """Return the members of every product and variation, but for the times of changes and what is chosen by chance."""
    found = {}
    for product in call(page, "GET", f"{PRODUCTS}?per_page=100&context=edit&status=any"):
        own = [product]
        if product["type"] == "variable":
            own += call(page, "GET", f"{PRODUCTS}/{product['id']}/variations?per_page=100&context=edit")
        for one in own:
            for name, value in one.items():
                if not name.startswith(("date_modified", "_links", "related_ids")):
                    found[one["id"], name] = value
        # A file has attributes in their order; which numbers they are ordered by does not matter.
        for attribute in product["attributes"]:
            del attribute["position"]
    return found


def find_differences(before: dict[Any, Any], now: dict[Any, Any]) -> dict[Any, tuple[Any, Any]]:
    names = {*before, *now}
    return {one: (before.get(one), now.get(one)) for one in names if before.get(one) != now.get(one)}


def import_rows(page: Any, site: AdminSite, path: Path, told: str) -> None:
    open_screen(page, site, "/products/import")
    choose_file(page, path)
    page.get_by_role("button", name="Import the rows").click()
    wait_for_import(page, told)


def wait_for_import(page: Any, told: str) -> None:
    """Wait until all is sent, the links between products as well, which are sent when all rows have been told of."""
    page.get_by_text(told).wait_for()
    page.get_by_role("button", name="Another file").wait_for()


def test_attributes_and_variations_go_out_and_come_in_again(admin: Any, admin_site: AdminSite, tmp_path: Path) -> None:
    shared = call(admin, "POST", f"{PRODUCTS}/attributes", {"name": "Finish"})
    attributes = [
        {"id": shared["id"], "options": ["Matt", "Gloss"], "variation": True, "visible": False},
        {"name": "Cut", "options": ["Round, small", "Square"], "variation": True, "visible": True},
        {"name": "Made in", "options": ["Trento"], "visible": True},
    ]
    given = {
        "name": "Tile", "sku": "TILE", "type": "variable", "attributes": attributes,
        "default_attributes": [{"name": "Cut", "option": "Square"}],
    }  # fmt: skip
    path = f"{PRODUCTS}/{call(admin, 'POST', PRODUCTS, given)['id']}"
    for cut, price, more in (("Square", "7", {"sku": "TILE-S"}), ("Round, small", "8", {}), ("", "9", {})):
        chosen = [{"id": shared["id"], "option": "Matt"}, *([{"name": "Cut", "option": cut}] if cut else [])]
        call(admin, "POST", f"{path}/variations", {"regular_price": price, "attributes": chosen, **more})
    before = list_catalogue(admin)
    open_screen(admin, admin_site, "/products")
    admin.get_by_role("button", name="Export CSV").click()
    with admin.expect_download() as download:
        admin.get_by_role("button", name="All products").click()
    content = Path(download.value.path()).read_text(encoding="utf-8-sig")
    written = list(csv.DictReader(io.StringIO(content)))
    tile = next(one for one in written if one["SKU"] == "TILE")
    cells = {name.removeprefix("Attribute "): tile[name] for name in tile if name.startswith("Attribute")}
    assert {name: value for name, value in cells.items() if name[0] in "12"} == {
        "1 name": "Finish", "1 value(s)": "Gloss, Matt", "1 visible": "0", "1 global": "1", "1 for variations": "1",
        "1 default": "", "2 name": "Cut", "2 value(s)": "Round\\, small, Square", "2 visible": "1", "2 global": "0",
        "2 for variations": "1", "2 default": "Square",
    }  # fmt: skip
    own = [one for one in written if one["Product of the variation"] == "TILE"]
    assert [(one["Kind"], one["SKU"], one["Price"], one["Attribute 2 value(s)"]) for one in own] == [
        ("variation", "TILE-S", "7", "Square"), ("variation", "", "8", "Round\\, small"), ("variation", "", "9", ""),
    ]  # fmt: skip

    # What went out comes in again, and nothing is another: not even where it comes in twice, without numbers.
    file = tmp_path / "all.csv"
    file.write_text("\ufeff" + content, encoding="utf-8")
    count = len(written)
    import_rows(admin, admin_site, file, f"{count} of {count} rows: 0 products made, {count} changed, 0 refused")
    assert find_differences(before, list_catalogue(admin)) == {}
    rows = [list(tile), *([one[name] for name in tile] for one in (tile, *own))]
    for row in rows[1:]:
        row[0] = ""
    write_file(file, rows)
    import_rows(admin, admin_site, file, "4 of 4 rows: 0 products made, 4 changed, 0 refused")
    assert find_differences(before, list_catalogue(admin)) == {}


def test_a_variable_product_is_made_by_the_headings_that_other_shops_write(
    admin: Any, admin_site: AdminSite, tmp_path: Path
) -> None:
    rows = [
        ["Type", "SKU", "Name", "Parent", "Regular price", "Attribute 1 name", "Attribute 1 value(s)",
         "Attribute 1 visible", "Attribute 1 global"],
        ["variation", "HAT-S", "", "HAT", "20", "Size", "S", "", "0"],
        ["variation", "HAT-L", "", "HAT", "22", "Size", "L", "", "0"],
        ["variation", "HAT-X", "", "HAAT", "22", "Size", "L", "", "0"],
        ["variable", "HAT", "Felt hat", "", "", "Size", "S, L", "1", "0"],
        ["simple", "PIN", "Hat pin", "", "3", "Metal", "Brass", "1", "1"],
    ]  # fmt: skip
    file = write_file(tmp_path / "hats.csv", rows)
    import_rows(admin, admin_site, file, "5 of 5 rows: 3 products made, 0 changed, 2 refused")
    admin.get_by_text("There is no such product: haat").wait_for()
    admin.get_by_text("There is no such name: Metal").wait_for()
    admin.get_by_label("Product of the variation, Line 4").fill("HAT")
    admin.get_by_label("Attribute 1 name, Line 6").fill("")
    admin.get_by_role("button", name="Send these rows again").click()
    admin.get_by_text("These values need the name of their attribute.").wait_for()
    wait_for_import(admin, "5 of 5 rows: 4 products made, 0 changed, 1 refused")
    [hat] = call(admin, "GET", f"{PRODUCTS}?sku=HAT")
    assert [(one["name"], one["variation"], one["options"]) for one in hat["attributes"]] == [
        ("Size", True, ["S", "L"])
    ]
    variations = call(admin, "GET", f"{PRODUCTS}/{hat['id']}/variations?orderby=id&order=asc")
    assert [(one["sku"], one["regular_price"], one["attributes"][0]["option"]) for one in variations] == [
        ("HAT-S", "20", "S"), ("HAT-L", "22", "L"), ("HAT-X", "22", "L"),
    ]  # fmt: skip
    import_rows(admin, admin_site, file, "5 of 5 rows: 0 products made, 3 changed, 2 refused")
    assert len(call(admin, "GET", f"{PRODUCTS}/{hat['id']}/variations")) == 3


def test_groups_links_and_files_come_in_whatever_the_order_of_the_rows(
    admin: Any, admin_site: AdminSite, tmp_path: Path
) -> None:
    headings = ["Type", "SKU", "Name", "Regular price", "Upsells", "Cross-sells", "Grouped products"]
    files = ["Download limit", "Download expiry days", "Download 1 name", "Download 1 URL", "Download 2 name"]
    address = f"{admin_site.root}/media/map.pdf"
    rows = [
        [*headings, *files, "Download 2 URL"],
        ["grouped", "KIT", "Kit", "", "", "", "KIT-A, KIT-B", "", "", "", "", "", ""],
        ["simple, downloadable, virtual", "KIT-A", "Plan", "5", "KIT-B", "NONE", "", "3", "", "Plan", address, "", ""],
        ["simple", "KIT-B", "Wood", "9", "", "KIT-A", "", "", "", "", "", "", ""],
    ]
    file = tmp_path / "kit.csv"
    write_file(file, rows)
    import_rows(admin, admin_site, file, "3 of 3 rows: 2 products made, 0 changed, 1 refused")
    refused = admin.locator(".refused-rows li")
    expect(refused).to_contain_text("There is no such product: NONE")
    refused.get_by_label("To go with it").fill("KIT")
    admin.get_by_role("button", name="Send these rows again").click()
    wait_for_import(admin, "3 of 3 rows: 2 products made, 1 changed, 0 refused")
    kit, plan, wood = (call(admin, "GET", f"{PRODUCTS}?sku={sku}&context=edit")[0] for sku in ("KIT", "KIT-A", "KIT-B"))
    assert kit["grouped_products"] == [plan["id"], wood["id"]]
    assert (plan["upsell_ids"], plan["cross_sell_ids"], wood["cross_sell_ids"]) == (
        [wood["id"]], [kit["id"]], [plan["id"]],
    )  # fmt: skip
    assert (plan["virtual"], plan["downloadable"], plan["download_limit"], plan["download_expiry"]) == (
        True, True, 3, -1,
    )  # fmt: skip
    assert [(one["name"], one["file"]) for one in plan["downloads"]] == [("Plan", address)]
    assert (wood["virtual"], wood["downloadable"], wood["downloads"]) == (False, False, [])
