"""The shop by the client, in both dialects: catalogue, orders, keys, a visitor's cart, reports."""

from __future__ import annotations

import re

import httpx2
import pytest

from vetrina.client import Client, ConsumerKey, Forbidden, NotSignedIn, Session
from vetrina.testing import LocalTestServer

ADDRESS = {
    "first_name": "Mara", "last_name": "Neri", "address_1": "1 Main St", "city": "Fresno", "state": "CA",
    "postcode": "93650", "country": "US", "email": "mara@example.org",
}  # fmt: skip


def test_catalogue_and_orders_are_typed_records(client: Client) -> None:
    coat = client.shop.products.create(name="Coat", type="variable", attributes=[
        {"name": "Size", "variation": True, "visible": True, "options": ["S", "L"]}
    ])  # fmt: skip
    large = client.shop.variations(coat["id"]).create(
        regular_price="12.50", attributes=[{"name": "Size", "option": "L"}]
    )
    assert [one["id"] for one in client.shop.variations(coat["id"]).list()] == [large["id"]]
    order = client.shop.orders.create(
        line_items=[{"product_id": coat["id"], "variation_id": large["id"], "quantity": 2}], set_paid=True
    )
    assert order["total"] == "25.00"
    refund = client.shop.refunds(order["id"]).create(amount="5.00", api_refund=False)
    assert refund["amount"] == "5.00"
    client.shop.notes(order["id"]).create(note="Leave it with the neighbour")
    assert "neighbour" in " ".join(note["note"] for note in client.shop.notes(order["id"]).list())


def test_many_records_of_the_shop_go_in_one_request(client: Client) -> None:
    done = client.shop.coupons.many(create=[{"code": "tenth", "amount": "10"}, {"code": "fifth", "amount": "20"}])
    first, second = (coupon["id"] for coupon in done["create"])
    done = client.shop.coupons.many(update=[{"id": first, "amount": "11"}], delete=[second])
    assert done["update"][0]["amount"] == "11.00"
    assert [coupon["id"] for coupon in client.shop.coupons.list()] == [first]


@pytest.mark.parametrize("oauth", [False, True])
@pytest.mark.parametrize("dialect", ["neutral", "wordpress"])
def test_a_consumer_key_opens_the_shop(site: LocalTestServer, dialect: str, oauth: bool) -> None:
    keeper = site.accounts["shop_manager"]
    key = ConsumerKey(keeper.consumer_key, keeper.consumer_secret, oauth=oauth)
    with Client(site.url, key, dialect=dialect, environment=False) as client:
        made = client.shop.products.create(name="Caffè & cups, 50 %", sku="a b+c~d")
        found = client.shop.products.list(sku="a b+c~d", include=[made["id"]]).all()
        assert [product["id"] for product in found] == [made["id"]]
    wrong = ConsumerKey(keeper.consumer_key, "cs_wrong", oauth=oauth)
    with Client(site.url, wrong, dialect=dialect, environment=False) as client, pytest.raises(NotSignedIn):
        client.shop.products.list().all()


def test_a_visitor_fills_a_cart_and_buys_it(client: Client, site: LocalTestServer) -> None:
    cup = client.shop.products.create(name="Cup", regular_price="4.00", virtual=True, status="publish")
    client.ask("PUT", "/shop/v3/payment_gateways/cod", {"enabled": True})
    visitor = site.client(None)
    cart = visitor.cart()
    assert cart.add(cup["id"], 3)["items_count"] == 3
    key = cart.get()["items"][0]["key"]
    assert cart.update(key, 2)["totals"]["total_price"] == "800"
    again = visitor.cart(cart.token)
    assert again.get()["items_count"] == 2
    placed = again.checkout("cod", billing_address=ADDRESS)
    assert client.shop.orders.get(placed["order_id"])["total"] == "8.00"
    assert visitor.cart().get()["items_count"] == 0


def test_reports_are_read_row_by_row_and_interval_by_interval(client: Client, site: LocalTestServer) -> None:
    cup = client.shop.products.create(name="Cup", regular_price="4.00", status="publish")
    client.shop.orders.create(line_items=[{"product_id": cup["id"], "quantity": 2}], status="completed")
    site.run_due_jobs()
    span = {"after": "2020-01-01T00:00:00", "before": "2030-12-31T23:59:59"}
    assert client.reports.totals("revenue", **span)["orders_count"] == 1
    assert [row["items_sold"] for row in client.reports.rows("products", **span)] == [2]
    months = client.reports.intervals("orders", interval="month", per_page=50, **span).all()
    assert len(months) == 132
    assert sum(month["subtotals"]["orders_count"] for month in months) == 1


def test_a_session_signs_in_with_its_nonce(site: LocalTestServer) -> None:
    account = site.accounts["editor"]
    with httpx2.Client(base_url=site.url, trust_env=False) as browser:
        form = browser.get("/admin/sign-in").text
        hidden = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
        filled = {**hidden, "login": account.login, "password": account.password}
        assert browser.post("/admin/sign-in", data=filled).status_code in (302, 303)
        nonce = browser.get("/admin/nonce").text
        session = Session(dict(browser.cookies), nonce)
    with Client(site.url, session, environment=False) as client:
        assert client.me()["username"] == "editor"
    with Client(site.url, Session(session.cookies, "wrong"), environment=False) as client, pytest.raises(Forbidden):
        client.me()
