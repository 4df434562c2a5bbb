"""The page after a checkout displays the order, to anybody with its full URL."""

from __future__ import annotations

from urllib.parse import urlsplit

from conftest import Client, Stand

from .store import Visitor, payable, sold


def test_the_address_of_a_checkout_shows_the_order(site: Stand, manager: Client) -> None:
    payable(manager)
    visitor = Visitor(site)
    visitor.add(sold(manager, "Blue cup"), 2)
    address = urlsplit(visitor.pay().json["payment_result"]["redirect_url"])
    anyone = site.client(root="")
    page = anyone.get(f"{address.path}?{address.query}")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=UTF-8")
    assert "Blue cup × 2" in page.content.decode()
    assert "mara@example.org" not in page.content.decode()
    for query in ("", "key=", "key=shop_order_aaaaaaaaaaaaa"):
        assert anyone.get(f"{address.path}?{query}").status == 404
    assert anyone.get("/checkout/order-received/999999/?key=a").status == 404
    assert anyone.get("/en/checkout/order-received/99999999999999999999999999/?key=a").status == 404


def test_keys_are_not_guessed_at_it(site: Stand, manager: Client) -> None:
    payable(manager)
    visitor = Visitor(site)
    visitor.add(sold(manager))
    address = urlsplit(visitor.pay().json["payment_result"]["redirect_url"])
    anyone = site.client(root="")
    answers = [anyone.get(f"{address.path}?key=wrong{at}").status for at in range(21)]
    assert answers == [404] * 20 + [429]
    assert anyone.get(f"{address.path}?{address.query}").status == 429


def test_its_address_is_called_as_the_shop_is_set(site: Stand, manager: Client) -> None:
    setting = "/shop/v3/settings/advanced/shop_checkout_order_received_endpoint"
    assert manager.put(setting, {"value": "grazie"}).status == 200
    payable(manager)
    visitor = Visitor(site)
    visitor.add(sold(manager, "Blue cup"))
    address = urlsplit(visitor.pay().json["payment_result"]["redirect_url"])
    assert "/checkout/grazie/" in address.path
    anyone = site.client(root="")
    assert anyone.get(f"{address.path}?{address.query}").status == 200
    assert anyone.get(f"{address.path.replace('grazie', 'order-received')}?{address.query}").status == 404


def test_the_address_where_an_order_is_paid_shows_it(site: Stand, manager: Client) -> None:
    lines = [{"product_id": sold(manager, "Blue cup"), "quantity": 2}]
    made = manager.post("/shop/v3/orders", {"line_items": lines}).json
    address, anyone = urlsplit(made["payment_url"]), site.client(root="")
    page = anyone.get(f"{address.path}?{address.query}")
    assert page.status == 200
    assert "Blue cup × 2" in page.content.decode()
    assert anyone.get(f"{address.path}?pay_for_order=true&key=wrong").status == 404
