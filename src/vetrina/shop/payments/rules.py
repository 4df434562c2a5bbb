"""Payments by gateways: begun with the order, asked for outside of every transaction, settled once.

What is in: attempts of payments and what their outcome does to an order. An attempt is stored, with its key, before the
gateway is called; whoever dies in between leaves it to a job, which calls again with the same key. An order has one
attempt at a time: the next one waits until the outcome of the last is known. Money that came is never forgotten: where
the order cannot take it any more, a note says so. Not here: rows (shop/payments/attempts.py), what gateways report
(shop/payments/gateway_events.py), money that goes back (shop/refunds/gateway_refunds.py).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop.cart import store as cart_store
from vetrina.shop.checkout import endpoints
from vetrina.shop.orders import (
    model as order_model,
)
from vetrina.shop.orders import (
    notes as order_notes,
)
from vetrina.shop.orders import (
    rules as orders,
)
from vetrina.shop.orders import (
    statuses as order_statuses,
)
from vetrina.shop.orders.model import Order
from vetrina.shop.payments import attempts, disputes, gateways
from vetrina.shop.payments.attempts import FAILED, LEFT, PAID, PENDING, WAITING, Attempt
from vetrina.shop.payments.gateway_contract import Cancelling, Outcome, Payment
from vetrina.shop.payments.gateways import Held
from vetrina.shop.settings import currencies

__all__ = [
    "Unanswered", "begin", "call_of", "is_looked_for", "look_again", "outcome_of", "settle", "shown_details",
    "webhook_path",
]  # fmt: skip

_LONGEST_MESSAGE: Final = 500  # characters of what a gateway says
_LONGEST_REFERENCE: Final = 200  # characters
_LONGEST_ADDRESS: Final = 4000  # characters
_ON_HOLD: Final = "on-hold"
_SHOWN: Final = "shown"  # name among the details of an attempt
_SOON: Final = 10  # seconds in which nobody asks a gateway twice because somebody looks

_log = logging.getLogger(__name__)


class Unanswered(ApiError):
    """A payment of this order is under way, and the gateway has not said what came of it."""

    status, code = 409, "shop_rest_payment_under_way"
    message = "A payment of this order is under way; try again when the gateway has said what came of it."


def webhook_path(gateway: str) -> str:
    """Return the path that a gateway reports to, beneath the root of the interface."""
    return f"/shop/v3/payment_gateways/{gateway}/webhook"


def begin(work: Work, one: Order, held: Held, data: Mapping[str, Any], cart_key: str = "") -> tuple[Attempt, bool]:
    """Return the attempt by which an order is paid, and whether it is a new one.

    One of the order whose outcome is not known stands in the way of another: it is returned instead. One that waits for
    the buyer is left where he comes with another way of paying, or for another amount; or with other data, where the
    gateway can call it off: that is done first.
    """
    for old in attempts.list_of_order(work, one.id):
        if old.state == PENDING and _is_same(old, one, held) and _is_replaced(work, old, held, data):
            return attempts.store(work, old, state=LEFT), False
        if old.state == WAITING or (old.state == PENDING and _is_same(old, one, held)):
            return old, False
        if old.state == PENDING:
            attempts.carry_on_now(work, attempts.store(work, old, state=LEFT))
    made = attempts.make(
        work, attempts.PAYMENT, one.id, held.of.id, one.total, one.currency,
        details={"data": dict(data), "api": work.api(""), "return": endpoints.thanks_address(work, one)},
        cart=cart_key,
    )  # fmt: skip
    return made, True


def _is_same(old: Attempt, one: Order, held: Held) -> bool:
    return (old.gateway, old.amount, old.currency) == (held.of.id, one.total, one.currency)


def _is_replaced(work: Work, old: Attempt, held: Held, data: Mapping[str, Any]) -> bool:
    """Say whether a buyer, who was sent away to pay, comes back with something else to pay by."""
    if not data or not old.redirect_url or not isinstance(held.of.service, Cancelling):
        return False
    return bool(attempts.details_of(work, old).get("data") != dict(data))


def call_of(work: Work, one: Attempt) -> Callable[[], Outcome] | None:
    """Return the call that carries an attempt out or asks what became of it; None where there is nothing to ask."""
    held = _held(work, one)
    service = held.of.service if held is not None else None
    if held is None or service is None or not one.is_open:
        return None
    told, of = attempts.details_of(work, one), order_model.by_id(work, one.order)
    asked = Payment(
        one.key, one.order, one.amount, one.currency, one.reference, of.billing if of is not None else {},
        told.get("data", {}) if one.state == WAITING else {}, held.values, str(told.get("return", "")),
        f"{told.get('api', '')}{webhook_path(one.gateway)}", work.frame.outbound, work.now - one.created,
    )  # fmt: skip
    ask = service.begin if one.state == WAITING else service.confirm
    if isinstance(service, Cancelling) and _is_unwanted(one, of):
        ask = service.cancel
    return lambda: ask(asked)


def _is_unwanted(one: Attempt, of: Order | None) -> bool:
    """Say whether nobody waits for a payment any more: its buyer left it, or its order is not to be paid by now."""
    if one.state != PENDING or not one.redirect_url:
        return one.state == LEFT
    meaning = order_statuses.BY_SLUG.get(of.status) if of is not None else None
    return of is None or not (of.status == _ON_HOLD or (meaning is not None and meaning.payable))


def outcome_of(call: Callable[[], Outcome] | None) -> Outcome | None:
    """Return what a gateway says, None where nobody knows; no transaction may be open."""
    if call is None:
        return None
    try:
        return call()
    except Exception as error:
        # Whatever happens in another's package, the money may have moved: the call is made again, with the same key.
        _log.warning("a payment gateway did not answer: %s", type(error).__name__, exc_info=error)
        return None


def _held(work: Work, one: Attempt) -> Held | None:
    try:
        return gateways.existing(work, one.gateway)
    except gateways.GatewayUnknown:
        return None


def is_looked_for(work: Work, one: Order) -> bool:
    """Say whether it is time to ask what became of an order's payment, for somebody who waits for it."""
    return any(_is_due(work, old) for old in attempts.list_of_order(work, one.id))


def look_again(work: Work, one: Order) -> None:
    """Note a job that asks what became of an order's payment."""
    for old in attempts.list_of_order(work, one.id):
        if _is_due(work, old):
            attempts.carry_on_now(work, old)


def _is_due(work: Work, old: Attempt) -> bool:
    return old.is_open and work.now - old.modified >= _SOON


def settle(work: Work, id: int, found: Outcome | None) -> Attempt | None:
    """Write what came of a payment, and return its attempt; None where there is none.

    found: None where nobody knows. Whoever comes second with the same outcome changes nothing.
    """
    one = attempts.by_id(work, id)
    if one is None or one.kind != attempts.PAYMENT:
        return None
    if found is None:
        return attempts.carry_on_later(work, one)
    said = {
        "reference": attempts.plain(found.reference, _LONGEST_REFERENCE) or one.reference,
        "message": attempts.plain(found.message, _LONGEST_MESSAGE),
        "redirect_url": attempts.plain(found.redirect_url, _LONGEST_ADDRESS),
    }
    if one.state == PAID:
        return one  # what comes later, and late, does not unmake a payment
    if found.state == PAID:
        return _paid(work, attempts.store(work, one, state=PAID, **said))
    if found.state == FAILED and one.state == LEFT:
        return attempts.store(work, one, state=FAILED, **said)  # the buyer has gone on, and so has the order
    if found.state == FAILED:
        return one if one.state == FAILED else _failed(work, attempts.store(work, one, state=FAILED, **said))
    if one.state == FAILED:
        return one
    if found.details:
        one = attempts.with_details(work, one, {_SHOWN: dict(found.details)})
    return _pending(work, one, said)


def shown_details(work: Work, one: Attempt) -> dict[str, str]:
    """Return what the page of the checkout needs while a payment is pending, by name."""
    if one.state != PENDING:
        return {}
    return {str(name): str(value) for name, value in attempts.details_of(work, one).get(_SHOWN, {}).items()}


# -- what an outcome does


def _paid(work: Work, one: Attempt) -> Attempt:
    of, sum = order_model.by_id(work, one.order), _sum(one)
    if of is None:
        _log.warning("%s came by %s as %s for order %s, which is gone", sum, one.gateway, one.reference, one.order)
        return one
    meaning = order_statuses.BY_SLUG.get(of.status)
    is_disputed = of.status == _ON_HOLD and disputes.is_open(work, of.id)
    if meaning is None or is_disputed or not (meaning.payable or of.status == _ON_HOLD):
        again = is_disputed or (meaning is not None and (meaning.paid or of.status == "refunded"))
        word = "a second time" if again else "too late"
        _note(work, of, f"A payment of {sum} came by {one.gateway} ({one.reference}) {word}: the order is {of.status}. "
                        "Send the goods, or give the money back.")  # fmt: skip
        if not of.transaction_id:
            named = _named(work, of, one)
            order_model.store(work, of, msgspec.structs.replace(named, transaction_id=one.reference, paid=work.now))
        return one
    if (one.amount, one.currency) != (of.total, of.currency):
        _note(work, of, f"A payment of {sum} came by {one.gateway} ({one.reference}); the order comes to another sum.")
        if one.amount < of.total or one.currency != of.currency:
            orders.change(work, of, {"status": _ON_HOLD, "transaction_id": one.reference})
            return one
    items = order_model.items_of(work, (of.id,))[of.id]
    order_model.store(work, of, orders.pay(work, _named(work, of, one), items, one.reference))
    _empty_cart(work, one)
    return one


def _failed(work: Work, one: Attempt) -> Attempt:
    of = order_model.by_id(work, one.order)
    others = [other for other in attempts.list_of_order(work, one.order) if other.id > one.id]
    if of is None or others or of.status not in ("pending", _ON_HOLD) or of.payment_method != one.gateway:
        return one
    _note(work, of, f"The payment of {_sum(one)} by {one.gateway} failed: {one.message or 'no reason was given'}")
    orders.change(work, of, {"status": "failed"})
    return one


def _pending(work: Work, one: Attempt, said: Mapping[str, str]) -> Attempt:
    state = LEFT if one.state == LEFT else PENDING
    kept = {**said, "redirect_url": said["redirect_url"] or one.redirect_url}
    one = attempts.carry_on_later(work, attempts.store(work, one, state=state, tries=one.tries, **kept))
    of = order_model.by_id(work, one.order)
    if of is not None and not one.redirect_url and state == PENDING and of.status == "pending":
        # The buyer has done all that he could: the goods are kept for him.
        _note(work, of, f"{_sum(one)} will come by {one.gateway} ({one.reference}).")
        orders.change(work, of, {"status": _ON_HOLD})
        _empty_cart(work, one)
    return one


def _named(work: Work, of: Order, one: Attempt) -> Order:
    """Return an order with the way of paying by which its money came."""
    held = _held(work, one)
    title = held.title if held is not None else one.gateway
    if of.payment_method == one.gateway:
        return of
    return msgspec.structs.replace(of, payment_method=one.gateway, payment_method_title=title)


def _empty_cart(work: Work, one: Attempt) -> None:
    """Empty the cart that began an order, unless it has begun another one since."""
    found = cart_store.of_key(work, one.cart) if one.cart else None
    if found is not None and found.draft == one.order:
        cart_store.save(work, msgspec.structs.replace(found, lines=(), coupons=(), draft=0))


def _note(work: Work, of: Order, words: str) -> None:
    order_notes.add(work, of.id, words)


def _sum(one: Attempt) -> str:
    return f"{currencies.symbol(one.currency)}{money.text(one.amount, 2)}"
