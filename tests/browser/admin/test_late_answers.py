"""What comes late, as on a busy machine: answers that newer ones have overtaken, and what React draws after them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.screens import open_screen
from browser.admin.shop import serve_shop
from browser.conftest import delay_react

PRODUCTS = "/wc/v3/products"
LATE = 400  # milliseconds


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_shop(tmp_path_factory.mktemp("late")) as site:
        yield site


@pytest.fixture
def slow_admin(admin: Any) -> Any:
    """A window of the administrator whose pages draw late."""
    delay_react(admin.context, LATE)
    return admin


class HeldAnswers:
    """Answers that are there but don't arrive until they are released. pattern: of their addresses."""

    def __init__(self, page: Any, pattern: str) -> None:
        self._held: list[tuple[Any, Any]] = []
        self.lets_pass = False  # whether further ones arrive at once
        page.route(re.compile(pattern), self._hold)

    def _hold(self, route: Any) -> None:
        if route.request.method == "GET" and not self.lets_pass:
            self._held.append((route, route.fetch()))
        else:
            route.fallback()

    def wait(self, page: Any, count: int = 1) -> None:
        while len(self._held) < count:
            page.wait_for_timeout(20)

    def release(self, at: int = 0) -> None:
        route, answer = self._held[at]
        route.fulfill(response=answer)


# Notes where the focus was at the moment in which a title was drawn or a dialog went.
_WATCH_FOCUS = """() => {
    window.focusAt = {};
    new MutationObserver((changes) => {
        const title = document.querySelector('main h1');
        if (title) {
            window.focusAt[title.textContent] ??= document.activeElement === title;
        }
        if (changes.some(({removedNodes}) => [...removedNodes].some((one) => one.nodeName === 'DIALOG'))) {
            window.focusAt.closed = document.activeElement?.textContent;
        }
    }).observe(document, {childList: true, subtree: true});
}"""
_WAIT_FOR_DRAWING = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def test_the_focus_is_where_it_belongs_before_anybody_can_type(admin: Any, admin_site: AdminSite) -> None:
    order = call(admin, "GET", "/wc/v3/orders?status=on-hold&per_page=1")[0]["id"]
    admin.add_init_script(f"({_WATCH_FOCUS})()")
    open_screen(admin, admin_site, f"/orders/{order}")
    title = admin.locator("main h1").inner_text()
    assert admin.evaluate("window.focusAt")[title] is True
    # A dialog that closes by itself once its write is answered.
    admin.get_by_role("button", name="Change: Billing").click()
    admin.get_by_role("dialog").get_by_label("City").fill("Trento")
    admin.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(admin.get_by_role("dialog")).to_have_count(0)
    assert admin.evaluate("window.focusAt.closed") == "Change"


def test_the_palette_offers_nothing_that_does_not_fit_what_is_typed(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/")
    call(admin, "POST", "/wp/v2/posts", {"title": "Kiln opened", "status": "publish"})
    admin.keyboard.press("Control+k")
    field = admin.get_by_role("combobox", name="Search or go to")
    expect(field).to_be_focused()
    field.fill("kiln")
    found = admin.get_by_role("option", name="Kiln opened")
    expect(found).to_be_visible()
    held = HeldAnswers(admin, r"/wp/v2/search\?")
    field.fill("kiln closed")
    held.wait(admin)
    expect(found).to_have_count(0)
    expect(admin.get_by_text("Nothing found.")).to_have_count(0)
    held.release()
    expect(admin.get_by_text("Nothing found.")).to_be_visible()


def test_variations_that_come_late_do_not_replace_what_was_searched_meanwhile(
    admin: Any, admin_site: AdminSite
) -> None:
    variable = call(admin, "GET", f"{PRODUCTS}?type=variable&per_page=1")[0]
    coupon = call(admin, "POST", "/wc/v3/coupons", {"code": "late", "amount": "1"})["id"]
    open_screen(admin, admin_site, f"/coupons/{coupon}")
    held = HeldAnswers(admin, rf"/products/{variable['id']}/variations\?")
    search, offers = admin.get_by_label("What is bought", exact=True), admin.locator(".found-products")
    search.fill(variable["name"])
    offers.get_by_role("button", name=variable["name"]).click()
    held.wait(admin)
    search.fill("Bottle")
    bottle = offers.get_by_role("button", name="Bottle")
    expect(bottle).to_be_visible()
    with admin.expect_response(lambda answer: "/variations?" in answer.url):
        held.release()
    admin.evaluate(_WAIT_FOR_DRAWING)
    expect(bottle).to_be_visible()
    bottle.click()
    expect(search).to_have_value("")


def test_an_answer_from_before_a_write_does_not_replace_what_was_written(admin: Any, admin_site: AdminSite) -> None:
    product, other = (call(admin, "GET", f"{PRODUCTS}?sku={sku}")[0]["id"] for sku in ("BTL", "EGG"))
    open_screen(admin, admin_site, f"/products/{product}")
    sku = admin.get_by_label("SKU", exact=True)
    pattern = rf"/products/{product}\?"
    before = HeldAnswers(admin, pattern)
    # The screen follows the products: another one changes, and this one is asked for.
    call(admin, "POST", f"{PRODUCTS}/{other}", {"menu_order": 3})
    before.wait(admin)
    before.lets_pass = True
    sku.fill("BTL-9")
    admin.get_by_role("button", name="Save the product").click()
    expect(admin.get_by_text("Not saved yet.")).to_have_count(0)
    after = HeldAnswers(admin, pattern)
    before.release()
    after.wait(admin)
    admin.evaluate(_WAIT_FOR_DRAWING)
    expect(sku).to_have_value("BTL-9", timeout=1)
    after.release()
    expect(sku).to_have_value("BTL-9")


def test_the_focus_comes_back_to_a_button_that_is_drawn_late(slow_admin: Any, admin_site: AdminSite) -> None:
    post = call(slow_admin, "POST", "/wp/v2/posts", {"title": "Asked", "status": "publish", "comment_status": "open"})
    asker = {"author_name": "Nina", "author_email": "nina@example.org"}
    call(slow_admin, "POST", "/wp/v2/comments", {"post": post["id"], "content": "Open?", "status": "hold", **asker})
    open_screen(slow_admin, admin_site, "/")
    entry = slow_admin.get_by_role("region", name="Comments that wait").locator("li", has_text="Open?")
    entry.get_by_role("button", name="Answer").click()
    entry.get_by_label("Your answer").fill("From ten.")
    # The comment stays on the screen until the list of those that wait has come.
    HeldAnswers(slow_admin, r"/wp/v2/comments\?")
    entry.get_by_role("button", name="Approve and answer").click()
    expect(entry.get_by_role("button", name="Answer")).to_be_focused()
