"""Taxes, shipping and the shop's settings: changed, and asked what an address would pay."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.quiet import wait_until_quiet
from browser.admin.screens import open_screen
from browser.admin.shop import open_trial, serve_shop


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_shop(tmp_path_factory.mktemp("shop")) as site:
        yield site


class Visitor:
    """A buyer who speaks the visitors' interface, past the administration."""

    def __init__(self, site: AdminSite) -> None:
        self.base = f"{site.root}/admin-json/wc/store/v1/cart"
        with urllib.request.urlopen(self.base) as answer:
            self.token = answer.headers["Cart-Token"]

    def post(self, path: str, body: dict[str, Any]) -> Any:
        headers = {"Cart-Token": self.token, "Content-Type": "application/json"}
        request = urllib.request.Request(self.base + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


def show_amount(minor: str) -> str:
    return f"€{int(minor) / 100:.2f}"


def test_a_rate_is_changed_and_an_address_pays_what_a_buyer_would(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/taxes")
    expect(admin.get_by_label("Rate %, rate 1", exact=True)).to_have_value("22")
    admin.get_by_label("Rate %, rate 1", exact=True).fill("much")
    admin.get_by_role("button", name="Save the rates").click()
    expect(admin.get_by_label("Rate %, rate 1", exact=True)).to_have_attribute("aria-invalid", "true")
    assert find_violations(admin) == []
    admin.get_by_label("Rate %, rate 1", exact=True).fill("24.5")
    admin.get_by_role("button", name="Save the rates").click()
    admin.get_by_text("1 rate is saved.").wait_for()
    answer = open_trial(admin, "Bottle", postcode="39100", city="Bolzano")
    answer.get_by_text("To pay").wait_for()
    assert find_violations(admin) == []

    visitor = Visitor(admin_site)
    bottle = call(admin, "GET", "/wc/v3/products?sku=BTL")[0]
    visitor.post("/add-item", {"id": bottle["id"], "quantity": 1})
    address = {"country": "IT", "state": "BZ", "postcode": "39100", "city": "Bolzano"}
    cart = visitor.post("/update-customer", {"shipping_address": address, "billing_address": address})
    totals = cart["totals"]
    expect(answer.locator(".trial-sums")).to_contain_text(f"IVA (24.5%){show_amount(totals['total_tax'])}")
    expect(answer.locator(".trial-sums")).to_contain_text(f"To pay{show_amount(totals['total_price'])}")
    for rate in cart["shipping_rates"][0]["shipping_rates"]:
        row = answer.get_by_role("listitem").filter(has_text=rate["name"]).filter(has_text=show_amount(rate["price"]))
        expect(row.first).to_be_visible()
    assert admin.foreign == []


def test_a_rate_that_somebody_else_saved_is_written_over_only_the_second_time(
    admin: Any, admin_site: AdminSite
) -> None:
    rate, gone = (
        call(admin, "POST", "/wc/v3/taxes", {"country": country, "rate": "7", "name": "Reduced"})["id"]
        for country in ("AT", "DE")
    )
    open_screen(admin, admin_site, "/taxes")
    number = admin.locator(".edit-table tbody tr").count() - 1
    last, save = f"rate {number + 1}", admin.get_by_role("button", name="Save the rates")
    call(admin, "PUT", f"/wc/v3/taxes/{rate}", {"name": "Theirs"})
    call(admin, "PUT", f"/wc/v3/taxes/{gone}", {"name": "Theirs"})
    admin.get_by_label(f"Rate %, rate {number}", exact=True).fill("8")
    admin.get_by_role("button", name=f"Remove: {last}", exact=True).click()
    save.click()
    # Nothing was sent; what was typed is still there, and what was to be removed stands there again.
    expect(admin.get_by_text("Somebody else changed this meanwhile.")).to_have_count(2)
    stored = call(admin, "GET", f"/wc/v3/taxes/{rate}")
    assert (stored["rate"], stored["name"]) == ("7.0000", "Theirs")
    save.click()
    admin.get_by_text("1 rate is saved.").wait_for()
    stored = call(admin, "GET", f"/wc/v3/taxes/{rate}")
    assert (stored["rate"], stored["name"]) == ("8.0000", "Theirs")
    assert call(admin, "GET", f"/wc/v3/taxes/{gone}")["name"] == "Theirs"
    for one in (rate, gone):
        call(admin, "DELETE", f"/wc/v3/taxes/{one}?force=true")


def test_postcodes_are_given_to_a_rate_and_taken_away(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/taxes?class=zero-rate")
    admin.get_by_text("This class has no rates yet").wait_for()
    admin.get_by_role("button", name="Add a rate").click()
    admin.get_by_label("Country, rate 1", exact=True).fill("qq")
    admin.get_by_label("Rate %, rate 1", exact=True).fill("0")
    admin.get_by_role("button", name="Save the rates").click()
    admin.get_by_text("There is no such country.").wait_for()
    admin.get_by_label("Country, rate 1", exact=True).fill("ch")
    admin.get_by_label("Postcodes, rate 1", exact=True).fill("7530; 75*")
    admin.get_by_role("button", name="Save the rates").click()
    admin.get_by_text("1 rate is saved.").wait_for()
    made = call(admin, "GET", "/wc/v3/taxes?class=zero-rate")
    assert [(one["country"], one["postcodes"]) for one in made] == [("CH", ["7530", "75*"])]
    admin.get_by_label("Postcodes, rate 1", exact=True).fill("")
    admin.get_by_role("button", name="Save the rates").click()
    expect(admin.get_by_role("button", name="Save the rates")).to_be_disabled()
    left = call(admin, "GET", "/wc/v3/taxes?class=zero-rate")
    assert [(one["country"], one["postcodes"]) for one in left] == [("CH", [])]


def test_rates_leave_in_a_file_and_come_back_from_one(admin: Any, admin_site: AdminSite, tmp_path: Path) -> None:
    open_screen(admin, admin_site, "/taxes?class=reduced-rate")
    admin.get_by_label("Rate %, rate 1", exact=True).wait_for()
    with admin.expect_download() as download:
        admin.get_by_role("button", name="Export CSV").click()
    lines = Path(download.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].startswith("Country code,State code,")
    file = tmp_path / "rates.csv"
    file.write_text(f"{lines[0]}\nAT,*,*,*,10,USt.,1,0,1,reduced-rate\nAT,*,*,*,20,USt.,1,0,1,\n", encoding="utf-8")
    admin.locator(".edit-table tbody tr").first.wait_for()
    before = admin.locator(".edit-table tbody tr").count()
    admin.locator("input[type=file]").set_input_files(file)
    expect(admin.locator(".edit-table tbody tr")).to_have_count(before + 1)
    admin.get_by_role("button", name="Save the rates").click()
    admin.get_by_text("1 rate is saved.").wait_for()
    stored = call(admin, "GET", "/wc/v3/taxes?class=reduced-rate")
    assert [one["rate"] for one in stored if one["country"] == "AT"] == ["10.0000"]


def test_a_way_of_shipping_gets_dearer_for_a_buyer(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/shipping")
    italy = admin.get_by_role("region", name="Italy")
    post = italy.get_by_role("listitem").filter(has=admin.get_by_label("Post", exact=True))
    post.get_by_text("Settings").click()
    post.get_by_label("Cost", exact=True).fill("9.90")
    post.get_by_role("button", name="Save").click()
    admin.get_by_text("The way of shipping is saved.").first.wait_for()
    italy.get_by_label("Further place of Italy").select_option("country SM")
    admin.get_by_text("The places are saved.").wait_for()
    expect(italy.get_by_role("list", name="Places")).to_contain_text("San Marino")
    answer = open_trial(admin, "Bottle", postcode="39100", city="Bolzano")
    expect(answer.get_by_role("listitem").filter(has_text="Post").first).to_contain_text("€9.90")
    assert find_violations(admin) == []


def test_settings_of_the_shop_are_saved_by_group_and_ways_of_paying_are_ordered(
    admin: Any, admin_site: AdminSite
) -> None:
    open_screen(admin, admin_site, "/shop-settings/tax")
    admin.get_by_label("Price display suffix").fill("plus tax")
    admin.get_by_role("button", name="Save the settings").click()
    admin.get_by_text("The settings are saved.").wait_for()
    assert find_violations(admin) == []
    stored = call(admin, "GET", "/wc/v3/settings/tax/woocommerce_price_display_suffix")
    assert stored["value"] == "plus tax"
    admin.get_by_role("link", name="Payments").click()
    admin.get_by_role("button", name="Move down: Bank transfer").click()
    first = admin.locator(".zone-methods > li").first
    expect(first).to_contain_text("Cheque")
    first.get_by_role("checkbox", name="Cheque").click()
    expect(first.get_by_role("checkbox", name="Cheque")).not_to_be_checked()
    assert call(admin, "GET", "/wc/v3/payment_gateways/cheque")["enabled"] is False
    assert find_violations(admin) == []


def test_an_attribute_gets_values_in_an_order(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/attributes")
    admin.get_by_label("Name of a new attribute").fill("Binding")
    admin.get_by_role("button", name="Add", exact=True).click()
    admin.get_by_role("link", name="Binding").click()
    for value in ("Sewn", "Stapled"):
        admin.get_by_label("New value").fill(value)
        admin.get_by_role("button", name="Add", exact=True).click()
        admin.get_by_label(f"Name: {value}", exact=True).wait_for()
    admin.get_by_role("button", name="Move up: Stapled").press("Enter")
    expect(admin.locator(".term-name").first).to_have_value("Stapled")
    assert find_violations(admin) == []


def test_an_attribute_and_its_values_are_written_over_by_nobody_unasked(admin: Any, admin_site: AdminSite) -> None:
    attributes = "/wc/v3/products/attributes"
    path = f"{attributes}/{call(admin, 'POST', attributes, {'name': 'Paper'})['id']}"
    rag, wood = (call(admin, "POST", f"{path}/terms", {"name": name, "menu_order": 0}) for name in ("Rag", "Wood"))
    open_screen(admin, admin_site, f"/attributes/{path.rpartition('/')[2]}")
    # A value that was renamed is neither renamed again nor removed, and its place is not changed.
    told = admin.get_by_text("Somebody else has changed 1 record meanwhile; it is left as it is.")
    call(admin, "POST", f"{path}/terms/{wood['id']}", {"name": "Pulp", "menu_order": 0})
    admin.get_by_label("Name: Wood", exact=True).fill("Straw")
    admin.get_by_label("New value").focus()
    told.wait_for()
    assert call(admin, "GET", f"{path}/terms/{wood['id']}")["name"] == "Pulp"
    admin.get_by_label("Name: Pulp", exact=True).wait_for()
    call(admin, "POST", f"{path}/terms/{rag['id']}", {"description": "Of linen"})
    admin.get_by_role("button", name="Move down: Rag").click()
    expect(told).to_have_count(2)
    assert call(admin, "GET", f"{path}/terms/{rag['id']}")["menu_order"] == 0
    wait_until_quiet(admin)
    call(admin, "POST", f"{path}/terms/{rag['id']}", {"description": "Of cotton"})
    admin.once("dialog", lambda dialog: dialog.accept())
    admin.get_by_role("button", name="Remove: Rag").click()
    expect(told).to_have_count(3)
    assert call(admin, "GET", f"{path}/terms/{rag['id']}")["name"] == "Rag"
    # The form asks whose version shall stay.
    name, save = admin.get_by_label("Name", exact=True), admin.get_by_role("button", name="Save", exact=True)
    name.fill("Stock")
    call(admin, "POST", path, {"order_by": "name"})
    save.click()
    conflict = admin.get_by_text("Somebody else has saved this meanwhile")
    conflict.wait_for()
    assert call(admin, "GET", path)["name"] == "Paper"
    admin.get_by_role("button", name="Keep mine").click()
    admin.get_by_text("The attribute is saved.").wait_for()
    expect(conflict).to_have_count(0)
    assert {name: call(admin, "GET", path)[name] for name in ("name", "order_by")} == {
        "name": "Stock", "order_by": "name",
    }  # fmt: skip
