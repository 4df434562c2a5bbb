"""Every screen of the shop's desk, on a desktop and on a phone; pictures are taken as in test_screens.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import find_unreachable, find_violations
from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.pictures import take_picture
from browser.admin.quiet import wait_until_quiet
from browser.admin.screens import open_screen, set_theme, walk_menu
from browser.admin.shop import serve_shop
from browser.admin.test_screens import DESKTOP, PHONE


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_shop(tmp_path_factory.mktemp("shop-screens")) as site:
        yield site


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_screen_of_the_desk_shows_what_it_has_and_reads_well(
    sign_in: Callable[..., Any], admin_site: AdminSite, size: dict[str, int]
) -> None:
    page = sign_in(viewport=size)
    kind = "phone" if size is PHONE else "desktop"
    order = call(page, "GET", "/wc/v3/orders?status=on-hold&per_page=1&order=asc")[0]
    customer = call(page, "GET", "/wc/v3/customers?search=ada.rossi")[0]["id"]
    # By the name of its picture: the address of a screen, and a text that it shows once it has loaded.
    screens = {
        "shop-dashboard": ("/", "a week ago, the whole day"),
        "orders": ("/orders", "Three pencils"),
        "order": (f"/orders/{order['id']}", "Which mail"),
        "new-order": ("/orders/new", "Find a customer"),
        "order-paper": (f"/orders/{order['id']}/print", "Thank you for your order"),
        "customers": ("/customers", "Ada Rossi"),
        "customer": (f"/customers/{customer}", "Money spent"),
        "connector": ("/connector", "No service is set"),
    }
    faults = []
    for name, (path, text) in screens.items():
        page.goto(f"{admin_site.root}/admin{path}")
        page.get_by_text(re.compile(re.escape(text))).first.wait_for(state="attached")
        wait_until_quiet(page)
        width = page.evaluate("document.documentElement.scrollWidth")
        faults += [f"{name}, {kind}: {width} pixels wide"] if width > size["width"] else []
        for theme in ("dark", "light"):
            set_theme(page, theme)
            faults += [f"{name}, {kind}, {theme}: {one}" for one in find_violations(page)]
        take_picture(page, f"{name}-{kind}")
        if size is DESKTOP:
            faults += [f"{name}: {one}" for one in find_unreachable(page)]
    assert faults == []
    assert page.refused == []
    assert page.foreign == []


def test_every_screen_that_a_shop_adds_to_the_menu_keeps_the_rules_and_is_walked_by_tab(
    admin: Any, admin_site: AdminSite
) -> None:
    # The others are walked in test_keyboard.py.
    everywhere = ("Content", "Structure", "Design", "Languages", "Site")
    assert walk_menu(admin, admin_site, without=everywhere) == []
    assert (admin.refused, admin.foreign) == ([], [])


def test_on_a_phone_in_italian_lines_are_whole_and_places_are_named(
    sign_in: Callable[..., Any], admin_site: AdminSite
) -> None:
    page = sign_in(viewport=PHONE, locale="it-IT")
    order = call(page, "GET", "/wc/v3/orders?per_page=1")[0]
    open_screen(page, admin_site, f"/orders/{order['id']}")
    table = page.locator(".table-scroll", has=page.locator(".order-items"))
    expect(table).to_contain_text("Senza imposte")
    assert table.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert find_violations(page) == []
    open_screen(page, admin_site, "/shipping")
    expect(page.locator(".zone-places").first).to_contain_text("Italia")
    expect(page.locator(".method-head").first).to_contain_text("Tariffa fissa")


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("/orders", ("Customer", "Total", "Status")),
        ("/customers", ("E-mail address", "Since")),
        ("/products", ("Price", "Stock")),
        ("/coupons", ("Amount", "Good until")),
    ],
)
def test_on_a_phone_a_row_shows_all_its_columns_without_scrolling(
    sign_in: Callable[..., Any], admin_site: AdminSite, path: str, wanted: tuple[str, ...]
) -> None:
    page = sign_in(viewport=PHONE)
    open_screen(page, admin_site, path)
    row = page.locator(".list tbody tr").first
    for name in wanted:
        label = row.locator(".row-summary dt").get_by_text(name, exact=True)
        box = label.locator("xpath=../dd").bounding_box()
        assert box is not None
        assert box["width"] > 0, name
        assert box["x"] + box["width"] <= PHONE["width"], name
    assert page.locator(".list").evaluate("one => one.scrollWidth <= one.clientWidth")
    # In a wide window they are columns again.
    page.set_viewport_size(DESKTOP)
    page.get_by_role("columnheader", name=wanted[0]).wait_for()
    expect(page.locator(".row-summary")).to_have_count(0)
