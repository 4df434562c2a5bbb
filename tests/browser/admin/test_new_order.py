"""Orders that a person enters: their prices are those that the buyer would see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.screens import open_screen
from browser.admin.shop import ADDRESS, EMAIL, Visitor, find_product, serve_shop

ORDERS = "/wc/v3/orders"
TOTAL = re.compile("^Total")


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_shop(tmp_path_factory.mktemp("new-orders")) as site:
        yield site


def add_product(page: Any, words: str, *names: str) -> None:
    """Add a product, or a variation of it: what is clicked on, one after the other."""
    page.get_by_label("Add a product").fill(words)
    for name in names:
        page.locator(".finder").get_by_role("button", name=re.compile(name)).first.click()


def fill_address(page: Any) -> None:
    panel = page.get_by_role("region", name="Billing address")
    panel.get_by_label("First name").fill(ADDRESS["first_name"])
    panel.get_by_label("Last name").fill(ADDRESS["last_name"])
    panel.get_by_label("Street and number").fill(ADDRESS["address_1"])
    panel.get_by_label("Postcode").fill(ADDRESS["postcode"])
    panel.get_by_label("City").fill(ADDRESS["city"])
    panel.get_by_label("Country").select_option("IT")
    # A field for text until the states of the country have come.
    panel.get_by_role("combobox", name="State or province").select_option("BZ")
    panel.get_by_label("E-mail address").fill(EMAIL)


def read_total(page: Any) -> Decimal:
    """Return the total that the screen shows, once it is that of what was entered."""
    page.locator(".totals-table[aria-busy=false]").wait_for()
    row = page.get_by_role("region", name="What the buyer pays").get_by_role("row", name=TOTAL)
    return Decimal(re.sub(r"[^\d.]", "", row.inner_text()))


def test_the_order_comes_to_what_its_buyer_would_pay(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/orders/new")
    fill_address(admin)
    add_product(admin, "Bottle", "Bottle")
    add_product(admin, "Notebook", "Notebook, sewn", "Larch")
    admin.get_by_label("Quantity: Bottle").fill("3")
    admin.get_by_label("Code of a coupon").fill("welcome10")
    admin.get_by_role("button", name="Add the coupon").click()
    admin.get_by_role("region", name="What the buyer pays").get_by_text("Discount").wait_for()
    admin.get_by_label("Way of paying").select_option("bacs")
    admin.get_by_role("radio", name=re.compile("^Post")).check()
    shown = read_total(admin)
    visitor = Visitor(admin_site.root)
    visitor.ask("/cart")
    visitor.ask("/cart/update-customer", {"billing_address": {**ADDRESS, "email": EMAIL}, "shipping_address": ADDRESS})
    notebook = next(one for one in call(admin, "GET", "/wc/v3/products?search=Notebook, sewn") if one["variations"])
    variations = call(admin, "GET", f"/wc/v3/products/{notebook['id']}/variations")
    larch = next(one["id"] for one in variations if one["attributes"][0]["option"] == "Larch")
    visitor.ask("/cart/add-item", {"id": find_product(visitor, "Bottle"), "quantity": 3})
    visitor.ask("/cart/add-item", {"id": larch, "quantity": 1})
    cart = visitor.ask("/cart/apply-coupon", {"code": "welcome10"})
    assert shown == Decimal(cart["totals"]["total_price"]) / 100
    admin.get_by_role("button", name="Make the order").click()
    admin.get_by_text(re.compile(r"Order #\d+ is made\.")).wait_for()
    admin.wait_for_url(re.compile(r"/orders/\d+$"))
    order = call(admin, "GET", f"{ORDERS}/{admin.url.rsplit('/', 1)[1]}")
    assert Decimal(order["total"]) == shown
    assert order["billing"]["email"] == EMAIL
    assert [(one["name"], one["quantity"]) for one in order["line_items"]] == [
        ("Bottle", 3), ("Notebook, sewn - Larch", 1),
    ]  # fmt: skip
    assert [one["method_id"] for one in order["shipping_lines"]] == ["flat_rate"]
    assert [one["code"] for one in order["coupon_lines"]] == ["welcome10"]
    assert admin.refused == []


def test_a_customer_brings_the_addresses_and_the_tax_of_the_country(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/orders/new")
    admin.get_by_label("Find a customer").fill("nora")
    admin.get_by_role("button", name=re.compile("Nora Weiss")).click()
    billing = admin.get_by_role("region", name="Billing address")
    expect(billing.get_by_label("Country")).to_have_value("DE")
    add_product(admin, "Bottle", "Bottle")
    admin.get_by_role("region", name="What the buyer pays").get_by_text("MwSt. 19%").wait_for()
    shown = read_total(admin)
    admin.get_by_role("button", name="Make the order").click()
    admin.wait_for_url(re.compile(r"/orders/\d+$"))
    order = call(admin, "GET", f"{ORDERS}/{admin.url.rsplit('/', 1)[1]}")
    assert (order["billing"]["country"], Decimal(order["total"])) == ("DE", shown)
    assert order["customer_id"] > 0


def test_what_a_buyer_could_not_have_is_said(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/orders/new")
    add_product(admin, "Bottle", "Bottle")
    assert read_total(admin) > 0
    admin.get_by_label("Code of a coupon").fill("nobody-gave-this")
    admin.get_by_role("button", name="Add the coupon").click()
    panel = admin.get_by_role("region", name="What the buyer pays")
    panel.get_by_role("alert").wait_for()
    admin.get_by_role("button", name="Remove: nobody-gave-this").click()
    panel.get_by_role("alert").wait_for(state="detached")
    assert read_total(admin) > 0


def test_prices_leave_the_cart_of_the_person_alone(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/orders/new")
    add_product(admin, "Bottle", "Bottle")
    assert read_total(admin) > 0
    assert call(admin, "GET", "/wc/store/v1/cart")["items"] == []
