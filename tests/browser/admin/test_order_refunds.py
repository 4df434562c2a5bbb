"""Refunds at the desk: by line and by amount, and that the sums on the screen are those of the interface."""

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
from browser.admin.shop import Visitor, find_product, serve_shop
from browser.admin.test_orders import ORDERS, make_order


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_shop(tmp_path_factory.mktemp("refunds")) as site:
        yield site


@pytest.fixture
def bottle(admin_site: AdminSite) -> int:
    return find_product(Visitor(admin_site.root), "Bottle")


def read_stock(page: Any, product: int) -> int:
    return int(call(page, "GET", f"/wc/v3/products/{product}")["stock_quantity"])


def open_refund(page: Any, site: AdminSite, order: Any) -> Any:
    """Open the dialog of a refund and return it."""
    open_screen(page, site, f"/orders/{order['id']}")
    page.get_by_role("button", name="Refund …").click()
    return page.get_by_role("dialog")


def test_half_by_line_comes_to_what_the_screen_says(admin: Any, admin_site: AdminSite, bottle: int) -> None:
    order = make_order(
        admin, bottle, status="completed",
        shipping_lines=[{"method_id": "flat_rate", "method_title": "Post", "total": "6.55"}],
    )  # fmt: skip
    stock = read_stock(admin, bottle)
    dialog = open_refund(admin, admin_site, order)
    dialog.get_by_label("Pieces (of 2): Bottle").fill("1")
    dialog.get_by_label("Amount: Post").fill("3,27")
    (tax,) = order["line_items"][0]["taxes"]
    wanted = Decimal(order["line_items"][0]["total"]) / 2 + Decimal(tax["total"]) / 2 + Decimal("3.27")
    expect(dialog.locator("output")).to_have_text(f"€{wanted}")
    dialog.get_by_label("Reason").fill("One was dented")
    dialog.get_by_role("button", name="Refund", exact=True).click()
    admin.get_by_text(f"€{wanted} is refunded.").wait_for()
    (made,) = call(admin, "GET", f"{ORDERS}/{order['id']}/refunds")
    assert (made["amount"], made["reason"]) == (str(wanted), "One was dented")
    assert [(one["quantity"], one["total"], one["total_tax"]) for one in made["line_items"]] == [
        (-1, "-24.00", "-5.28")
    ]
    assert [one["total"] for one in made["shipping_lines"]] == ["-3.27"]
    assert read_stock(admin, bottle) == stock + 1
    left = Decimal(order["total"]) - wanted
    expect(admin.get_by_role("row", name="Left")).to_contain_text(f"€{left}")
    admin.get_by_role("button", name="Refund …").click()
    dialog.get_by_role("button", name="Everything that is left").click()
    expect(dialog.locator("output")).to_have_text(f"€{left}")
    dialog.get_by_role("button", name="Refund", exact=True).click()
    expect(admin.get_by_role("combobox", name="Status", exact=True)).to_have_value("refunded")
    amounts = [Decimal(one["amount"]) for one in call(admin, "GET", f"{ORDERS}/{order['id']}/refunds")]
    assert sum(amounts) == Decimal(order["total"])
    assert admin.refused == []


def test_thirds_add_up_to_the_whole(admin: Any, admin_site: AdminSite, bottle: int) -> None:
    order = make_order(
        admin, bottle, status="completed", line_items=[{"product_id": bottle, "quantity": 3, "total": "10.00"}]
    )
    for _ in range(3):
        dialog = open_refund(admin, admin_site, order)
        pieces = dialog.get_by_label("Pieces (of")
        pieces.fill("1")
        expect(dialog.locator("output")).to_have_text(re.compile("[1-9]"))
        shown = dialog.locator("output").inner_text().removeprefix("€")
        dialog.get_by_role("button", name="Refund", exact=True).click()
        admin.get_by_text(f"€{shown} is refunded.").wait_for()
    refunds = call(admin, "GET", f"{ORDERS}/{order['id']}/refunds")
    assert sum(Decimal(one["amount"]) for one in refunds) == Decimal(order["total"])
    assert call(admin, "GET", f"{ORDERS}/{order['id']}")["status"] == "refunded"


def test_pieces_stay_away_where_the_box_is_empty(admin: Any, admin_site: AdminSite, bottle: int) -> None:
    order = make_order(admin, bottle, status="completed")
    stock = read_stock(admin, bottle)
    dialog = open_refund(admin, admin_site, order)
    dialog.get_by_label("Pieces (of 2): Bottle").fill("2")
    dialog.get_by_label("Put the pieces back into stock").uncheck()
    dialog.get_by_role("button", name="Refund", exact=True).click()
    dialog.wait_for(state="detached")
    assert read_stock(admin, bottle) == stock


def test_more_than_is_left_is_not_sent(admin: Any, admin_site: AdminSite, bottle: int) -> None:
    order = make_order(admin, bottle, status="completed")
    dialog = open_refund(admin, admin_site, order)
    dialog.get_by_label("Or an amount alone").fill("1000")
    dialog.get_by_text(f"At most €{order['total']} is left of this order.").wait_for()
    expect(dialog.get_by_role("button", name="Refund", exact=True)).to_be_disabled()
    dialog.get_by_label("Or an amount alone").fill("ten")
    dialog.get_by_text("This is no amount.").wait_for()
    dialog.get_by_label("Or an amount alone").fill("0,5")
    dialog.get_by_role("button", name="Refund", exact=True).click()
    admin.get_by_text("€0.50 is refunded.").wait_for()


def test_a_refund_is_removed(admin: Any, admin_site: AdminSite, bottle: int) -> None:
    order = make_order(admin, bottle, status="completed")
    call(admin, "POST", f"{ORDERS}/{order['id']}/refunds", {"amount": "4.00", "api_refund": False})
    open_screen(admin, admin_site, f"/orders/{order['id']}")
    admin.get_by_role("button", name="Remove the refund: €4.00").click()
    admin.get_by_role("dialog").get_by_role("button", name="Remove the refund").click()
    admin.get_by_text("Nothing was refunded.").wait_for()
    assert call(admin, "GET", f"{ORDERS}/{order['id']}/refunds") == []
