"""Payments by Stripe, against a fake of it: cards, 3-D Secure, webhooks, refunds and disputes."""

from __future__ import annotations

import copy
import json
import sys
import urllib.request
from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest
from hypothesis import given, strategies as st
from sqlalchemy import select

from conftest import Answer, Client, SetClock, Stand, standing
from stripe_service import SECRET_KEY, WEBHOOK_SECRET, StripeService, signature
from vetrina.backends.database import Statement
from vetrina.backends.tables.payments import payment_event
from vetrina.settings import load_profile
from vetrina.shop.payments import gateways
from vetrina.shop.payments.stripe import amounts as stripe_amounts, events as stripe_events, gateway as stripe_gateway
from vetrina.system import job_runner

from .store import Visitor, billing, payable, sold

pytest.importorskip("stripe", reason="the extra `stripe` is not installed")

GATEWAY = "/shop/v3/payment_gateways/stripe"
DAY = 86_400
SET = {"secret_key": SECRET_KEY, "webhook_secret": WEBHOOK_SECRET}


@pytest.fixture
def stripe() -> Iterator[StripeService]:
    service = StripeService()
    yield service
    service.close()


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str, stripe: StripeService) -> Iterator[Stand]:
    sets = {"shop_services.stripe": True, "shop_services.stripe_url": stripe.url}
    with standing(request, load_profile("second", sets), "_shop") as stand:
        stripe.deliver = lambda body, headers: stand.client().post(
            f"{GATEWAY}/webhook", body=body, headers={"Content-Type": "application/json", **headers}
        )
        stripe.now = stand.site.context.clock.now
        yield stand


@pytest.fixture
def shop(site: Stand, manager: Client) -> Client:
    answer = manager.put(GATEWAY, {"enabled": True, "settings": SET})
    assert (answer.status, answer.json["needs_setup"]) == (200, False), answer.json
    return manager


class Bought:
    """An order of one cup, paid with one of Stripe's test cards."""

    def __init__(self, site: Stand, manager: Client, card: str = "pm_card_visa", price: str = "10") -> None:
        self.manager, self.visitor = manager, Visitor(site)
        self.visitor.add(sold(manager, "Cup", price))
        self.answer = self.pay(card)
        self.id = self.answer.json.get("order_id")

    def pay(self, card: str) -> Answer:
        data = [{"key": "stripe_payment_method", "value": card}] if card else []
        return self.visitor.pay("stripe", payment_data=data)

    def pay_another_sum(self) -> Answer:
        """Pay the order after the shop has added a dollar to it."""
        fee = {"name": "Parcel", "total": "1.00"}
        assert self.manager.put(f"/shop/v3/orders/{self.id}", {"fee_lines": [fee]}).json["total"] == "11.00"
        paying = {
            "key": self.order()["order_key"], "billing_email": "mara@example.org", "billing_address": billing(),
            "payment_method": "stripe", "payment_data": [{"key": "payment_method", "value": "pm_card_visa"}],
        }  # fmt: skip
        return self.visitor.post(f"/checkout/{self.id}", paying)

    @property
    def result(self) -> dict[str, Any]:
        return dict(self.answer.json["payment_result"])

    def details(self) -> dict[str, str]:
        return {one["key"]: one["value"] for one in self.result["payment_details"]}

    def order(self) -> dict[str, Any]:
        return dict(self.manager.get(f"/shop/v3/orders/{self.id}").json)

    def status(self) -> str:
        return str(self.order()["status"])

    def notes(self) -> str:
        return "\n".join(note["note"] for note in self.manager.get(f"/shop/v3/orders/{self.id}/notes").json)

    def items(self) -> int:
        return int(self.visitor.get("/cart").json["items_count"])

    def refund(self, amount: str, **more: Any) -> Answer:
        return self.manager.post(f"/shop/v3/orders/{self.id}/refunds", {"amount": amount, **more})

    def refunds(self) -> list[tuple[str, str]]:
        found = self.manager.get(f"/shop/v3/orders/{self.id}/refunds").json
        return [(one["amount"], one["reason"]) for one in reversed(found)]


def work_off(site: Stand) -> None:
    """Run the jobs that are due, with the outbound client of this site."""
    job_runner.build_consumer(site.site.context, site.site.database).run_due_jobs()


def intent_of(stripe: StripeService) -> dict[str, Any]:
    return list(stripe.intents.values())[-1]


def session_of(stripe: StripeService) -> dict[str, Any]:
    return list(stripe.sessions.values())[-1]


def bank(bought: Bought, result: str) -> str:
    """Act on the bank's page as a customer does, and return the URL that it leads back to."""
    leads = bought.result["redirect_url"]
    assert json.loads(urllib.request.urlopen(leads).read()) == {"page": "Is it you who pays?"}

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *told: Any) -> None:
            return None

    try:
        urllib.request.build_opener(Stay).open(f"{leads}?result={result}")
    except HTTPError as error:
        error.close()
        return str(error.headers["Location"])
    raise AssertionError("the bank leads nowhere")


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


# -- reports


@pytest.mark.every_database
def test_a_report_that_comes_before_the_answer_pays_once(site: Stand, shop: Client, stripe: StripeService) -> None:
    stripe.automatic = True
    bought = Bought(site, shop)
    assert (bought.answer.json["status"], bought.result["payment_status"]) == ("processing", "success")
    assert bought.notes().count("Payment complete.") == 1
    assert bought.order()["transaction_id"] == intent_of(stripe)["id"]
    assert stripe.charged() == [1000]


def test_money_that_takes_days_comes_by_a_report_once(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop, "pm_usBankAccount")
    assert (bought.answer.json["status"], bought.items()) == ("on-hold", 0)
    stripe.send(stripe.last("payment_intent.processing"))
    assert bought.status() == "on-hold"
    stripe.move(intent_of(stripe), "succeeded")
    event = stripe.last("payment_intent.succeeded")
    assert stripe.send(event).json == {"received": True}
    assert bought.status() == "processing"
    before = bought.notes()
    assert stripe.send(event).status == 200
    assert stripe.send({**event, "id": "evt_again"}).status == 200
    assert bought.notes() == before


@pytest.mark.parametrize("status, word", [("requires_payment_method", "no funds"), ("canceled", "no reason")])
def test_money_that_never_comes_fails_the_order(
    site: Stand, shop: Client, stripe: StripeService, status: str, word: str
) -> None:
    bought = Bought(site, shop, "pm_usBankAccount")
    stripe.move(intent_of(stripe), status, "no funds" if "requires" in status else "")
    assert stripe.send(stripe.events[-1]).status == 200
    assert bought.status() == "failed"
    assert word in bought.notes()


def test_a_report_that_never_comes_is_asked_for(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock
) -> None:
    bought = Bought(site, shop, "pm_usBankAccount")
    stripe.move(intent_of(stripe), "succeeded")
    clock.forward(3600)
    work_off(site)
    assert bought.status() == "processing"


def test_a_report_of_another_sum_changes_nothing(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop, "pm_usBankAccount")
    intent = intent_of(stripe)
    stripe.move(intent, "succeeded")
    event = stripe.last("payment_intent.succeeded")
    event["data"]["object"]["amount_received"] = 400
    assert stripe.send(event).status == 200
    assert bought.status() == "on-hold"
    assert "not the sum" in bought.notes()


def test_reports_that_stripe_did_not_sign_are_refused(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop, "pm_usBankAccount")
    stripe.move(intent_of(stripe), "succeeded")
    event = stripe.last("payment_intent.succeeded")
    body, now = json.dumps(event).encode(), site.site.context.clock.now()
    right = signature(body, WEBHOOK_SECRET, now)
    refused = [
        stripe.send(event, secret="whsec_other"), stripe.send(event, at=now - 3600), stripe.send(event, at=now + 3600),
        *(
            stripe.deliver(body, {"Stripe-Signature": header})
            for header in (
                "", "v1=00", f"t={now}", "t=x,v1=é", right.replace("v1=", "v0="), f"t={now - 3600},{right}",
                right.replace(f"t={now}", f"t={now + 1}"),
            )
        ),
        stripe.deliver(body + b" ", {"Stripe-Signature": right}), stripe.deliver(body, {}),
    ]  # fmt: skip
    assert [(one.status, one.code) for one in refused] == [(401, "shop_rest_payment_report_refused")] * len(refused)
    assert bought.status() == "on-hold"
    # While a secret is rolled, Stripe signs with both.
    both = f"{signature(body, 'whsec_old', now)},{right.partition(',')[2]}"
    assert stripe.deliver(body, {"Stripe-Signature": both}).status == 200
    assert bought.status() == "processing"


def test_reports_about_nothing_here_are_taken_and_change_nothing(
    site: Stand, shop: Client, stripe: StripeService
) -> None:
    bought = Bought(site, shop)
    thing = {"id": "pi_other", "amount": 100, "currency": "usd", "status": "succeeded", "metadata": {}}
    for told in (
        {"id": "evt_1", "type": "payment_intent.succeeded", "data": {"object": thing}},
        {"id": "evt_2", "type": "charge.dispute.created", "data": {"object": {**thing, "payment_intent": "pi_other"}}},
        {"id": "evt_3", "type": "refund.created", "data": {"object": {**thing, "payment_intent": "pi_other"}}},
        {"id": "evt_4", "type": "refund.created", "data": {"object": {**thing, "amount": "x", "currency": 7}}},
        {"id": "evt_5", "type": "refund.failed", "data": {"object": {**thing, "status": "failed"}}},
        {"id": "evt_6", "type": "invoice.paid", "data": {"object": thing}},
        {"id": "evt_7", "type": "charge.dispute.closed", "data": {"object": {"amount": 10**30}}},
        {"id": 8, "type": "charge.dispute.closed", "data": None}, {"data": []}, [],
    ):  # fmt: skip
        answer = stripe.send(told)
        assert (answer.status, answer.json) == (200, {"received": True}), told
    assert bought.status() == "processing"


_NAMES = st.sampled_from(
    ("id", "type", "data", "object", "amount", "amount_received", "currency", "metadata", "payment_key", "refund_key",
     "status", "payment_intent", "reason", "failure_reason", "evidence_details", "due_by", "last_payment_error")
)  # fmt: skip
_TYPES = st.sampled_from(("payment_intent.succeeded", "refund.created", "charge.dispute.created"))
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64) | st.floats(allow_nan=False) | st.text() | _TYPES
    | st.sampled_from(("succeeded", "failed", "usd", "jpy", "KWD")),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_NAMES, inner, max_size=8),
    max_leaves=12,
)  # fmt: skip


@given(thing=st.dictionaries(_NAMES, _VALUES), type=_TYPES)
def test_whatever_an_event_holds_is_read(thing: dict[str, Any], type: str) -> None:
    found = stripe_events.parse_stripe_event({"id": "evt_1", "type": type, "data": {"object": thing}})
    assert found is None or found.id == "evt_1"
    stripe_events.parse_stripe_event(thing)


# -- answers that are lost


@pytest.mark.parametrize("fault", ["500", "lost"])
def test_a_payment_that_nobody_knows_of_is_asked_again_and_made_once(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock, fault: str
) -> None:
    stripe.faults = [fault]
    bought = Bought(site, shop)
    assert (bought.answer.status, bought.result["payment_status"]) == (200, "pending"), bought.answer.json
    assert (bought.status(), bought.items()) == ("pending", 1)
    clock.forward(600)
    work_off(site)
    assert (bought.status(), bought.items()) == ("processing", 0)
    assert stripe.charged() == [1000]


def test_a_payment_whose_answer_was_lost_is_known_by_its_report(
    site: Stand, shop: Client, stripe: StripeService
) -> None:
    stripe.faults = ["lost"]
    bought = Bought(site, shop)
    assert stripe.send(stripe.last("payment_intent.succeeded")).status == 200
    assert (bought.status(), bought.items()) == ("processing", 0)


@pytest.mark.parametrize("fault, status", [("500", "failed"), ("lost", "processing")])
def test_after_a_day_a_payment_is_looked_for_and_never_asked_again(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock, fault: str, status: str
) -> None:
    # Otherwise the order is cancelled after an hour.
    assert shop.put("/shop/v3/settings/products/shop_hold_stock_minutes", {"value": ""}).status == 200
    stripe.faults = [fault]
    bought = Bought(site, shop)
    stripe.forget_keys()
    clock.forward(DAY - 3600)
    work_off(site)  # too late for the key, too early for a search
    assert bought.status() == "pending"
    clock.forward(DAY)
    work_off(site)
    assert bought.status() == status, bought.notes()
    assert stripe.charged() == ([1000] if fault == "lost" else [])


# -- refunds


@pytest.mark.every_database
def test_refunds_go_back_to_the_card(site: Stand, shop: Client, stripe: StripeService) -> None:
    stripe.automatic = True
    bought = Bought(site, shop)
    part = bought.refund("4.00", reason="A crack")
    assert (part.status, part.json["refunded_payment"]) == (201, True), part.json
    [refund] = stripe.refunds.values()
    assert (refund["amount"], refund["metadata"]["reason"]) == (400, "A crack")
    assert bought.refund("6.00").status == 201
    assert bought.status() == "refunded"
    assert stripe.given_back() == [400, 600]
    # Webhooks about our own refunds create no further ones.
    assert bought.refunds() == [("4.00", "A crack"), ("6.00", "")]


def test_a_refund_that_stripe_refuses_is_none(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop)
    stripe.refund_by_hand(intent_of(stripe), 700)  # its webhook has not arrived yet
    refused = bought.refund("4.00")
    assert (refused.status, refused.code) == (400, "shop_rest_cannot_create_order_refund")
    assert "greater than unrefunded amount" in refused.json["message"]
    shop.put(GATEWAY, {"settings": {"secret_key": "sk_wrong"}})
    unknown = bought.refund("1.00")
    assert (unknown.status, "Stripe refuses the secret key" in unknown.json["message"]) == (400, True)
    assert bought.refunds() == []


@pytest.mark.parametrize("fault", ["500", "lost"])
@pytest.mark.parametrize("wait", [600, 2 * DAY])
def test_a_refund_that_nobody_knows_of_is_made_once(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock, fault: str, wait: int
) -> None:
    bought = Bought(site, shop)
    stripe.faults = [fault]
    answer = bought.refund("4.00")
    assert (answer.status, answer.code) == (409, "shop_rest_refund_under_way"), answer.json
    if wait > DAY:
        stripe.forget_keys()
    clock.forward(wait)
    work_off(site)
    assert bought.refunds() == [("4.00", "")]
    assert stripe.given_back() == [400]


@pytest.mark.parametrize("heals", ["job", "report", "retry"])
def test_a_refund_that_takes_time_follows(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock, heals: str
) -> None:
    bought = Bought(site, shop, "pm_card_pendingRefund")
    assert bought.refund("4.00").status == 409
    assert stripe.send(stripe.last("refund.created")).status == 200
    assert bought.refunds() == []
    [refund] = stripe.refunds.values()
    stripe.end_refund(refund, "succeeded")
    clock.forward(600)
    if heals == "report":
        assert stripe.send(stripe.last("refund.updated")).status == 200
    elif heals == "retry":
        assert bought.refund("4.00").status == 201
    else:
        work_off(site)
    assert bought.refunds() == [("4.00", "")]
    assert stripe.given_back() == [400]


def test_a_refund_that_fails_later_is_noted_and_can_be_made_again(
    site: Stand, shop: Client, stripe: StripeService
) -> None:
    bought = Bought(site, shop, "pm_card_refundFail")
    made = bought.refund("10.00")
    assert made.status == 201
    [refund] = stripe.refunds.values()
    stripe.end_refund(refund, "failed")
    event = stripe.last("refund.failed")
    assert stripe.send(event).status == 200
    assert "did not arrive: expired_or_canceled_card" in bought.notes()
    notes = bought.notes()
    assert stripe.send({**event, "id": "evt_again"}).status == 200
    assert bought.notes() == notes
    id = made.json["id"]
    assert f"remove the refund {id}" in notes
    assert shop.delete(f"/shop/v3/orders/{bought.id}/refunds/{id}?force=true").status == 200
    assert bought.refund("10.00").status == 201
    assert stripe.given_back() == [1000]


@pytest.mark.every_database
def test_a_refund_made_at_stripe_is_one_of_the_shop(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop)
    asked = len(stripe.requests)
    refund = stripe.refund_by_hand(intent_of(stripe), 400)
    for event in stripe.events:
        assert stripe.send(event).status == 200
    stripe.happens("refund.updated", refund)
    assert stripe.send(stripe.events[-1]).status == 200
    assert bought.refunds() == [("4.00", "Refunded at Stripe: requested_by_customer")]
    assert len(stripe.requests) == asked
    # An amount refunded there cannot be refunded again.
    assert bought.refund("7.00").status == 400
    assert bought.refund("6.00").status == 201
    assert bought.status() == "refunded"


def test_a_refund_made_at_stripe_of_an_order_that_is_refunded_is_noted(
    site: Stand, shop: Client, stripe: StripeService
) -> None:
    bought = Bought(site, shop)
    assert shop.put(f"/shop/v3/orders/{bought.id}", {"status": "refunded"}).status == 200
    stripe.refund_by_hand(intent_of(stripe), 1000)
    assert stripe.send(stripe.last("refund.created")).status == 200
    assert len(bought.refunds()) == 1
    assert "no refund could be made of it" in bought.notes()


def test_a_refund_of_a_payment_that_is_not_known_yet_is_to_be_sent_again(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock
) -> None:
    stripe.faults = ["lost"]
    bought = Bought(site, shop)
    stripe.refund_by_hand(intent_of(stripe), 400)
    event = stripe.last("refund.created")
    early = stripe.send(event)
    assert (early.status, early.code) == (409, "shop_rest_payment_report_early")
    clock.forward(600)
    work_off(site)
    assert stripe.send(event).status == 200
    assert bought.refunds() == [("4.00", "Refunded at Stripe: requested_by_customer")]


@pytest.mark.in_process("the rows of the table")
@pytest.mark.every_database
def test_events_of_another_shop_of_the_account_are_not_kept(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock
) -> None:
    def kept() -> list[str]:
        with site.site.database.begin_read() as tx:
            return [event for (event,) in tx.all(Statement(select(payment_event.c.event)))]

    Bought(site, shop)
    foreign = copy.deepcopy(stripe.last("payment_intent.succeeded"))
    thing = foreign["data"]["object"]
    thing["id"], thing["metadata"] = "pi_other", dict.fromkeys(thing["metadata"], "other")

    def send_foreign(id: str) -> None:
        sent = stripe.send({**foreign, "id": id})
        assert sent.status == 200

    known = kept()
    send_foreign("evt_first")
    assert kept() == known
    # While a payment has no reference yet, this may be the report of it.
    stripe.faults = ["lost"]
    bought = Bought(site, shop)
    send_foreign("evt_second")
    assert set(kept()) - set(known) == {"evt_second"}
    clock.forward(600)
    work_off(site)
    assert bought.status() == "processing"
    clock.forward(29 * DAY)
    work_off(site)
    assert "evt_second" in kept()
    clock.forward(DAY)
    work_off(site)
    assert "evt_second" not in kept()
    assert set(known) <= set(kept())


# -- disputes


@pytest.mark.every_database
def test_a_dispute_holds_the_order_until_it_is_won(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop)
    stripe.automatic = True
    dispute = stripe.dispute(intent_of(stripe))
    assert bought.status() == "on-hold"
    assert "is disputed: $10.00" in bought.notes()
    assert "Reason: fraudulent. Answer it at Stripe until 2030-03-17." in bought.notes()
    assert "was taken from the account" in bought.notes()
    refused = bought.refund("4.00")
    assert (refused.status, "This charge was disputed." in refused.json["message"]) == (400, True)
    stripe.decide(dispute, "won")
    assert bought.status() == "processing"
    assert "came back to the account" in bought.notes()
    assert bought.refunds() == []


def test_a_dispute_that_is_lost_is_a_refund(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop)
    asked = len(stripe.requests)
    stripe.automatic = True
    dispute = stripe.dispute(intent_of(stripe))
    stripe.decide(dispute, "lost")
    assert bought.status() == "refunded"
    assert bought.refunds() == [("10.00", f"The dispute {dispute['id']} was lost.")]
    assert len(stripe.requests) == asked
    # It is decided once.
    stripe.decide(dispute, "lost")
    assert len(bought.refunds()) == 1
    assert bought.notes().count("was lost:") == 1


def test_a_part_that_is_lost_lets_the_rest_go_on(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop)
    assert shop.put(f"/shop/v3/orders/{bought.id}", {"status": "completed"}).status == 200
    stripe.automatic = True
    first, second = stripe.dispute(intent_of(stripe), 300), stripe.dispute(intent_of(stripe), 200)
    stripe.decide(first, "lost")
    assert bought.status() == "on-hold"
    stripe.decide(second, "won")
    assert bought.status() == "completed"
    assert [amount for amount, _ in bought.refunds()] == ["3.00"]


def test_events_of_a_dispute_may_come_in_any_order(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop)
    stripe.decide(stripe.dispute(intent_of(stripe)), "won")
    for event in reversed(stripe.events):
        assert stripe.send(event).status == 200
        assert stripe.send(event).status == 200
    assert bought.status() == "processing"
    assert bought.notes().count("ended well") == 1


def test_money_that_comes_twice_does_not_end_a_dispute(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop, "pm_card_threeDSecure2Required")
    left = intent_of(stripe)
    assert bought.pay_another_sum().json["status"] == "processing"
    stripe.automatic = True
    stripe.dispute(intent_of(stripe))
    stripe.move(left, "succeeded")
    assert bought.status() == "on-hold"
    assert f"({left['id']}) a second time" in bought.notes()
    assert bought.order()["transaction_id"] == intent_of(stripe)["id"]
    assert stripe.charged() == [1000, 1100]


def test_a_dispute_leaves_an_order_that_somebody_moved(site: Stand, shop: Client, stripe: StripeService) -> None:
    bought = Bought(site, shop)
    stripe.automatic = True
    dispute = stripe.dispute(intent_of(stripe))
    assert shop.put(f"/shop/v3/orders/{bought.id}", {"status": "cancelled"}).status == 200
    stripe.decide(dispute, "warning_closed")
    assert bought.status() == "cancelled"
    later = stripe.dispute(intent_of(stripe))
    assert bought.status() == "cancelled"
    shop.delete(f"/shop/v3/orders/{bought.id}?force=true")
    stripe.decide(later, "lost")


# -- where it is


def test_an_answer_that_leads_into_the_own_network_is_not_followed(
    site: Stand, shop: Client, stripe: StripeService, clock: SetClock
) -> None:
    bought = Bought(site, shop, "pm_usBankAccount")
    inner = StripeService()
    inner.intents = stripe.intents
    stripe.move(intent_of(stripe), "succeeded")
    stripe.leads_to = inner.url
    clock.forward(3600)
    work_off(site)
    assert inner.requests == []
    inner.close()
    assert bought.status() == "on-hold"
    stripe.leads_to = ""
    clock.forward(3600)
    work_off(site)
    assert bought.status() == "processing"


def test_it_is_there_where_the_operator_says_so(site: Stand, shop: Client, admin: Client) -> None:
    told = shop.get(GATEWAY).json
    assert (told["method_title"], told["method_supports"]) == ("Stripe", ["products", "refunds"])
    assert told["required_settings_keys"] == ["secret_key", "webhook_secret"]
    # Where Stripe decides, no manager does.
    assert set(told["settings"]) == {"title", "secret_key", "webhook_secret", "statement_descriptor_suffix"}
    for part in ("installed", "active"):
        assert "shop-payments" in admin.get(f"/shop-admin/plugins/{part}").json["plugins"]
    other = load_profile("second")
    assert "stripe" not in gateways.list_gateway_ids(other)
    assert not gateways.has_card_gateway(other)


def test_it_is_offered_when_it_is_set_up(site: Stand, shop: Client) -> None:
    shop.put(GATEWAY, {"settings": {"webhook_secret": ""}})
    visitor = Visitor(site)
    visitor.add(sold(shop))
    assert "stripe" not in visitor.get("/cart").json["payment_methods"]
    shop.put(GATEWAY, {"settings": SET})
    assert "stripe" in visitor.get("/cart").json["payment_methods"]


def test_without_its_library_the_site_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stripe", None)
    stripe_gateway.build_stripe_gateway.cache_clear()
    with pytest.raises(ValueError, match=r"vetrina\[stripe\]"):
        gateways.list_gateway_ids(load_profile("second", {"shop_services.stripe": True}))


def test_an_address_that_cannot_be_asked_is_refused() -> None:
    with pytest.raises(ValueError, match="stripe_url"):
        gateways.list_gateway_ids(
            load_profile("second", {"shop_services.stripe": True, "shop_services.stripe_url": "stripe"})
        )
