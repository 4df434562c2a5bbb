"""Payments by a gateway: paid, declined, pending, redirects, webhooks of all kinds, and refunds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import orjson
import pytest
from sqlalchemy import select

from conftest import Answer, Client, SetClock, Stand, standing
from vetrina.backends.database import Statement
from vetrina.backends.tables.options import option
from vetrina.backends.tables.payments import payment_attempt
from vetrina.settings import load_profile
from vetrina.shop.payments import test_gateway

from .background import work_off
from .store import Visitor, billing, payable, sold

GATEWAY = "/shop/v3/payment_gateways/test"
_OPTIONS = Statement(select(option))
_ATTEMPTS = Statement(select(payment_attempt.c.state))
SECRET = "whsec <of the tests>"


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    profile = load_profile("second", {"shop_services.test_gateway": True})
    with standing(request, profile, "_shop") as stand:
        yield stand


@pytest.fixture
def shop(site: Stand, manager: Client) -> Client:
    set_up(manager, {})
    return manager


def set_up(manager: Client, settings: dict[str, Any]) -> None:
    told = {"enabled": True, "settings": {"webhook_secret": SECRET, **settings}}
    answer = manager.put(GATEWAY, told)
    assert answer.status == 200, answer.json


def placed(site: Stand, manager: Client, said: str, price: str = "10") -> tuple[Visitor, Answer]:
    visitor = Visitor(site)
    visitor.add(sold(manager, "Cup", price))
    return visitor, visitor.pay("test", payment_data=[{"key": "test_answer", "value": said}])


def order_of(manager: Client, answer: Answer) -> dict[str, Any]:
    found = manager.get(f"/shop/v3/orders/{answer.json['order_id']}")
    assert found.status == 200
    return dict(found.json)


def notes_of(manager: Client, id: int) -> str:
    return "\n".join(note["note"] for note in manager.get(f"/shop/v3/orders/{id}/notes").json)


def report(site: Stand, told: dict[str, Any], secret: str = SECRET, at: int | None = None) -> Answer:
    body = orjson.dumps(told)
    now = site.site.context.clock.now() if at is None else at
    headers = {"Content-Type": "application/json", "X-Test-Signature": test_gateway.sign_report(secret, body, now)}
    return site.client().post(f"{GATEWAY}/webhook", body=body, headers=headers)


# -- the checkout


@pytest.mark.every_database
def test_yes_pays_the_order_and_empties_the_cart(site: Stand, shop: Client) -> None:
    visitor, answer = placed(site, shop, "yes")
    assert (answer.status, answer.json["status"]) == (200, "processing"), answer.json
    result = answer.json["payment_result"]
    assert result["payment_status"] == "success"
    assert "/order-received/" in result["redirect_url"]
    order = order_of(shop, answer)
    assert order["transaction_id"].startswith("test_payment_")
    assert order["date_paid"]
    assert order["needs_payment"] is False
    assert visitor.get("/cart").json["items_count"] == 0


def test_no_fails_the_order_and_keeps_the_cart_for_another_try(site: Stand, shop: Client) -> None:
    visitor, answer = placed(site, shop, "no")
    assert (answer.status, answer.json["status"]) == (200, "failed"), answer.json
    result = answer.json["payment_result"]
    assert (result["payment_status"], result["redirect_url"]) == ("failure", "")
    assert {"key": "errorMessage", "value": "The test gateway said no."} in result["payment_details"]
    order = order_of(shop, answer)
    assert (order["needs_payment"], order["date_paid"]) == (True, None)
    assert visitor.get("/cart").json["items_count"] == 1
    again = visitor.pay("test", payment_data=[{"key": "test_answer", "value": "yes"}])
    assert (again.json["order_id"], again.json["status"]) == (answer.json["order_id"], "processing")
    assert visitor.get("/cart").json["items_count"] == 0


def test_later_keeps_the_order_until_a_job_hears_of_the_money(site: Stand, shop: Client, clock: SetClock) -> None:
    visitor, answer = placed(site, shop, "later")
    assert (answer.json["status"], answer.json["payment_result"]["payment_status"]) == ("on-hold", "pending")
    assert visitor.get("/cart").json["items_count"] == 0
    set_up(shop, {"confirm": "yes"})
    clock.forward(3600)
    work_off(site)
    assert order_of(shop, answer)["status"] == "processing"


def test_a_redirect_keeps_the_cart_until_the_buyer_has_paid(site: Stand, shop: Client) -> None:
    visitor, answer = placed(site, shop, "redirect")
    result = answer.json["payment_result"]
    assert (answer.json["status"], result["payment_status"]) == ("pending", "pending")
    assert "test_payment=" in result["redirect_url"]
    assert visitor.get("/cart").json["items_count"] == 1
    # Clicked again: the same payment, not a second one.
    again = visitor.pay("test", payment_data=[{"key": "test_answer", "value": "yes"}])
    assert again.json["payment_result"]["redirect_url"] == result["redirect_url"]
    set_up(shop, {"confirm": "yes"})
    paid = visitor.pay("test", payment_data=[{"key": "test_answer", "value": "redirect"}])
    assert (paid.json["order_id"], paid.json["status"]) == (answer.json["order_id"], "processing")
    assert visitor.get("/cart").json["items_count"] == 0


def test_who_comes_back_from_a_redirect_has_the_payment_asked_about(site: Stand, shop: Client, clock: SetClock) -> None:
    _, answer = placed(site, shop, "redirect")
    set_up(shop, {"confirm": "yes"})
    clock.forward(30)
    back = urlsplit(answer.json["payment_result"]["redirect_url"])
    assert site.client(root="").get(f"{back.path}?{back.query}").status == 200
    work_off(site)
    assert order_of(shop, answer)["status"] == "processing"


def test_another_way_of_paying_leaves_a_redirect_and_its_money_is_noted(site: Stand, shop: Client) -> None:
    payable(shop, "cheque")
    visitor, answer = placed(site, shop, "redirect")
    id = answer.json["order_id"]
    reference = answer.json["payment_result"]["redirect_url"].rpartition("test_payment=")[2]
    other = visitor.pay("cheque")
    assert (other.json["order_id"], other.json["status"]) == (id, "on-hold")
    assert report(site, {"id": "evt_1", "state": "paid", "payment": reference}).status == 200
    order = order_of(shop, answer)
    assert (order["status"], order["payment_method"], order["transaction_id"]) == ("processing", "test", reference)


def test_money_for_an_order_that_is_gone_is_kept_in_mind(site: Stand, shop: Client) -> None:
    _, answer = placed(site, shop, "later")
    reference = order_reference(shop, answer)
    assert shop.delete(f"/shop/v3/orders/{answer.json['order_id']}?force=true").status == 200
    assert report(site, {"id": "evt_1", "state": "paid", "payment": reference, "amount": "10"}).status == 200
    with site.site.database.begin_read() as tx:
        assert [row[0] for row in tx.all(_ATTEMPTS)] == ["paid"]


def test_payment_data_is_bounded(site: Stand, shop: Client) -> None:
    visitor = Visitor(site)
    visitor.add(sold(shop))
    odd = [{"key": "a", "value": 10**18}, {"key": "b", "value": None}, {"key": "c", "value": {"d": [1.5]}}, {}]
    assert visitor.pay("test", payment_data=[*odd, {"key": "test_answer", "value": "no"}]).json["status"] == "failed"
    answer = visitor.pay("test", payment_data=[{"key": "card", "value": "4" * 100_000}])
    assert (answer.status, answer.code) == (400, "shop_rest_checkout_long_payment_data")


def test_an_order_of_the_shop_is_paid_once(site: Stand, shop: Client) -> None:
    told = {"billing": billing(), "line_items": [{"product_id": sold(shop, "Cup"), "quantity": 2}]}
    order = shop.post("/shop/v3/orders", told).json
    assert "/order-pay/" in order["payment_url"]
    visitor = Visitor(site)
    paying = {
        "key": order["order_key"], "billing_email": "mara@example.org", "billing_address": billing(),
        "payment_method": "test",
    }  # fmt: skip
    answer = visitor.post(f"/checkout/{order['id']}", paying)
    assert (answer.status, answer.json["status"]) == (200, "processing"), answer.json
    again = visitor.post(f"/checkout/{order['id']}", paying)
    assert (again.status, again.code) == (400, "invalid_order_update_status")


def test_a_batch_does_not_wait_for_a_gateway(site: Stand, shop: Client) -> None:
    visitor = Visitor(site)
    visitor.add(sold(shop))
    body = {"billing_address": billing(), "payment_method": "test"}
    member = {"path": "/shop/store/v1/checkout", "method": "POST", "body": body}
    answer = visitor.post("/batch", {"requests": [member]})
    assert answer.json["responses"][0]["body"]["code"] == "shop_rest_checkout_needs_own_request"
    assert visitor.get("/cart").json["items_count"] == 1
    assert visitor.pay("test").json["status"] == "processing"


# -- reports


@pytest.mark.every_database
def test_a_report_pays_an_order_once(site: Stand, shop: Client) -> None:
    _, answer = placed(site, shop, "later")
    reference = order_reference(shop, answer)
    told = {"id": "evt_1", "state": "paid", "payment": reference, "amount": "10.00", "currency": "USD"}
    assert report(site, told).json == {"received": True}
    before = notes_of(shop, answer.json["order_id"])
    assert order_of(shop, answer)["status"] == "processing"
    assert report(site, told).status == 200
    assert report(site, {**told, "id": "evt_2"}).status == 200
    assert notes_of(shop, answer.json["order_id"]) == before


def order_reference(manager: Client, answer: Answer) -> str:
    """Return the gateway's reference of a payment, from the order note."""
    notes = notes_of(manager, answer.json["order_id"])
    return notes[notes.index("test_payment_") :][: len("test_payment_") + 16]


def test_a_payment_that_comes_too_late_is_noted_and_can_go_back(site: Stand, shop: Client) -> None:
    _, answer = placed(site, shop, "later")
    id, reference = answer.json["order_id"], order_reference(shop, answer)
    assert shop.put(f"/shop/v3/orders/{id}", {"status": "cancelled"}).status == 200
    assert report(site, {"id": "evt_1", "state": "paid", "payment": reference}).status == 200
    order = order_of(shop, answer)
    assert (order["status"], order["transaction_id"]) == ("cancelled", reference)
    assert "too late" in notes_of(shop, id)
    back = shop.post(f"/shop/v3/orders/{id}/refunds", {"amount": "10.00"})
    assert (back.status, back.json["refunded_payment"]) == (201, True), back.json


def test_a_report_of_another_sum_changes_nothing(site: Stand, shop: Client) -> None:
    _, answer = placed(site, shop, "later")
    told = {"id": "evt_1", "state": "paid", "payment": order_reference(shop, answer), "amount": "1.00"}
    assert report(site, told).status == 200
    assert order_of(shop, answer)["status"] == "on-hold"
    assert "is not the sum" in notes_of(shop, answer.json["order_id"])


def test_a_failure_that_is_reported_fails_the_order(site: Stand, shop: Client) -> None:
    _, answer = placed(site, shop, "later")
    reference = order_reference(shop, answer)
    assert report(site, {"id": "evt_1", "state": "failed", "payment": reference}).status == 200
    assert order_of(shop, answer)["status"] == "failed"
    # Gateways send events out of order: the money counts.
    assert report(site, {"id": "evt_0", "state": "paid", "payment": reference}).status == 200
    assert order_of(shop, answer)["status"] == "processing"
    assert report(site, {"id": "evt_3", "state": "failed", "payment": reference}).status == 200
    assert order_of(shop, answer)["status"] == "processing"


def test_forged_reports_are_refused_and_counted(site: Stand, shop: Client) -> None:
    _, answer = placed(site, shop, "later")
    told = {"id": "evt_1", "state": "paid", "payment": order_reference(shop, answer)}
    now = site.site.context.clock.now()
    refused = (401, "shop_rest_payment_report_refused")
    old = report(site, told, at=now - 3600)
    assert (old.status, old.code) == refused
    unsigned = site.client().post(f"{GATEWAY}/webhook", json=told)
    assert (unsigned.status, unsigned.code) == refused
    for at in range(18):
        forged = report(site, told, secret=f"guess {at}")
        assert (forged.status, forged.code) == refused
    assert report(site, told).status == 429
    assert order_of(shop, answer)["status"] == "on-hold"


def test_reports_are_bounded_and_need_a_gateway_that_takes_them(site: Stand, shop: Client) -> None:
    assert report(site, {"id": "a" * 70_000, "state": "paid"}).status == 413
    assert site.client().post("/shop/v3/payment_gateways/cheque/webhook", json={}).status == 404
    assert site.client().post("/shop/v3/payment_gateways/none/webhook", json={}).status in (400, 404)
    assert report(site, {"id": "evt_9", "state": "paid", "payment": "test_payment_unknown"}).status == 200
    assert report(site, {"id": "evt_10", "state": "nonsense"}).status == 200
    for told in ({"amount": "NaN"}, {"amount": "1e40"}, {"payment": "a\0b"}, {"amount": "x"}, {"currency": 7}):
        answer = report(site, {"id": f"evt {told}", "state": "paid", "payment": "none", **told})
        assert answer.status == 200, answer.json
    assert report(site, ["no object"]).status == 200  # type: ignore[arg-type]
    shop.put(GATEWAY, {"settings": {"webhook_secret": ""}})
    assert report(site, {"id": "evt_11", "state": "paid"}, secret="").status == 401


# -- refunds


@pytest.mark.every_database
def test_a_refund_goes_through_the_gateway_that_took_the_money(site: Stand, shop: Client) -> None:
    _, answer = placed(site, shop, "yes")
    path = f"/shop/v3/orders/{answer.json['order_id']}/refunds"
    part = shop.post(path, {"amount": "4.00", "reason": "A crack"})
    assert (part.status, part.json["refunded_payment"], part.json["amount"]) == (201, True, "4.00"), part.json
    assert part.json["refunded_by"] != 0
    more = shop.post(path, {"amount": "7.00"})
    assert (more.status, more.code) == (400, "shop_rest_cannot_create_order_refund")
    rest = shop.post(path, {"amount": "6.00"})
    assert rest.status == 201
    assert order_of(shop, answer)["status"] == "refunded"
    assert "went back by test (test_refund_" in notes_of(shop, answer.json["order_id"])


def test_a_gateway_that_gives_nothing_back_makes_no_refund(site: Stand, shop: Client) -> None:
    _, answer = placed(site, shop, "yes")
    set_up(shop, {"refunds": "no"})
    path = f"/shop/v3/orders/{answer.json['order_id']}/refunds"
    refused = shop.post(path, {"amount": "4.00"})
    assert (refused.status, refused.code) == (400, "shop_rest_cannot_create_order_refund")
    assert "gives nothing back" in refused.json["message"]
    assert shop.get(path).json == []
    by_hand = shop.post(path, {"amount": "10.00", "api_refund": False})
    assert (by_hand.status, by_hand.json["refunded_payment"]) == (201, False)


def test_money_that_no_gateway_took_is_not_given_back_by_one(site: Stand, shop: Client) -> None:
    payable(shop, "cheque")
    visitor = Visitor(site)
    visitor.add(sold(shop))
    id = visitor.pay("cheque").json["order_id"]
    refused = shop.post(f"/shop/v3/orders/{id}/refunds", {"amount": "4.00"})
    assert (refused.status, refused.code) == (400, "shop_rest_cannot_create_order_refund")


def test_secrets_of_a_gateway_are_sealed(site: Stand, shop: Client) -> None:
    assert shop.get(GATEWAY).json["settings"]["webhook_secret"]["value"] == SECRET
    with site.site.database.begin_read() as tx:
        stored = str(tx.all(_OPTIONS))
    assert "shop_test_settings" in stored
    assert SECRET not in stored
