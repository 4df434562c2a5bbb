"""Payments by Stripe at the checkout, against a fake of it: cards, its own page, 3-D Secure."""

from __future__ import annotations

from decimal import Decimal
from urllib.parse import urlsplit

import pytest

from conftest import Client, SetClock, Stand
from shop.store import payable
from stripe_service import StripeService
from vetrina.shop.payments.stripe import amounts as stripe_amounts

from .buying import DAY, GATEWAY, SET, Bought, bank, intent_of, session_of, work_off

pytest.importorskip("stripe", reason="the extra `stripe` is not installed")


# -- the checkout


@pytest.mark.every_database
def test_a_card_pays_the_order_and_empties_the_cart(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop)
    assert (bought.answer.status, bought.answer.json["status"]) == (200, "processing"), bought.answer.json
    assert bought.result["payment_status"] == "success"
    intent = intent_of(stripe)
    assert (intent["amount"], intent["currency"], intent["metadata"]["order_id"]) == (1000, "usd", str(bought.id))
    assert bought.order()["transaction_id"] == intent["id"]
    assert bought.items() == 0
    [(method, path, sent, headers)] = stripe.requests
    assert (method, path, sent["confirm"]) == ("POST", "/v1/payment_intents", "true")
    assert headers["idempotency-key"] == intent["metadata"]["payment_key"]
    assert headers["stripe-version"]
    # Nothing about this machine is sent.
    assert not [name for name in headers if name.startswith("x-")]
    assert headers["user-agent"] == "Vetrina"


def test_a_card_that_is_declined_fails_the_order(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop, "pm_card_visa_chargeDeclinedInsufficientFunds")
    assert (bought.answer.status, bought.answer.json["status"]) == (200, "failed"), bought.answer.json
    assert bought.details()["errorMessage"] == "Your card has insufficient funds."
    assert bought.items() == 1
    assert stripe.send(stripe.last("payment_intent.payment_failed")).status == 200
    again = bought.pay("pm_card_visa")
    assert (again.json["order_id"], again.json["status"]) == (bought.id, "processing")
    assert stripe.charged() == [1000]


@pytest.mark.parametrize(
    "card, price, said",
    [
        ("pm_card_visa", "0.20", "Amount must be at least $0.50 usd"),
        ("pm_card_visa", "1000000", "Amount must be no more than $999,999.99"),
        ("pm_none", "10", "No such PaymentMethod: 'pm_none'"),
        ("", "0.20", "Amount must be at least $0.50 usd"),
    ],
)
def test_what_stripe_never_takes_fails_with_its_words(
    site: Stand, shop: Client, stripe: StripeService, card: str, price: str, said: str
) -> None:
    bought = Bought(site, shop, card, price)
    assert bought.answer.json["status"] == "failed", bought.answer.json
    assert said in bought.details()["errorMessage"]
    assert stripe.intents == {}


def test_a_wrong_key_takes_nothing_and_tells_the_buyer_nothing_of_it(
    site: Stand, shop: Client, stripe: StripeService
) -> None:
    for key in ("sk_wrong", "sk_é", "sk_\r\nX: y"):
        shop.put(GATEWAY, {"settings": {"secret_key": key}})
        bought = Bought(site, shop)
        assert bought.answer.json["status"] == "failed", key
        assert stripe.intents == {}
    assert "not set up properly" in bought.details()["errorMessage"]
    assert "sk_" not in bought.details()["errorMessage"]
    shop.put(GATEWAY, {"settings": SET})
    assert bought.pay("pm_card_visa").json["status"] == "processing"


def test_words_on_the_statement_are_sent(site: Stand, shop: Client, stripe: StripeService) -> None:
    shop.put(GATEWAY, {"settings": {"statement_descriptor_suffix": "CUPS"}})
    Bought(site, shop)
    assert stripe.requests[0][2]["statement_descriptor_suffix"] == "CUPS"


def test_a_currency_without_cents_is_paid_in_its_own_units(site: Stand, shop: Client, stripe: StripeService) -> None:
    for name, value in (("shop_currency", "JPY"), ("shop_price_num_decimals", "0")):
        assert shop.put(f"/shop/v3/settings/general/{name}", {"value": value}).status == 200
    bought = Bought(site, shop, price="1500")
    intent = intent_of(stripe)
    assert (intent["amount"], intent["currency"]) == (1500, "jpy")
    stripe.send(stripe.last("payment_intent.succeeded"))
    assert bought.status() == "processing"
    assert "not the sum" not in bought.notes()
    assert bought.refund("500").status == 201
    assert stripe.given_back() == [500]


@pytest.mark.parametrize(
    "amount, currency, units",
    [
        ("10.00", "USD", 1000), ("0.01", "EUR", 1), ("10.005", "USD", None), ("1500", "JPY", 1500),
        ("1500.50", "JPY", None), ("1.230", "KWD", 1230), ("1.234", "KWD", None), ("12.00", "ISK", 1200),
        ("12.50", "ISK", None), ("500", "UGX", 50_000), ("0.00", "USD", 0),
    ],
)  # fmt: skip
def test_amounts_are_whole_numbers_of_what_stripe_counts_in(amount: str, currency: str, units: int | None) -> None:
    assert stripe_amounts.encode_stripe_amount(Decimal(amount), currency) == units
    if units is not None:
        assert stripe_amounts.decode_stripe_amount(units, currency) == Decimal(amount)
    assert stripe_amounts.decode_stripe_amount("1", currency) is None


# -- Stripe's own page


@pytest.mark.every_database
def test_without_a_payment_method_the_buyer_pays_on_stripes_page(
    site: Stand, shop: Client, stripe: StripeService
) -> None:
    stripe.automatic = True
    bought = Bought(site, shop, "")
    [(method, path, sent, headers)] = stripe.requests
    assert (method, path, sent["mode"]) == ("POST", "/v1/checkout/sessions", "payment")
    assert headers["idempotency-key"] == sent["metadata[payment_key]"]
    assert sent["customer_email"] == "mara@example.org"
    session = session_of(stripe)
    assert (bought.answer.json["status"], bought.result["payment_status"]) == ("pending", "pending")
    assert bought.result["redirect_url"] == session["url"]
    assert bought.items() == 1
    assert "/order-received/" in stripe.pay_session(session)
    assert (bought.status(), bought.items(), stripe.charged()) == ("processing", 0, [1000])
    assert bought.order()["transaction_id"] == intent_of(stripe)["id"]
    assert bought.refund("4", api_refund=True).status == 201
    assert stripe.given_back() == [400]


def test_a_card_that_is_declined_on_stripes_page_can_be_another_one(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock
) -> None:
    stripe.automatic = True
    bought = Bought(site, shop, "")
    assert stripe.pay_session(session_of(stripe), "pm_card_visa_chargeDeclined") == ""
    assert stripe.send(stripe.last("payment_intent.payment_failed")).status == 200
    clock.forward(600)
    work_off(site)
    assert (bought.status(), bought.items()) == ("pending", 1)
    stripe.pay_session(session_of(stripe))
    assert (bought.status(), stripe.charged()) == ("processing", [1000])


def test_who_comes_back_from_stripes_page_has_it_asked(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock
) -> None:
    bought = Bought(site, shop, "")
    back = urlsplit(stripe.pay_session(session_of(stripe)))
    clock.forward(30)
    assert site.client(root="").get(f"{back.path}?{back.query}").status == 200
    work_off(site)
    assert (bought.status(), bought.items()) == ("processing", 0)


def test_stripes_page_is_the_same_one_again_and_closed_with_its_order(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock
) -> None:
    bought = Bought(site, shop, "")
    assert bought.pay("").json["payment_result"]["redirect_url"] == session_of(stripe)["url"]
    assert len(stripe.sessions) == 1
    assert shop.put(f"/shop/v3/orders/{bought.id}", {"status": "cancelled"}).status == 200
    clock.forward(600)
    work_off(site)
    assert session_of(stripe)["status"] == "expired"
    assert bought.status() == "cancelled"


def test_a_card_sent_along_closes_stripes_page_first(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop, "")
    assert bought.pay("pm_card_visa").json["status"] == "processing"
    assert session_of(stripe)["status"] == "expired"
    assert stripe.charged() == [1000]


@pytest.mark.parametrize("paid", [True, False])
def test_a_debit_on_stripes_page_keeps_the_goods_until_it_is_decided(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock, paid: bool
) -> None:
    bought = Bought(site, shop, "")
    stripe.pay_session(session_of(stripe), "pm_usBankAccount")
    clock.forward(600)
    work_off(site)
    assert (bought.status(), bought.items()) == ("on-hold", 0)
    stripe.automatic = True
    stripe.end_debit(session_of(stripe), paid=paid)
    assert bought.status() == ("processing" if paid else "failed")


def test_a_page_of_stripes_that_ends_unpaid_fails_the_order(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop, "")
    session = session_of(stripe)
    session["status"] = "expired"
    stripe.happens("checkout.session.expired", session)
    assert stripe.send(stripe.last("checkout.session.expired")).status == 200
    assert (bought.status(), bought.items()) == ("failed", 1)


# -- 3-D Secure


def test_a_bank_that_asks_its_customer_is_a_redirect(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop, "pm_card_threeDSecure2Required")
    assert (bought.answer.json["status"], bought.result["payment_status"]) == ("pending", "pending")
    assert bought.result["redirect_url"].startswith(f"{stripe.url}/3ds/")
    assert bought.details()["client_secret"] == intent_of(stripe)["client_secret"]
    assert bought.items() == 1
    stripe.automatic = True
    back = bank(bought, "complete")
    assert bought.status() == "processing"
    assert bought.items() == 0
    assert "/order-received/" in back
    assert stripe.charged() == [1000]


def test_who_comes_back_from_the_bank_has_the_payment_asked_about(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock
) -> None:
    bought = Bought(site, shop, "pm_card_threeDSecure2Required")
    back = urlsplit(bank(bought, "complete"))
    clock.forward(30)
    assert site.client(root="").get(f"{back.path}?{back.query}").status == 200
    work_off(site)
    assert bought.status() == "processing"


def test_a_bank_that_says_no_fails_the_order_and_another_card_pays_it(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock
) -> None:
    bought = Bought(site, shop, "pm_card_threeDSecure2Required")
    clock.forward(600)
    work_off(site)  # the customer has not been at the bank yet
    assert (bought.status(), bought.items()) == ("pending", 1)
    stripe.automatic = True
    bank(bought, "fail")
    assert bought.status() == "failed"
    assert "unable to authenticate" in bought.notes()
    assert bought.pay("pm_card_visa").json["status"] == "processing"
    assert stripe.charged() == [1000]


def test_a_bank_that_nobody_went_to_stands_in_the_way_of_nothing(
    site: Stand, shop: Client, stripe: StripeService
) -> None:
    payable(shop, "cheque")
    bought = Bought(site, shop, "pm_card_threeDSecure2Required")
    # Clicked again, it is the same payment; another payment method leaves it.
    again = bought.pay("pm_card_threeDSecure2Required").json["payment_result"]
    assert again["redirect_url"] == bought.result["redirect_url"]
    assert {"key": "client_secret", "value": intent_of(stripe)["client_secret"]} in again["payment_details"]
    assert bought.visitor.pay("cheque").json["status"] == "on-hold"
    assert stripe.charged() == []


def test_another_card_calls_the_payment_off_that_waits_at_the_bank(
    site: Stand, shop: Client, stripe: StripeService
) -> None:
    stripe.automatic = True
    bought = Bought(site, shop, "pm_card_threeDSecure2Required")
    waiting = intent_of(stripe)
    again = bought.pay("pm_card_visa")
    assert (again.json["order_id"], again.json["status"]) == (bought.id, "processing")
    assert waiting["status"] == "canceled"
    assert stripe.charged() == [1000]
    assert "failed" not in bought.notes()


def test_another_card_is_not_charged_where_the_bank_said_yes_meanwhile(
    site: Stand, shop: Client, stripe: StripeService
) -> None:
    bought = Bought(site, shop, "pm_card_threeDSecure2Required")
    waiting = intent_of(stripe)
    bank(bought, "complete")
    again = bought.pay("pm_card_visa")
    assert (again.json["status"], again.json["payment_result"]["payment_status"]) == ("processing", "success")
    assert bought.order()["transaction_id"] == waiting["id"]
    assert stripe.charged() == [1000]


def test_a_payment_that_cannot_be_called_off_now_is_called_off_later(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock
) -> None:
    bought = Bought(site, shop, "pm_card_threeDSecure2Required")
    waiting = intent_of(stripe)
    stripe.faults = ["500"]
    assert bought.pay("pm_card_visa").json["payment_result"]["payment_status"] == "pending"
    assert bought.pay("pm_card_visa").json["status"] == "processing"
    clock.forward(DAY)
    work_off(site)
    assert (waiting["status"], bought.status()) == ("canceled", "processing")
    assert stripe.charged() == [1000]


def test_a_payment_of_another_sum_is_called_off(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock
) -> None:
    bought = Bought(site, shop, "pm_card_threeDSecure2Required")
    waiting = intent_of(stripe)
    assert bought.pay_another_sum().json["status"] == "processing"
    work_off(site)
    assert (waiting["status"], bought.status()) == ("canceled", "processing")
    assert stripe.charged() == [1100]


@pytest.mark.parametrize("status", ["cancelled", "completed", "pending"])
def test_a_payment_that_nobody_waits_for_is_called_off(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock, status: str
) -> None:
    bought = Bought(site, shop, "pm_card_threeDSecure2Required")
    assert shop.put(f"/shop/v3/orders/{bought.id}", {"status": status}).status == 200
    clock.forward(600)
    work_off(site)
    assert intent_of(stripe)["status"] == ("requires_action" if status == "pending" else "canceled")
    assert bought.status() == status
