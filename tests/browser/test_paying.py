"""Buying in a browser with each way of paying, as a guest and as a customer, with scripts and without; tax displays.

The page of the service is that of a fake of Stripe.
"""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import vetrina
from browser.conftest import PATIENCE, serve_new_site
from browser.interface import Ask, connect
from stripe_service import SECRET_KEY, WEBHOOK_SECRET, StripeService

CUSTOMER, PASSWORD = "mara@example.org", "seven blue cups"
ADDRESS = {
    "first_name": "Mara", "last_name": "Neri", "address_1": "1 Main St", "city": "Fresno", "state": "CA",
    "postcode": "93650", "country": "US", "email": CUSTOMER,
}  # fmt: skip
# The way to pay, and the status of an order after it.
WAYS = {"bacs": "on-hold", "cheque": "on-hold", "cod": "processing", "test": "processing", "stripe": "processing"}


@dataclass
class Shop:
    """A served shop that sells a cup for $10 in the United States, with a tax of a tenth."""

    root: str
    ask: Ask

    def tell(self, body: bytes, headers: dict[str, str]) -> None:
        """Send the shop what the service tells of a payment."""
        address = f"{self.root}/en/cms-json/shop/v3/payment_gateways/stripe/webhook"
        sent = {**headers, "content-type": "application/json"}
        urllib.request.urlopen(urllib.request.Request(address, body, sent), timeout=20).close()

    def read_newest_order(self) -> Any:
        return self.ask("GET", "/shop/v3/orders?per_page=1")[0]

    def wait_for_order(self, status: str) -> Any:
        """Return the newest order once it has a status, or as it is when that takes too long."""
        until = time.monotonic() + PATIENCE / 1000
        while (order := self.read_newest_order())["status"] != status and time.monotonic() < until:
            time.sleep(0.1)
        return order


def write_profile(folder: Path, stripe: StripeService) -> Path:
    """Write the profile of a shop, with the ways of paying that one has to switch on."""
    own = (Path(vetrina.__file__).parent / "profiles" / "second.toml").read_text()
    path = folder / "second.toml"
    path.write_text(f'{own}\n[shop_services]\ntest_gateway = true\nstripe = true\nstripe_url = "{stripe.url}"\n')
    return path


def set_up(shop: Shop) -> None:
    for way in WAYS:
        secrets = {"settings": {"secret_key": SECRET_KEY, "webhook_secret": WEBHOOK_SECRET}} if way == "stripe" else {}
        shop.ask("PUT", f"/shop/v3/payment_gateways/{way}", {"enabled": True, **secrets})
    zone = f"/shop/v3/shipping/zones/{shop.ask('POST', '/shop/v3/shipping/zones', {'name': 'All'})['id']}"
    shop.ask("PUT", f"{zone}/locations", [{"code": "US", "type": "country"}])
    method = shop.ask("POST", f"{zone}/methods", {"method_id": "flat_rate"})["id"]
    shop.ask("PUT", f"{zone}/methods/{method}", {"settings": {"cost": "5"}})
    shop.ask("PUT", "/shop/v3/settings/general/shop_calc_taxes", {"value": "yes"})
    shop.ask("POST", "/shop/v3/taxes", {"rate": "10", "name": "VAT", "country": "US"})
    shop.ask("POST", "/shop/v3/coupons", {"code": "half", "discount_type": "percent", "amount": "50"})
    shop.ask("POST", "/shop/v3/products", {"name": "Blue cup", "regular_price": "10"})
    shop.ask("POST", "/shop/v3/customers", {"email": CUSTOMER, "username": "mara", "password": PASSWORD})


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    pytest.importorskip("stripe", reason="the extra `stripe` is not installed")
    folder = tmp_path_factory.mktemp("paying")
    with closing(StripeService()) as stripe:
        profile = write_profile(folder, stripe)
        with serve_new_site(folder / "site", "init", "--profile", str(profile)) as served:
            made = Shop(served.root, connect(served))
            set_up(made)
            stripe.automatic, stripe.deliver = True, made.tell
            yield made


def is_refusal(message: Any) -> bool:
    return message.type == "error" and not message.location["url"].endswith("/favicon.ico")


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def window(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A window with scripts or without, which records what the pages' policies refuse."""
    context = chromium.new_context(locale="en-GB", java_script_enabled=request.param)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.refused = []
    # The page of the service has no icon.
    page.on("console", lambda message: page.refused.append(message.text) if is_refusal(message) else None)
    yield page
    context.close()


def put_into_cart(page: Any, shop: Shop) -> None:
    page.goto(f"{shop.root}/en/product/blue-cup/")
    page.get_by_role("main").get_by_role("button", name="Add to cart").click()
    page.get_by_text("It is in your cart.").wait_for()


def fill_in_address(page: Any) -> None:
    for name, value in ADDRESS.items():
        field = page.locator(f"[name=billing_{name}]")
        if name in ("country", "state"):
            field.select_option(value)
        else:
            field.fill(value)


def buy(page: Any, shop: Shop, way: str) -> bool:
    """Buy a cup, and return whether the checkout knew where to send it."""
    put_into_cart(page, shop)
    page.goto(f"{shop.root}/en/checkout/")
    known = page.locator("[name=billing_address_1]").input_value() == ADDRESS["address_1"]
    if not known:
        fill_in_address(page)
    page.locator(f"[name=payment_method][value={way}]").check()
    page.get_by_role("button", name="Place order").click()
    if way == "stripe":
        # The page leads on by itself; who is quicker than that follows the link to the same address.
        page.get_by_role("heading", name="Pay by card").wait_for()
        page.get_by_role("link", name="Pay").click()
    page.get_by_role("heading", name="Order received").wait_for()
    expect(page.get_by_text("Blue cup × 1")).to_be_visible()
    # Of a payment on the page of a service the shop is told meanwhile.
    order = shop.wait_for_order(WAYS[way])
    assert (order["payment_method"], order["total"], order["status"]) == (way, "16.50", WAYS[way])
    assert order["billing"]["city"] == "Fresno"
    return known


def test_what_is_chosen_while_totals_are_on_their_way_stays(chromium: Any, shop: Shop) -> None:
    context = chromium.new_context(locale="en-GB")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    put_into_cart(page, shop)
    page.goto(f"{shop.root}/en/checkout/")
    held: list[Any] = []
    page.route("**/en/checkout/", lambda route: held.append(route))
    page.locator("[name=billing_state]").select_option("CA")
    page.locator("form[aria-busy=true]").wait_for()
    page.locator("[name=payment_method][value=cod]").check()
    page.get_by_text("Ship to a different address").click()
    page.get_by_label("First name").first.fill("Mara")
    while held:
        held.pop().continue_()
        page.wait_for_timeout(50)
    page.locator("form[data-checkout]:not([aria-busy])").wait_for()
    expect(page.locator("[name=payment_method][value=cod]")).to_be_checked()
    expect(page.locator("[name=ship_elsewhere]")).to_be_checked()
    expect(page.locator("[name=billing_first_name]")).to_have_value("Mara")
    page.unroute("**/en/checkout/")
    page.get_by_text("Do you have a coupon?").click()
    page.get_by_label("Coupon code").fill("half")
    page.get_by_role("button", name="Apply the coupon").click()
    page.get_by_role("button", name="Remove the coupon half").wait_for()
    expect(page.locator("[name=payment_method][value=cod]")).to_be_checked()
    context.close()


def test_a_guest_buys_with_each_way_of_paying(window: Any, shop: Shop) -> None:
    for way in WAYS:
        assert not buy(window, shop, way)
        assert shop.read_newest_order()["customer_id"] == 0
        window.context.clear_cookies()
    assert window.refused == []


def test_a_customer_buys_with_each_way_of_paying(window: Any, shop: Shop) -> None:
    window.goto(f"{shop.root}/en/my-account/")
    window.get_by_label("User name").fill("mara")
    window.get_by_label("Password").fill(PASSWORD)
    window.get_by_role("main").get_by_role("button", name="Sign in").click()
    window.get_by_role("navigation", name="Account").wait_for()
    for way in WAYS:
        known = buy(window, shop, way)
        assert shop.read_newest_order()["customer_id"] > 0
    assert known
    window.goto(f"{shop.root}/en/my-account/orders/")
    assert window.get_by_role("main").get_by_role("row").count() > len(WAYS)
    assert window.refused == []


@pytest.mark.parametrize("shown", ["excl", "incl"])
@pytest.mark.parametrize("counted", ["excl", "incl"])
def test_prices_are_shown_with_or_without_tax(window: Any, shop: Shop, shown: str, counted: str) -> None:
    """The price of the shop's pages, and the sums of cart and checkout, with half of it taken off by a coupon."""
    for name, value in (("shop", shown), ("cart", counted)):
        shop.ask("PUT", f"/shop/v3/settings/tax/shop_tax_display_{name}", {"value": value})
    price = "$10.00" if shown == "excl" else "$11.00"
    window.goto(f"{shop.root}/en/shop/")
    expect(window.get_by_role("main").get_by_text(price, exact=True)).to_be_visible()
    put_into_cart(window, shop)
    expect(window.get_by_role("main").get_by_text(price, exact=True).first).to_be_visible()
    window.goto(f"{shop.root}/en/cart/")
    window.get_by_label("Coupon code").fill("half")
    window.get_by_role("button", name="Apply the coupon").click()
    for path in ("cart", "checkout"):
        window.goto(f"{shop.root}/en/{path}/")
        sums = window.locator(".shop-totals").inner_text()
        # Half of ten, five for the post, and a tenth of both.
        expected = ["$10.00", "$5.00", "$5.00", "$1.00"] if counted == "excl" else ["$11.00", "$5.50", "$5.50"]
        for amount in (*expected, "$11.00"):
            assert amount in sums, (path, amount, sums)
        assert ("includes $1.00 VAT" in sums) == (counted == "incl"), sums
    assert window.refused == []
