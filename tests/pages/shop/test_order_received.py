"""The page where an order was received, and the one where it is paid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from conftest import Client, SetClock, Stand, standing
from shop.background import work_off
from shop.store import billing, payable, sold
from vetrina.settings import load_profile

from .buyer import ADDRESS, SAME_ORIGIN, Buyer, read_forms, read_order_id, set_password

HOUR = 3600


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    profile = load_profile("second", {"shop_services.test_gateway": True})
    with standing(request, profile, "_shop") as stand:
        yield stand


@pytest.fixture
def buyer(site: Stand) -> Buyer:
    return Buyer(site)


def buy(buyer: Buyer, manager: Client, method: str = "cheque", **fields: str) -> str:
    """Buy a cup, and return the address of the order's page."""
    payable(manager, method)
    buyer.add(sold(manager, "Blue cup", "10"), 2)
    placed = buyer.order(payment_method=method, **fields)
    assert placed.status == 303, placed.text
    address = urlsplit(placed.location)
    return f"{address.path}?{address.query}"


def make_order(manager: Client, **members: Any) -> tuple[int, str]:
    """Make an order by hand, and return its id and the address where it is paid."""
    line = {"product_id": sold(manager, "Blue cup", "10"), "quantity": 1}
    made = manager.post("/shop/v3/orders", {"line_items": [line], **members}).json
    address = urlsplit(made["payment_url"])
    return made["id"], f"{address.path}?{address.query}"


# -- received


def test_it_shows_the_order_to_who_has_just_placed_it(buyer: Buyer, manager: Client) -> None:
    page = buyer.get(buy(buyer, manager))
    assert page.status == 200
    assert '<h1 class="wp-block-post-title">Order received</h1>' in page.text
    assert "<title>Order received – " in page.text
    assert "Blue cup × 2" in page.text
    assert "1 Main St" in page.text
    assert "$20.00" in page.text
    assert (page.headers["x-robots-tag"], page.headers["cache-control"]) == ("noindex", "no-store")


def test_bank_details_are_shown(site: Stand, buyer: Buyer, manager: Client) -> None:
    with site.site.work() as work:
        work.set_option("shop_bacs_accounts", [{"account_name": "Bottega", "iban": "IT60X0542811101000000123456"}])
    manager.put("/shop/v3/payment_gateways/bacs", {"settings": {"instructions": "Write the number of your order."}})
    page = buyer.get(buy(buyer, manager, "bacs"))
    assert "IT60X0542811101000000123456" in page.text
    assert "Write the number of your order." in page.text


def test_files_of_the_order_are_linked(buyer: Buyer, manager: Client) -> None:
    file = {"name": "Score", "file": "https://files.example/score.pdf"}
    payable(manager, "test")
    buyer.add(sold(manager, "Song", "3", virtual=True, downloadable=True, downloads=[file]))
    page = buyer.follow(buyer.order(payment_method="test"))
    assert "download_file=" in page.text
    assert "Score" in page.text


def test_later_the_key_alone_does_not_show_who_ordered(
    site: Stand, buyer: Buyer, manager: Client, clock: SetClock
) -> None:
    address = buy(buyer, manager)
    clock.forward(HOUR)
    anyone = Buyer(site)
    page = anyone.get(address)
    assert "Blue cup × 2" in page.text
    assert "1 Main St" not in page.text
    refused = anyone.send(address, "order-proof", email="other@example.org")
    assert (refused.status, "1 Main St" in refused.text) == (403, False)
    assert "This is not the email address of the order." in refused.text
    confirmed = anyone.send(address, "order-proof", email="MARA@example.org")
    assert confirmed.status == 303
    assert "1 Main St" in anyone.follow(confirmed).text
    assert "1 Main St" not in Buyer(site).get(address).text


def test_its_customer_needs_no_proof(site: Stand, manager: Client, clock: SetClock) -> None:
    set_password(site, "customer")
    buyer = Buyer(site)
    buyer.sign_in("customer")
    address = buy(buyer, manager)
    clock.forward(HOUR)
    assert "1 Main St" in buyer.get(address).text
    assert "1 Main St" not in Buyer(site).get(address).text


def test_an_order_is_not_shown_without_its_key(site: Stand, buyer: Buyer, manager: Client) -> None:
    address = buy(buyer, manager)
    path = address.partition("?")[0]
    for query in ("", "?key=", "?key=shop_order_wrong"):
        page = Buyer(site).get(f"{path}{query}")
        assert (page.status, "Blue cup" in page.text) == (404, False)


def test_a_draft_is_no_order(buyer: Buyer, manager: Client) -> None:
    payable(manager)
    buyer.add(sold(manager))
    form = read_forms(buyer.get("/en/checkout/"))["checkout"]
    assert buyer.get(f"/en/checkout/order-received/{form['order']}/?key={form['order_key']}").status == 404


def test_a_theme_without_templates_shows_it_plainly(site: Stand, buyer: Buyer, manager: Client) -> None:
    address = buy(buyer, manager)
    (checkout,) = site.client("admin").get("/cms/v2/pages?slug=checkout").json
    site.client("admin").delete(f"/cms/v2/pages/{checkout['id']}?force=true")
    page = buyer.get(address)
    assert "<h1>Order received</h1>" in page.text
    assert "Blue cup × 2" in page.text


def test_a_template_of_its_own_shows_it(site: Stand, buyer: Buyer, manager: Client) -> None:
    content = (
        "<!-- wp:shop/order-confirmation-status /--><!-- wp:shop/order-confirmation-totals /-->"
        "<!-- wp:paragraph --><p>We pack it today.</p><!-- /wp:paragraph -->"
    )
    template = {"slug": "order-confirmation", "title": "Order confirmation", "content": content}
    assert site.client("admin").post("/cms/v2/templates", template).status == 201
    page = buyer.get(buy(buyer, manager))
    assert "We pack it today." in page.text
    assert page.text.count("Blue cup × 2") == 1


def test_who_returns_from_a_gateway_has_it_asked(site: Stand, buyer: Buyer, manager: Client, clock: SetClock) -> None:
    manager.put("/shop/v3/payment_gateways/test", {"settings": {"confirm": "yes"}})
    address = buy(buyer, manager, "test", **{"payment_data-test_answer": "redirect"})
    assert "test_payment=" in address
    assert "it is not paid yet" in buyer.get(address).text
    clock.forward(HOUR)
    assert buyer.get(address).status == 200
    work_off(site)
    assert "Thank you. We have received your order." in buyer.get(address).text


# -- paid


def test_an_order_of_the_shop_is_paid(buyer: Buyer, manager: Client) -> None:
    payable(manager, "cheque", "cod")
    id, address = make_order(manager, billing=billing(), status="pending")
    page = buyer.get(address)
    assert "Pay for order" in page.text
    placed = buyer.send(address, "order-pay", payment_method="cod")
    assert read_order_id(placed) == id
    assert manager.get(f"/shop/v3/orders/{id}").json["status"] == "processing"
    assert "Thank you" in buyer.follow(placed).text
    assert "order-pay" not in read_forms(buyer.get(address))


def test_an_address_is_asked_for_where_the_order_has_none(buyer: Buyer, manager: Client) -> None:
    payable(manager)
    id, address = make_order(manager, status="pending")
    refused = buyer.send(address, "order-pay", payment_method="cheque", billing_city="Fresno")
    assert (refused.status, "Country / Region is needed." in refused.text) == (400, True)
    refused = buyer.send(address, "order-pay", payment_method="cheque", billing_city="Fresno", billing_country="US")
    assert refused.status == 400
    assert "Last name is needed." in refused.text
    assert read_forms(refused)["order-pay"]["billing_city"] == "Fresno"
    fields = {f"billing_{name}": value for name, value in ADDRESS.items()}
    paid = buyer.send(address, "order-pay", payment_method="cheque", billing_email="mara@example.org", **fields)
    assert paid.status == 303, paid.text
    assert manager.get(f"/shop/v3/orders/{id}").json["billing"]["email"] == "mara@example.org"


def test_a_failed_payment_is_said(buyer: Buyer, manager: Client) -> None:
    payable(manager, "test")
    _, address = make_order(manager, billing=billing(), status="pending")
    failed = buyer.send(address, "order-pay", **{"payment_method": "test", "payment_data-test_answer": "no"})
    assert (failed.status, "The test gateway said no." in failed.text) == (402, True)


def test_who_pays_later_confirms_the_address_first(site: Stand, buyer: Buyer, manager: Client, clock: SetClock) -> None:
    payable(manager)
    id, address = make_order(manager, billing=billing(), status="pending")
    form = {**read_forms(buyer.get(address))["order-pay"], "payment_method": "cheque"}
    clock.forward(HOUR)
    assert "order-pay" not in read_forms(buyer.get(address))
    assert buyer.post(address, form, **SAME_ORIGIN).status == 403
    assert manager.get(f"/shop/v3/orders/{id}").json["status"] == "pending"
    buyer.send(address, "order-proof", email="mara@example.org")
    assert buyer.send(address, "order-pay", payment_method="cheque").status == 303


def test_a_closed_shop_shows_no_order(site: Stand, buyer: Buyer, manager: Client) -> None:
    address = buy(buyer, manager)
    with site.site.work() as work:
        work.set_option("shop_coming_soon", "yes")
        work.set_option("shop_store_pages_only", "yes")
    assert buyer.get(address).status == 503
