"""Buying in a browser, with its scripts and without: from the product to the page of the order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import AXE, find_violations
from browser.conftest import PATIENCE, Served, serve_new_site
from browser.interface import connect

_FORM = (
    '<form method="post"><input type="hidden" name="_form" value="add-to-cart">'
    '<input type="hidden" name="product" value="{id}"><input type="hidden" name="quantity" value="2">'
    "<button>Put it in</button></form>"
)


def set_up(served: Served) -> None:
    """Sell a cup, sent to two countries, paid by cheque, with a coupon, on a page that has a form to buy it."""
    ask = connect(served)
    for country, cost in (("US", "5"), ("IT", "9")):
        zone = f"/shop/v3/shipping/zones/{ask('POST', '/shop/v3/shipping/zones', {'name': country})['id']}"
        ask("PUT", f"{zone}/locations", [{"code": country, "type": "country"}])
        way = ask("POST", f"{zone}/methods", {"method_id": "flat_rate"})["id"]
        ask("PUT", f"{zone}/methods/{way}", {"settings": {"cost": cost}})
    ask("PUT", "/shop/v3/payment_gateways/cheque", {"enabled": True})
    ask("POST", "/shop/v3/coupons", {"code": "less", "discount_type": "fixed_cart", "amount": "1"})
    id = ask("POST", "/shop/v3/products", {"name": "Blue cup", "regular_price": "10"})["id"]
    content = f"<!-- wp:html -->{_FORM.format(id=id)}<!-- /wp:html -->"
    ask("POST", "/cms/v2/pages", {"title": "Buy", "slug": "buy", "status": "publish", "content": content})


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve_new_site(tmp_path_factory.mktemp("buying") / "site", "init", "--profile", "second") as site:
        set_up(site)
        yield site


@pytest.fixture
def open_window(chromium: Any) -> Iterator[Any]:
    """Open a small window with scripts or without, which records what the pages' policies refuse."""
    opened = []

    def open(*, scripts: bool) -> Any:
        context = chromium.new_context(
            locale="en-GB", java_script_enabled=scripts, viewport={"width": 320, "height": 700}
        )
        context.set_default_timeout(PATIENCE)
        opened.append(context)
        page = context.new_page()
        page.refused = []
        page.on("console", lambda message: page.refused.append(message.text) if message.type == "error" else None)
        return page

    yield open
    for context in opened:
        context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_visitor_buys(shop, open_window, scripts):
    tab = open_window(scripts=scripts)

    def look() -> None:
        if scripts and AXE.is_file():
            assert find_violations(tab) == []
            assert tab.evaluate("document.documentElement.scrollWidth") == 320

    tab.goto(f"{shop.root}/en/buy/")
    tab.get_by_role("button", name="Put it in").click()
    tab.get_by_text("It is in your cart.").wait_for()
    expect(tab.locator("[data-cart-count]")).to_have_text("2" if scripts else "")
    if scripts:
        look()
        tab.keyboard.press("Escape")
        tab.locator(".shop-drawer").wait_for(state="hidden")
    tab.locator(".shop-mini-cart-link").click()
    if scripts:
        tab.get_by_role("link", name="View the cart").click()
    tab.get_by_label("Quantity of Blue cup").fill("3")
    tab.get_by_role("button", name="Update the cart").click()
    tab.get_by_text("$30.00").first.wait_for()
    tab.get_by_label("Coupon code").fill("less")
    tab.get_by_role("button", name="Apply the coupon").click()
    tab.get_by_text("$34.00").first.wait_for()
    look()
    tab.get_by_role("link", name="Proceed to checkout").click()
    if scripts:
        tab.locator("form.has-script").wait_for()
    tab.get_by_label("First name").first.fill("Mara")
    tab.get_by_label("Country / Region").first.select_option("IT")
    update = tab.get_by_role("button", name="Update fields and totals")
    if scripts:
        expect(update).to_be_hidden()
    else:
        update.click()
    tab.get_by_label("Province").first.select_option("RM")
    tab.get_by_text("$38.00").first.wait_for()
    expect(tab.get_by_label("First name").first).to_have_value("Mara")
    look()
    tab.get_by_label("First name").first.fill("Maria")
    tab.get_by_role("button", name="Remove the coupon less").click()
    tab.get_by_text("$39.00").first.wait_for()
    # Without scripts what was typed and not sent is gone with the page.
    expect(tab.get_by_label("First name").first).to_have_value("Maria" if scripts else "Mara")
    tab.get_by_text("Do you have a coupon?").click()
    tab.get_by_label("Coupon code").fill("nothing")
    tab.get_by_role("button", name="Apply the coupon").click()
    tab.get_by_role("alert").filter(has_text="nothing").wait_for()
    tab.get_by_label("Coupon code").fill("less")
    tab.get_by_role("button", name="Apply the coupon").click()
    tab.get_by_text("$38.00").first.wait_for()
    look()
    fields = {"Email address": "a@example.org", "Last name": "Neri", "Street address": "Via 1", "Town / City": "Roma"}
    for label, value in fields.items():
        tab.get_by_label(label).first.fill(value)
    tab.get_by_label("Postcode / ZIP").first.fill("1")
    tab.get_by_role("button", name="Place order").click()
    tab.get_by_text("There is no such postcode in this country.").first.wait_for()
    tab.get_by_label("Postcode / ZIP").first.fill("00100")
    tab.get_by_role("button", name="Place order").click()
    tab.get_by_role("heading", name="Order received").wait_for()
    expect(tab.get_by_text("Blue cup × 3")).to_be_visible()
    expect(tab.locator("address").first).to_contain_text("Roma")
    look()
    expect(tab.locator("[data-cart-count]")).to_have_text("")
    # The address that was refused.
    assert [one for one in tab.refused if "400" not in one] == []


def test_the_cart_opens_beside_the_page(shop, open_window):
    tab = open_window(scripts=True)
    tab.goto(f"{shop.root}/en/buy/")
    basket, drawer = tab.locator(".shop-mini-cart-link"), tab.get_by_role("dialog", name="Your cart")
    basket.focus()
    tab.keyboard.press("Enter")
    drawer.get_by_text("Your cart is empty.").wait_for()
    expect(tab.locator(":focus")).to_have_text("Close")
    tab.keyboard.press("Enter")
    drawer.wait_for(state="hidden")
    expect(basket).to_be_focused()
    for count in ("2", "4"):
        tab.get_by_role("button", name="Put it in").click()
        drawer.get_by_role("status").wait_for()
        expect(tab.locator("[data-cart-count]")).to_have_text(count)
        tab.keyboard.press("Escape")
        drawer.wait_for(state="hidden")
    assert tab.url == f"{shop.root}/en/buy/"
    basket.click()
    drawer.get_by_text("$40.00").first.wait_for()
    drawer.get_by_role("button", name="Remove Blue cup from the cart").click()
    drawer.get_by_text("Your cart is empty.").wait_for()
    expect(tab.locator("[data-cart-count]")).to_have_text("")
    assert tab.refused == []
