"""The checkout page: buying as a guest and as a customer, by every way of paying, without scripts."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from conftest import Client, Stand, standing
from gateway_package import installed
from shop.store import Visitor as StoreVisitor, billing, payable, sold
from stripe_service import SECRET_KEY, WEBHOOK_SECRET, StripeService
from vetrina.settings import load_profile

from .buyer import ADDRESS, CHECKOUT, SAME_ORIGIN, Buyer, drop_times, read_forms, read_order_id, set_password
from .test_cart_page import flat_rate, switch


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    profile = load_profile("second", {"shop_services.test_gateway": True})
    with standing(request, profile, "_shop") as stand:
        yield stand


@pytest.fixture
def buyer(site: Stand) -> Buyer:
    return Buyer(site)


def read_order(manager: Client, id: int) -> dict[str, Any]:
    found = manager.get(f"/shop/v3/orders/{id}")
    assert found.status == 200, found.json
    return dict(found.json)


def list_placed(manager: Client) -> list[dict[str, Any]]:
    return [one for one in manager.get("/shop/v3/orders").json if one["status"] != "checkout-draft"]


def test_the_page_begins_its_order_while_somebody_else_writes(buyer: Buyer, manager: Client, site: Stand) -> None:
    payable(manager, "cod")
    buyer.add(sold(manager, "Cup", "10"))
    begun = threading.Event()

    def write() -> None:
        with site.site.work() as work:
            work.note("option", 0, "changed")
            begun.set()
            time.sleep(0.4)

    writer = threading.Thread(target=write)
    writer.start()
    begun.wait()
    assert buyer.get(CHECKOUT).status == 200
    writer.join()


# -- buying


@pytest.mark.parametrize(("method", "status"), [("bacs", "on-hold"), ("cheque", "on-hold"), ("cod", "processing"),
                                                ("test", "processing")])  # fmt: skip
def test_a_guest_buys(buyer: Buyer, manager: Client, method: str, status: str) -> None:
    payable(manager, "bacs", "cheque", "cod", "test")
    flat_rate(manager, "5")
    buyer.add(sold(manager, "Cup", "10"), 2)
    placed = buyer.order(payment_method=method, order_note="Ring twice")
    order = read_order(manager, read_order_id(placed))
    assert (order["status"], order["total"], order["payment_method"]) == (status, "25.00", method)
    assert (order["billing"]["email"], order["billing"]["postcode"]) == ("mara@example.org", "93650")
    assert (order["shipping"]["city"], order["customer_note"]) == ("Fresno", "Ring twice")
    assert "cms_cart_count" not in buyer.cookies
    assert "Your cart is empty." in buyer.get(CHECKOUT).text


def test_a_customer_buys_and_is_remembered(site: Stand, manager: Client) -> None:
    set_password(site, "customer")
    payable(manager)
    buyer = Buyer(site)
    buyer.sign_in("customer")
    buyer.add(sold(manager, "Cup", "10"))
    order = read_order(manager, read_order_id(buyer.order(payment_method="cheque")))
    customer = manager.get(f"/shop/v3/customers/{order['customer_id']}").json
    assert (customer["username"], customer["billing"]["city"]) == ("customer", "Fresno")
    buyer.add(sold(manager, "Pot"))
    assert read_forms(buyer.get(CHECKOUT))["checkout"]["billing_city"] == "Fresno"


def test_an_order_is_what_the_interface_would_have_made(site: Stand, buyer: Buyer, manager: Client) -> None:
    payable(manager)
    flat_rate(manager, "5")
    switch(manager, "general", shop_calc_taxes="yes")
    manager.post("/shop/v3/taxes", {"rate": "10", "name": "VAT", "country": "US"})
    manager.post("/shop/v3/coupons", {"code": "less", "discount_type": "percent", "amount": "10"})
    cup = sold(manager, "Cup", "10")
    buyer.add(cup, 2)
    buyer.send("/en/cart/", "cart-coupon", code="less")
    by_page = read_order(manager, read_order_id(buyer.order(payment_method="cheque", billing_phone="555")))
    other = StoreVisitor(site)
    other.add(cup, 2)
    other.post("/cart/apply-coupon", {"code": "less"})
    address = {name: one for name, one in billing().items() if name != "email"}
    answer = other.pay(shipping_address=address)
    by_store = read_order(manager, answer.json["order_id"])
    assert drop_times(by_page) == drop_times(by_store)


def test_a_coupon_is_applied_and_removed_at_the_checkout(buyer: Buyer, manager: Client) -> None:
    payable(manager)
    manager.post("/shop/v3/coupons", {"code": "less", "discount_type": "fixed_cart", "amount": "4"})
    buyer.add(sold(manager, "Cup", "10"))
    refused = buyer.send(CHECKOUT, "cart-coupon", code="none")
    assert refused.status == 400
    assert "<details open>" in refused.text
    assert buyer.send(CHECKOUT, "cart-coupon", code="less").location == f"{CHECKOUT}?notice=coupon-applied"
    assert "cart-coupon-removal" in read_forms(buyer.get(CHECKOUT))
    assert buyer.send(CHECKOUT, "cart-coupon-removal", code="less").location == f"{CHECKOUT}?notice=coupon-removed"
    buyer.send(CHECKOUT, "cart-coupon", code="less")
    assert read_order(manager, read_order_id(buyer.order(payment_method="cheque")))["total"] == "6.00"
    switch(manager, "general", shop_enable_coupons="no")
    buyer.add(sold(manager, "Pot", "10"))
    assert "cart-coupon" not in read_forms(buyer.get(CHECKOUT))


def test_goods_are_sent_elsewhere(buyer: Buyer, manager: Client) -> None:
    payable(manager)
    flat_rate(manager, "5")
    flat_rate(manager, "9", "IT")
    buyer.add(sold(manager, "Cup", "10"))
    there = {"first_name": "Ada", "last_name": "Bo", "address_1": "Via 1", "city": "Roma", "state": "RM",
             "postcode": "00100", "country": "IT"}  # fmt: skip
    fields = {f"shipping_{name}": value for name, value in there.items()}
    page = buyer.order(ship_elsewhere="1", payment_method="cheque", **fields)
    order = read_order(manager, read_order_id(page))
    assert (order["shipping"]["city"], order["billing"]["city"], order["total"]) == ("Roma", "Fresno", "19.00")


def test_what_is_free_needs_no_way_to_pay(buyer: Buyer, manager: Client) -> None:
    buyer.add(sold(manager, "Leaflet", "0"))
    assert "payment_method" not in read_forms(buyer.get(CHECKOUT))["checkout"]
    assert read_order(manager, read_order_id(buyer.order()))["status"] == "processing"


def test_an_account_is_made(site: Stand, buyer: Buyer, manager: Client) -> None:
    switch(manager, "account", shop_enable_signup_and_login_from_checkout="yes",
           shop_registration_generate_password="no")  # fmt: skip
    payable(manager)
    buyer.add(sold(manager, "Cup", "10"))
    word = " a word that people keep "
    page = buyer.order(payment_method="cheque", create_account="1", account_password=word)
    order = read_order(manager, read_order_id(page))
    assert order["customer_id"] > 0
    buyer.add(sold(manager, "Pot"))
    again = buyer.order(payment_method="cheque", create_account="1", account_password=word)
    assert again.status == 400
    assert "There is an account with this email address already." in again.text
    assert word not in again.text


def test_who_sells_to_accounts_only_says_so(buyer: Buyer, manager: Client) -> None:
    switch(manager, "account", shop_enable_guest_checkout="no")
    payable(manager)
    buyer.add(sold(manager, "Cup", "10"))
    page = buyer.get(CHECKOUT)
    assert "Sign in to order here." in page.text
    assert "checkout" not in read_forms(page)


def test_stripe_leads_to_its_own_page(request: pytest.FixtureRequest, kind: str) -> None:
    pytest.importorskip("stripe", reason="the extra `stripe` is not installed")
    stripe = StripeService()
    sets = {"shop_services.stripe": True, "shop_services.stripe_url": stripe.url}
    with closing(stripe), standing(request, load_profile("second", sets), "_shop") as site:
        manager = site.client("shop_manager")
        secrets = {"secret_key": SECRET_KEY, "webhook_secret": WEBHOOK_SECRET}
        manager.put("/shop/v3/payment_gateways/stripe", {"enabled": True, "settings": secrets})
        buyer = Buyer(site)
        buyer.add(sold(manager, "Cup", "10"))
        leads = buyer.order(payment_method="stripe")
        [session] = stripe.sessions.values()
        assert f'<a href="{session["url"]}">Continue to the payment</a>' in leads.text
        back = urlsplit(stripe.pay_session(session))
        assert back.path.startswith("/en/checkout/order-received/")
        assert "We have received your order" in buyer.get(f"{back.path}?{back.query}").text


def test_a_gateway_with_fields_of_its_own_is_not_offered(
    request: pytest.FixtureRequest, kind: str, tmp_path: Path
) -> None:
    with installed(tmp_path), standing(request, load_profile("second"), "_shop") as site:
        manager = site.client("shop_manager")
        payable(manager, "cheque")
        gateway = "/shop/v3/payment_gateways/tallero"
        secrets = {"secret_key": "key", "report_secret": "word"}
        made = manager.put(gateway, {"enabled": True, "settings": secrets}).json
        assert made["needs_setup"] is False
        assert "does not offer it" in made["setup_help_text"]
        assert manager.get("/shop/v3/payment_gateways/cheque").json["setup_help_text"] is None
        buyer = Buyer(site)
        buyer.add(sold(manager, "Cup", "10"))
        assert StoreVisitor(site).get("/cart").json["payment_methods"] == ["cheque", "tallero"]
        page = buyer.get(CHECKOUT).text
        assert 'value="cheque"' in page
        assert 'value="tallero"' not in page


# -- what is refused


def test_a_refused_form_keeps_what_was_typed(buyer: Buyer, manager: Client) -> None:
    payable(manager, "cheque", "bacs")
    buyer.add(sold(manager, "Cup", "10"))
    refused = buyer.order(payment_method="bacs", billing_last_name="", billing_first_name="Mara <b>",
                          order_note="Ring twice")  # fmt: skip
    assert refused.status == 400
    assert "Last name is needed." in refused.text
    kept = read_forms(refused)["checkout"]
    assert (kept["billing_first_name"], kept["order_note"]) == ("Mara <b>", "Ring twice")
    assert kept["payment_method"] == "bacs"
    assert list_placed(manager) == []


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("billing_postcode", "9", "There is no such postcode in this country."),
        ("billing_email", "nobody", "This is no email address."),
        ("billing_phone", "call me", "This is no phone number."),
        ("billing_postcode", "", "ZIP Code is needed."),
        ("billing_state", "", "State is needed."),
        ("payment_method", "cod", "Choose a way to pay."),
    ],
)
def test_a_fault_is_said_at_its_field(buyer: Buyer, manager: Client, field: str, value: str, said: str) -> None:
    payable(manager)
    buyer.add(sold(manager, "Cup", "10"))
    refused = buyer.order(**{"payment_method": "cheque", field: value})
    assert refused.status == 400
    assert f'class="form-error">{said}' in refused.text
    assert list_placed(manager) == []


def test_nobody_pays_another_amount_than_was_shown(buyer: Buyer, manager: Client) -> None:
    payable(manager)
    flat_rate(manager, "5")
    flat_rate(manager, "9", "IT")
    buyer.add(sold(manager, "Cup", "10"))
    shown = read_forms(buyer.get(CHECKOUT))["checkout"]
    there = {"billing_country": "IT", "billing_state": "RM", "billing_postcode": "00100", "billing_city": "Roma"}
    given = {f"billing_{name}": value for name, value in ADDRESS.items()}
    wanted = {**given, **there, "billing_email": "a@example.org", "payment_method": "cheque", "action": "place"}
    refused = buyer.post(CHECKOUT, {**shown, **wanted}, **SAME_ORIGIN)
    assert refused.status == 409
    assert "$19.00" in refused.text
    again = buyer.post(CHECKOUT, {**read_forms(refused)["checkout"], **wanted}, **SAME_ORIGIN)
    assert read_order(manager, read_order_id(again))["total"] == "19.00"


def test_terms_are_agreed_to(site: Stand, buyer: Buyer, manager: Client) -> None:
    terms = site.client("admin").post("/cms/v2/pages", {"title": "Terms", "status": "publish", "content": "Be good."})
    switch(manager, "advanced", shop_terms_page_id=str(terms.json["id"]))
    payable(manager)
    buyer.add(sold(manager, "Cup", "10"))
    refused = buyer.order(payment_method="cheque")
    assert refused.status == 400
    assert "Agree to the terms and conditions to order." in refused.text
    assert buyer.order(payment_method="cheque", terms="1").status == 303


def test_a_failed_payment_is_said_and_tried_again(buyer: Buyer, manager: Client) -> None:
    payable(manager, "test")
    buyer.add(sold(manager, "Cup", "10"))
    failed = buyer.order(**{"payment_method": "test", "payment_data-test_answer": "no"})
    assert failed.status == 402
    assert "The test gateway said no." in failed.text
    assert read_order(manager, read_order_id(buyer.order(payment_method="test")))["status"] == "processing"


def test_a_form_of_another_site_orders_nothing(site: Stand, buyer: Buyer, manager: Client) -> None:
    payable(manager)
    buyer.add(sold(manager, "Cup", "10"))
    shown = read_forms(buyer.get(CHECKOUT))["checkout"]
    given = {f"billing_{name}": value for name, value in ADDRESS.items()}
    wanted = {**shown, **given, "billing_email": "a@example.org", "payment_method": "cheque", "action": "place"}
    del wanted["_cmsnonce"]
    assert buyer.post(CHECKOUT, wanted).status == 403
    stranger = Buyer(site)
    stranger.get(CHECKOUT)
    assert stranger.post(CHECKOUT, {**wanted, "_cmsnonce": shown["_cmsnonce"]}).status == 403
    assert list_placed(manager) == []


# -- the page itself


def test_fields_of_another_country_are_shown_without_scripts(buyer: Buyer, manager: Client) -> None:
    payable(manager)
    flat_rate(manager, "9", "IT")
    buyer.add(sold(manager, "Cup", "10"))
    first = buyer.get(CHECKOUT)
    assert "ZIP Code" in first.text
    fields = {"billing_country": "IT", "billing_first_name": "Ada", "order_note": "Hello", "action": "update"}
    page = buyer.send(CHECKOUT, "checkout", **fields)
    assert page.status == 200
    assert "Province" in page.text
    kept = read_forms(page)["checkout"]
    assert (kept["billing_country"], kept["billing_first_name"], kept["order_note"]) == ("IT", "Ada", "Hello")
    assert "$19.00" in page.text


def test_a_form_sent_twice_orders_once(buyer: Buyer, manager: Client) -> None:
    payable(manager)
    buyer.add(sold(manager, "Cup", "10"))
    shown = read_forms(buyer.get(CHECKOUT))["checkout"]
    given = {f"billing_{name}": value for name, value in ADDRESS.items()}
    wanted = {**shown, **given, "billing_email": "a@example.org", "payment_method": "cheque", "action": "place"}
    first, second = (buyer.post(CHECKOUT, wanted, **SAME_ORIGIN) for _ in range(2))
    assert read_order_id(first) == read_order_id(second)
    assert len(list_placed(manager)) == 1


def test_it_speaks_italian(site: Stand, buyer: Buyer, manager: Client) -> None:
    payable(manager)
    cup = sold(manager, "Cup", "10")
    buyer.add(cup)
    (page,) = site.client("admin").get("/cms/v2/pages?slug=checkout").json
    made = site.client("admin").post(
        "/cms/v2/pages?mlang_language=it",
        {"title": "Cassa", "status": "publish", "slug": "cassa", "translations": {"en": page["id"]}},
    )
    assert made.status == 201, made.json
    text = buyer.get("/it/cassa/").text
    assert "Indirizzo di fatturazione" in text
    assert "Stati Uniti" in text
