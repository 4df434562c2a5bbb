"""What a person types while a form is being saved stays, is not stored yet, and is saved by the next press."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.screens import open_screen
from browser.admin.shop import serve_shop

PRODUCTS = "/wc/v3/products"
CONFLICT = "Somebody else has saved this meanwhile"


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_shop(tmp_path_factory.mktemp("meanwhile")) as site:
        yield site


def save_while(page: Any, path: str, press: Callable[[], Any], type_more: Callable[[], Any]) -> None:
    """Press what saves, type more before the write is answered, and let it be answered. path: of the write."""
    held: list[Any] = []
    pattern = re.compile(re.escape(path) + r"(\?|$)")

    def hold_first_write(route: Any) -> None:
        if route.request.method == "POST" and not held:
            held.append(route)
        else:
            route.fallback()

    page.route(pattern, hold_first_write)
    with page.expect_request(lambda request: request.method == "POST" and pattern.search(request.url)):
        press()
    type_more()
    with page.expect_response(lambda answer: answer.request.method == "POST" and pattern.search(answer.url)):
        held[0].continue_()


def test_a_product(admin: Any, admin_site: AdminSite) -> None:
    product = call(admin, "GET", f"{PRODUCTS}?sku=BTL")[0]
    path = f"{PRODUCTS}/{product['id']}"
    open_screen(admin, admin_site, path.replace(PRODUCTS, "/products"))
    sku, code = admin.get_by_label("SKU", exact=True), admin.get_by_label("GTIN, EAN or ISBN")
    save = admin.get_by_role("button", name="Save the product")
    sku.fill("BTL-1")

    def type_more() -> None:
        sku.fill("BTL-2")
        code.fill("4006381333931")

    save_while(admin, path, save.click, type_more)
    admin.get_by_text("The product is saved.").wait_for()
    assert call(admin, "GET", path)["sku"] == "BTL-1"
    expect(sku).to_have_value("BTL-2")
    expect(code).to_have_value("4006381333931")
    # The own write is none of somebody else.
    expect(admin.get_by_text(CONFLICT)).to_have_count(0)
    with admin.expect_response(lambda answer: answer.request.method == "POST" and path in answer.url):
        save.click()
    expect(admin.get_by_text("Not saved yet.")).to_have_count(0)
    now = call(admin, "GET", path)
    assert (now["sku"], now["global_unique_id"]) == ("BTL-2", "4006381333931")


def test_entries_of_a_menu(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/menus")
    admin.get_by_label("Name").fill("Meanwhile")
    admin.get_by_role("button", name="Make the menu").click()
    admin.wait_for_url("**/menus/*")

    def add(label: str) -> None:
        admin.get_by_label("Label").fill(label)
        admin.get_by_label("Address").fill(f"https://example.org/{label.lower()}")
        admin.get_by_role("button", name="Add the link").click()

    add("One")
    save = admin.get_by_role("button", name="Save the menu")
    save_while(admin, "/wp/v2/menu-items", save.click, lambda: add("Two"))
    admin.get_by_text("The menu is saved.").wait_for()
    entries = admin.locator(".menu-entries > li")
    expect(entries).to_have_count(2)
    save.click()
    expect(save).to_be_disabled()
    menu = admin.url.rpartition("/")[2]
    stored = call(admin, "GET", f"/wp/v2/menu-items?menus={menu}")
    assert [one["title"]["rendered"] for one in stored] == ["One", "Two"]


def test_values_of_an_attribute(admin: Any, admin_site: AdminSite) -> None:
    made = call(admin, "POST", f"{PRODUCTS}/attributes", {"name": "Glaze"})
    open_screen(admin, admin_site, f"/attributes/{made['id']}")
    value, add = admin.get_by_label("New value"), admin.get_by_role("button", name="Add", exact=True)
    value.fill("Ash")
    path = f"{PRODUCTS}/attributes/{made['id']}/terms"
    save_while(admin, path, add.click, lambda: value.fill("Tin"))
    admin.get_by_label("Name: Ash", exact=True).wait_for()
    expect(value).to_have_value("Tin")
    add.click()
    admin.get_by_label("Name: Tin", exact=True).wait_for()
    expect(value).to_have_value("")


def test_settings_of_the_shop(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/shop-settings/tax")
    suffix, save = admin.get_by_label("Price display suffix"), admin.get_by_role("button", name="Save the settings")
    suffix.fill("plus tax")
    save_while(admin, "/wc/v3/settings/tax/batch", save.click, lambda: suffix.fill("with tax"))
    admin.get_by_text("The settings are saved.").wait_for()
    expect(suffix).to_have_value("with tax")
    expect(admin.get_by_text("Not saved yet.")).to_be_visible()
    save.click()
    expect(admin.get_by_text("Not saved yet.")).to_have_count(0)
    stored = call(admin, "GET", "/wc/v3/settings/tax/woocommerce_price_display_suffix")
    assert stored["value"] == "with tax"


def test_rates_wait(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/taxes")
    rate = admin.get_by_label("Rate %, rate 1", exact=True)
    rate.fill("23")
    save = admin.get_by_role("button", name="Save the rates")
    save_while(admin, "/wc/v3/taxes/batch", save.click, lambda: expect(rate).to_be_disabled())
    admin.get_by_text("1 rate is saved.").wait_for()
    expect(rate).to_be_enabled()
    expect(rate).to_have_value("23")
