"""Disputes: a buyer, or the bank, calls a payment back, and the shop hears of it.

An order whose payment is disputed is on hold until that is decided. Won, it goes on where it was; lost, the money that
went counts as a refund, which nothing is sent out for. Events come in any order: what is decided stays decided.
Not here: how events are taken (shop/payments/gateway_events.py), what a gateway makes of its service's events.
"""

from __future__ import annotations

import logging
from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.shop import meta_data
from vetrina.shop.orders import model as order
from vetrina.shop.orders import notes as order_notes
from vetrina.shop.orders import rules as orders
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.payments.attempts import Attempt, plain
from vetrina.shop.payments.gateway_contract import FUNDS_RETURNED, FUNDS_WITHDRAWN, LOST, OPENED, WON, DisputeNotice
from vetrina.shop.refunds import gateway_refunds
from vetrina.shop.settings import currencies

__all__ = ["is_open", "take"]

_FIELD: Final = "_payment_disputes"  # extra field of an order: number of the dispute → state, status before it
_ON_HOLD: Final = "on-hold"
_DECIDED: Final = (WON, LOST)
_LONGEST: Final = 200  # characters of a number
_SENTENCES: Final = {
    OPENED: "The payment of this order is disputed: {sum} ({number} at {gateway}). Send nothing before it is decided.",
    FUNDS_WITHDRAWN: "{sum} was taken from the account at {gateway} until the dispute {number} is decided.",
    FUNDS_RETURNED: "{sum} came back to the account at {gateway} from the dispute {number}.",
    WON: "The dispute {number} at {gateway} ended well: {sum} stays with the shop.",
    LOST: "The dispute {number} at {gateway} was lost: {sum} went back to the buyer.",
}

_log = logging.getLogger(__name__)


def take(work: Work, paid: Attempt, told: DisputeNotice) -> None:
    """Let an order know how a dispute of its payment stands."""
    of = order.by_id(work, paid.order)
    number = plain(told.reference, _LONGEST)
    if of is None:
        _log.warning("%s reports the dispute %s (%s) of an order that is gone", paid.gateway, number, told.state)
        return
    known = _known(work, of.id)
    before = known.get(number, {})
    if before.get("state") in _DECIDED and told.state in (OPENED, *_DECIDED):
        return
    sum = f"{currencies.symbol(told.currency.upper())}{money.text(told.amount, 2)}"
    sentence = _SENTENCES[told.state].format(sum=sum, number=number, gateway=paid.gateway)
    order_notes.add(work, of.id, f"{sentence} {told.message}".rstrip())
    if told.state == OPENED:
        _keep(work, of.id, known, number, OPENED, _status_to_return_to(of.status, known))
        meaning = order_statuses.BY_SLUG.get(of.status)
        if meaning is not None and meaning.paid:
            orders.change(work, order.existing(work, of.id), {"status": _ON_HOLD})
    elif told.state in _DECIDED:
        status = str(before.get("status") or "")
        _keep(work, of.id, known, number, told.state, status)
        if told.state == LOST and told.currency.upper() == paid.currency:
            gateway_refunds.mirror(work, paid, number, told.amount, f"The dispute {number} was lost.")
        _go_on(work, of.id, status)


def is_open(work: Work, order: int) -> bool:
    """Say whether a payment of an order is disputed and nothing is decided yet."""
    return any(one.get("state") == OPENED for one in _known(work, order).values())


def _status_to_return_to(status: str, known: dict[str, dict[str, Any]]) -> str:
    """Return the status that an order has again once nothing is disputed; empty where it is none of a paid order."""
    meaning = order_statuses.BY_SLUG.get(status)
    if meaning is not None and meaning.paid:
        return status
    earlier = [str(one.get("status") or "") for one in known.values() if one.get("state") == OPENED]
    return earlier[0] if earlier and status == _ON_HOLD else ""


def _go_on(work: Work, id: int, status: str) -> None:
    """Give an order the status that it had, where no dispute of it is left and nobody has moved it since."""
    of = order.existing(work, id)
    if of.status == _ON_HOLD and status in order_statuses.BY_SLUG and not is_open(work, id):
        orders.change(work, of, {"status": status})


def _known(work: Work, id: int) -> dict[str, dict[str, Any]]:
    """Return what is kept of an order's disputes, by their numbers; an owner may have written it."""
    found = [one.value for one in meta_data.of_owner(work, "order", id) if one.key == _FIELD]
    told = found[0] if found and isinstance(found[0], dict) else {}
    return {number: one for number, one in told.items() if isinstance(one, dict)}


def _keep(work: Work, id: int, known: dict[str, dict[str, Any]], number: str, state: str, status: str) -> None:
    kept = {**known, number: {"state": state, "status": status}}
    meta_data.write_each(work, "order", _FIELD, {id: kept})
