"""Money that goes back by Stripe, against a fake of it: refunds and disputes."""

from __future__ import annotations

import copy

import pytest
from sqlalchemy import select

from conftest import Client, SetClock, Stand
from stripe_service import StripeService
from vetrina.backends.database import Statement
from vetrina.backends.tables.payments import payment_event

from .buying import DAY, GATEWAY, Bought, intent_of, work_off

pytest.importorskip("stripe", reason="the extra `stripe` is not installed")


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
