"""What Stripe reports, against a fake of it: webhooks, answers that are lost, and where the gateway is there at all."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given, strategies as st

from conftest import Client, SetClock, Stand
from shop.store import Visitor, sold
from stripe_service import WEBHOOK_SECRET, StripeService, signature
from vetrina.settings import load_profile
from vetrina.shop.payments import gateways
from vetrina.shop.payments.stripe import events as stripe_events, gateway as stripe_gateway

from .buying import DAY, GATEWAY, SET, Bought, intent_of, work_off

pytest.importorskip("stripe", reason="the extra `stripe` is not installed")


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
