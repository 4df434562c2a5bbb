"""Refunds through the gateway that took the money: asked for outside of every transaction, made once.

The money of an attempt whose outcome is not known is set aside, so that nobody gives it back a second time. The refund
itself, with what it does to stock and order, is made when the gateway has said yes.
Not here: refunds as such (shop/refunds/rules.py), rows of attempts (shop/payments/attempts.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import notes as order_notes
from vetrina.shop.orders.model import Order
from vetrina.shop.payments import attempts, gateways
from vetrina.shop.payments.attempts import FAILED, PAID, PENDING, WAITING, Attempt
from vetrina.shop.payments.gateway_contract import Outcome, Repayment
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.refunds.rules import CannotRefund, Refund

__all__ = ["RefundUnderWay", "begin", "call_of", "is_possible", "is_wanted", "mirror", "settle"]

_TAKEN: Final = ("amount", "reason", "line_items", "api_restock", "meta_data")  # of what a client sends
_LONGEST: Final = 500  # characters of what a gateway says
_REFUNDS: Final = "refunds"  # what a gateway supports that gives money back


class RefundUnderWay(ApiError):
    """The gateway has not said yet what came of it: the refund is made when it does."""

    status, code = 409, "shop_rest_refund_under_way"
    message = "The gateway was asked to give {amount} back and has not said yet what came of it; the refund follows."


def is_wanted(given: Mapping[str, Any]) -> bool:
    """Say whether a refund is to be made by the gateway."""
    return bool(given.get("api_refund", True))


def is_possible(work: Work, of: Order) -> bool:
    """Say whether a gateway took money of an order that it can give back."""
    return any(one.state == PAID and _service(work, one) is not None for one in attempts.list_of_order(work, of.id))


def begin(work: Work, of: Order, given: Mapping[str, Any]) -> Attempt | None:
    """Return the attempt of a refund, None where nothing is to be paid back.

    Whoever asks for the very same while nobody knows what came of it is about the same attempt. Raises InvalidRefund,
    CannotRefund.
    """
    sent = {name: given[name] for name in _TAKEN if given.get(name) is not None}
    told = json.loads(json.dumps(sent, default=str))  # as it is kept
    open = [one for one in attempts.list_of_order(work, of.id, attempts.REFUND) if one.is_open]
    for one in open:
        if attempts.details_of(work, one).get("given") == told:
            return one
    amount = refunds.judged_amount(work, of, told)
    if not amount:
        return None
    source = _source(work, of)
    left = source.amount - _given_back(work, source)
    if amount > left:
        raise CannotRefund(
            why=f"Of what came by {source.gateway} {money.text(left, 2)} is left; send `api_refund` as false for more."
        )
    return attempts.make(
        work, attempts.REFUND, of.id, source.gateway, amount, of.currency, parent=source.id,
        details={"given": told, "by": work.user.id},
    )  # fmt: skip


def _source(work: Work, of: Order) -> Attempt:
    """Return the payment of an order that can be given back. Raises CannotRefund."""
    paid = [one for one in attempts.list_of_order(work, of.id) if one.state == PAID]
    found = [one for one in paid if _service(work, one) is not None]
    if not found:
        raise CannotRefund(why="The payment of this order cannot be given back from here; send `api_refund` as false.")
    # Where the money came twice, the last payment is the one too many.
    return found[-1]


def _given_back(work: Work, source: Attempt) -> Any:
    back = attempts.list_of_order(work, source.order, attempts.REFUND)
    return sum((one.amount for one in back if one.parent == source.id and one.state != FAILED), money.ZERO)


def _service(work: Work, one: Attempt) -> gateways.Held | None:
    try:
        held = gateways.existing(work, one.gateway)
    except gateways.GatewayUnknown:
        return None
    return held if held.of.service is not None and _REFUNDS in held.of.supports else None


def call_of(work: Work, one: Attempt) -> Callable[[], Outcome] | None:
    """Return the call that gives the money back; None where the outcome is known, or the gateway is gone."""
    held, source = _service(work, one), attempts.by_id(work, one.parent)
    if held is None or held.of.service is None or source is None or not one.is_open:
        return None
    service, told = held.of.service, attempts.details_of(work, one).get("given", {})
    asked = Repayment(
        one.key, one.order, one.amount, one.currency, source.reference, str(told.get("reason") or ""), held.values,
        work.frame.outbound, work.now - one.created,
    )  # fmt: skip
    return lambda: service.refund(asked)


def settle(work: Work, id: int, found: Outcome | None) -> tuple[Attempt, Refund | None] | None:
    """Write what came of a refund; the refund itself is made once. None where there is no such attempt."""
    one = attempts.by_id(work, id)
    if one is None or one.kind != attempts.REFUND:
        return None
    if one.state == PAID and found is not None and found.state == FAILED:
        return _come_back(work, one, found)
    if not one.is_open:
        return one, refunds.by_id(work, one.refund) if one.refund else None
    if found is None:
        return attempts.carry_on_later(work, one), None
    reference, message = (
        attempts.plain(found.reference, _LONGEST) or one.reference,
        attempts.plain(found.message, _LONGEST),
    )
    if found.state == PENDING:
        # To be asked about again by the same key, which a gateway answers with what it knows by then.
        return attempts.carry_on_later(work, attempts.store(work, one, state=WAITING, reference=reference)), None
    if found.state == FAILED:
        failed = attempts.store(work, one, state=FAILED, reference=reference, message=message)
        if order_model.by_id(work, one.order) is not None:
            order_notes.add(work, one.order, f"{one.gateway} gave nothing back: {message or 'no reason was given'}")
        return failed, None
    told = attempts.details_of(work, one)
    done = attempts.store(work, one, state=PAID, reference=reference)
    of = order_model.by_id(work, one.order)
    if of is None:
        return done, None
    given = {**told.get("given", {}), "amount": str(one.amount), "api_refund": False}
    try:
        with work.tx.part():
            made = refunds.create(work, of, given, by=int(told.get("by") or 0), paid_back=True)
    except ApiError as error:
        # The order was changed meanwhile. The money is gone all the same, and the shop must know.
        order_notes.add(work, of.id, f"{money.text(one.amount, 2)} went back by {one.gateway} ({reference}), "
                                     f"but no refund could be made of it: {error}")  # fmt: skip
        return done, None
    order_notes.add(work, of.id, f"{money.text(one.amount, 2)} went back by {one.gateway} ({reference}).")
    return attempts.store(work, done, refund=made.id), made


def _come_back(work: Work, one: Attempt, found: Outcome) -> tuple[Attempt, Refund | None]:
    """Note that money which was on its way back did not reach the buyer; it can be given back again."""
    message = attempts.plain(found.message, _LONGEST)
    failed = attempts.store(work, one, state=FAILED, message=message)
    made = refunds.by_id(work, one.refund) if one.refund else None
    if order_model.by_id(work, one.order) is not None:
        said = f"{money.text(one.amount, 2)} that went back by {one.gateway} ({one.reference}) did not arrive"
        then = f"; remove the refund {made.id} and make another one." if made is not None else "."
        why = message or "no reason was given"
        order_notes.add(work, one.order, f"{said}: {why}. The money is with the shop again{then}")
    return failed, made


def mirror(work: Work, source: Attempt, reference: str, amount: Decimal, reason: str) -> None:
    """Make the refund of money that went back without this shop, once; nothing is asked of the gateway.

    source: the payment that it was taken from. reference: the gateway's number of what took it.
    """
    if attempts.by_reference(work, source.gateway, reference) is not None:
        return
    told = {"given": {"amount": str(amount), "reason": reason}, "by": 0}
    one = attempts.make(
        work, attempts.REFUND, source.order, source.gateway, amount, source.currency, parent=source.id, details=told
    )
    settle(work, one.id, Outcome("paid", reference))
