"""The orders and downloads of a customer, and what may be done with them."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import ORIGIN, Client, Stand
from shop.store import STORE, sold

from .account_stand import (
    ACCOUNT,
    HOME,
    Shopper,
    customer,
    get_account_id,
    mails,
    manager,
    prepared_postgres_shop,
    prepared_shop,
    read_form,
    shopper,
    site,
)

__all__ = ["customer", "mails", "manager", "prepared_postgres_shop", "prepared_shop", "shopper", "site"]


def place(manager: Client, customer: int, status: str = "pending", price: str = "10", **more: Any) -> dict[str, Any]:
    """Return an order of a customer for two cups."""
    order = {
        "customer_id": customer, "status": status, "billing": HOME,
        "line_items": [{"product_id": sold(manager, price=price), "quantity": 2}],
    }  # fmt: skip
    made = manager.post("/shop/v3/orders", {**order, **more})
    assert made.status == 201, made.json
    found: dict[str, Any] = made.json
    return found


def test_orders_are_listed_with_what_may_be_done(site: Stand, shopper: Shopper, manager: Client) -> None:
    own = get_account_id(site)
    pending, done = place(manager, own), place(manager, own, "completed")
    other = place(manager, get_account_id(site, "editor"))
    guest = place(manager, 0)
    draft = place(manager, own, "checkout-draft")
    shopper.enter()
    shown = shopper.get(f"{ACCOUNT}orders/").text
    for order in (pending, done):
        assert f'href="{ORIGIN}{ACCOUNT}view-order/{order["id"]}/"' in shown
    assert "20.00" in shown
    assert ("Pending payment" in shown, "Completed" in shown) == (True, True)
    assert shown.count(">Cancel<") == shown.count(">Pay<") == 1
    assert f"/order-pay/{pending['id']}/?pay_for_order=true&amp;key={pending['order_key']}" in shown
    for order in (other, guest, draft):
        assert f"view-order/{order['id']}/" not in shown
        assert shopper.get(f"{ACCOUNT}view-order/{order['id']}/").status == 404
    assert shopper.get(f"{ACCOUNT}view-order/999999/").status == 404


def test_ten_orders_are_a_page(site: Stand, shopper: Shopper, manager: Client) -> None:
    own = get_account_id(site)
    first = place(manager, own)["id"]
    line = {"customer_id": own, "status": "completed"}
    for _ in range(10):
        assert manager.post("/shop/v3/orders", line).status == 201
    shopper.enter()
    page = shopper.get(f"{ACCOUNT}orders/").text
    assert (f"view-order/{first}/" in page, f'href="{ORIGIN}{ACCOUNT}orders/2/" rel="next"' in page) == (False, True)
    page = shopper.get(f"{ACCOUNT}orders/2/").text
    assert (f"view-order/{first}/" in page, f'href="{ORIGIN}{ACCOUNT}orders/" rel="prev"' in page) == (True, True)
    assert "All orders" in shopper.get(ACCOUNT).text


def test_an_order_shows_all_of_itself(site: Stand, shopper: Shopper, manager: Client) -> None:
    order = place(
        manager, get_account_id(site), "on-hold", customer_note="Ring & wait", payment_method="bacs",
        payment_method_title="Bank", shipping_lines=[{"method_id": "flat_rate", "method_title": "Post", "total": "3"}],
    )  # fmt: skip
    notes = f"/shop/v3/orders/{order['id']}/notes"
    assert manager.post(notes, {"note": "It is <b>packed</b>.", "customer_note": True}).status == 201
    assert manager.post(notes, {"note": "He is difficult."}).status == 201
    shopper.enter()
    shown = shopper.get(f"{ACCOUNT}view-order/{order['id']}/").text
    for words in (
        "is now: On hold.", "Cup × 2", "20.00", "3.00 via Post", "23.00", "Via Roma 1", "47890 Rimini", "Italy",
        "It is <b>packed</b>.", "Ring &amp; wait", "mara@example.org",
    ):  # fmt: skip
        assert words in shown, words
    assert "difficult" not in shown


def test_orders_are_not_for_others(site: Stand, shopper: Shopper, manager: Client) -> None:
    order = place(manager, get_account_id(site))
    for login in ("editor", "shop_manager"):
        other = Shopper(site)
        other.enter(login)
        assert other.get(f"{ACCOUNT}view-order/{order['id']}/").status == 404


def test_an_unpaid_order_is_cancelled_once_and_by_its_customer(site: Stand, shopper: Shopper, manager: Client) -> None:
    own, orders = get_account_id(site), f"{ACCOUNT}orders/"
    order, paid = place(manager, own), place(manager, own, "processing")
    theirs = place(manager, get_account_id(site, "editor"))
    shopper.enter()
    form = read_form(shopper.get(orders), "account-cancel-order")
    assert form["order"] == str(order["id"])
    assert shopper.send_form(orders, form, _cmsnonce="").status == 403
    assert shopper.send_form(orders, form, order=theirs["id"]).status == 404
    assert shopper.send_form(orders, form, order=paid["id"]).status == 409
    assert "The order is cancelled." in shopper.land(shopper.send_form(orders, form)).text
    assert shopper.send_form(orders, form).status == 409
    states = [manager.get(f"/shop/v3/orders/{one['id']}").json["status"] for one in (order, paid, theirs)]
    assert states == ["cancelled", "processing", "pending"]
    notes = manager.get(f"/shop/v3/orders/{order['id']}/notes").json
    assert any("cancelled by customer" in one["note"] for one in notes)


def test_an_order_is_put_into_the_cart_again(site: Stand, shopper: Shopper, manager: Client, customer: Client) -> None:
    order = place(manager, get_account_id(site), "completed")
    shopper.enter()
    again = shopper.send(f"{ACCOUNT}view-order/{order['id']}/", "account-order-again")
    assert again.location == f"{ORIGIN}/en/cart/?notice=ordered-again"
    held = customer.get(f"{STORE}/cart").json["items"]
    assert [(one["name"], one["quantity"]) for one in held] == [("Cup", 2)]
    gone = order["line_items"][0]["product_id"]
    assert manager.delete(f"/shop/v3/products/{gone}?force=true").status == 200
    refused = shopper.send(f"{ACCOUNT}view-order/{order['id']}/", "account-order-again")
    assert (refused.status, "None of this can be bought any more." in refused.text) == (409, True)


@pytest.mark.parametrize("limit, left", [(-1, "Unlimited"), (4, "8")])
def test_files_are_listed_while_they_may_be_fetched(
    site: Stand, shopper: Shopper, manager: Client, limit: int, left: str
) -> None:
    files = [{"name": "Score", "file": "https://files.example.org/score.pdf"}]
    music = sold(
        manager, "Music", virtual=True, downloadable=True, downloads=files, download_limit=limit, download_expiry=10
    )
    order = place(manager, get_account_id(site), "completed", line_items=[{"product_id": music, "quantity": 2}])
    shopper.enter()
    shown = shopper.get(f"{ACCOUNT}downloads/").text
    assert f'<td data-label="Downloads left">{left}</td>' in shown
    assert f"?download_file={music}&amp;order={order['order_key']}" in shown
    assert "Score" in shopper.get(f"{ACCOUNT}view-order/{order['id']}/").text
    manager.put(f"/shop/v3/orders/{order['id']}", {"status": "refunded"})
    assert "There are no downloads here." in shopper.get(f"{ACCOUNT}downloads/").text
