"""Disputes: chargebacks of payments by a buyer or the bank.

An order whose payment is disputed is on hold until the dispute is decided. When it is won, the order returns to its
status; when it is lost, the withdrawn money counts as a refund that no gateway makes. Events come in any order: a
decision is final. Not here: receiving events (shop/payments/gateway_events.py), reading them (the gateways).
"""

from __future__ import annotations

import logging
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.shop import meta_data
from vetrina.shop.orders import model as order, notes as order_notes, rules as orders, statuses as order_statuses
from vetrina.shop.payments.attempts import PaymentAttempt, clean_gateway_text
from vetrina.shop.payments.gateway_contract import FUNDS_RETURNED, FUNDS_WITHDRAWN, LOST, OPENED, WON, DisputeNotice
from vetrina.shop.refunds import gateway_refunds
from vetrina.shop.settings import currencies

_DISPUTES_META_KEY: Final = (
    "_payment_disputes"  # extra field of an order: reference of the dispute → state, status before it
)
_ON_HOLD: Final = "on-hold"
_DECIDED_STATES: Final = (WON, LOST)
_MAX_REFERENCE_LENGTH: Final = 200  # characters of a reference
_NOTE_TEMPLATES: Final = {
    OPENED: "The payment of this order is disputed: {sum} ({number} at {gateway}). Send nothing before it is decided.",
    FUNDS_WITHDRAWN: "{sum} was taken from the account at {gateway} until the dispute {number} is decided.",
    FUNDS_RETURNED: "{sum} came back to the account at {gateway} from the dispute {number}.",
    WON: "The dispute {number} at {gateway} ended well: {sum} stays with the shop.",
    LOST: "The dispute {number} at {gateway} was lost: {sum} went back to the buyer.",
}

_log = logging.getLogger(__name__)


def apply_dispute_notice(work: UnitOfWork, paid: PaymentAttempt, notice: DisputeNotice) -> None:
    """Record the state of a dispute on its order."""
    of = order.find_order(work, paid.order)
    reference = clean_gateway_text(notice.reference, _MAX_REFERENCE_LENGTH)
    if of is None:
        _log.warning("%s reports the dispute %s (%s) of an order that is gone", paid.gateway, reference, notice.state)
        return
    known = _load_disputes(work, of.id)
    before = known.get(reference, {})
    if before.get("state") in _DECIDED_STATES and notice.state in (OPENED, *_DECIDED_STATES):
        return
    sum = f"{currencies.get_currency_symbol(notice.currency.upper())}{money.format_amount(notice.amount, 2)}"
    sentence = _NOTE_TEMPLATES[notice.state].format(sum=sum, number=reference, gateway=paid.gateway)
    order_notes.create_order_note(work, of.id, f"{sentence} {notice.message}".rstrip())
    if notice.state == OPENED:
        _save_dispute(work, of.id, known, reference, OPENED, _find_status_to_restore(of.status, known))
        meaning = order_statuses.STATUSES_BY_SLUG.get(of.status)
        if meaning is not None and meaning.paid:
            orders.update_order(work, order.get_order(work, of.id), {"status": _ON_HOLD})
    elif notice.state in _DECIDED_STATES:
        status = str(before.get("status") or "")
        _save_dispute(work, of.id, known, reference, notice.state, status)
        if notice.state == LOST and notice.currency.upper() == paid.currency:
            gateway_refunds.create_external_refund(
                work, paid, reference, notice.amount, f"The dispute {reference} was lost."
            )
        _restore_status(work, of.id, status)


def has_open_dispute(work: UnitOfWork, order: int) -> bool:
    """Return whether a payment of an order has an undecided dispute."""
    return any(one.get("state") == OPENED for one in _load_disputes(work, order).values())


def _find_status_to_restore(status: str, known: dict[str, dict[str, Any]]) -> str:
    """Return the status to restore when no dispute is open; empty where it is not that of a paid order."""
    meaning = order_statuses.STATUSES_BY_SLUG.get(status)
    if meaning is not None and meaning.paid:
        return status
    earlier = [str(one.get("status") or "") for one in known.values() if one.get("state") == OPENED]
    return earlier[0] if earlier and status == _ON_HOLD else ""


def _restore_status(work: UnitOfWork, id: int, status: str) -> None:
    """Restore the status of an order that has no open dispute, unless it was changed since."""
    of = order.get_order(work, id)
    if of.status == _ON_HOLD and status in order_statuses.STATUSES_BY_SLUG and not has_open_dispute(work, id):
        orders.update_order(work, of, {"status": status})


def _load_disputes(work: UnitOfWork, id: int) -> dict[str, dict[str, Any]]:
    """Return the stored disputes of an order, by reference; the shop's owner may have edited the field."""
    values = [one.value for one in meta_data.list_meta(work, "order", id) if one.key == _DISPUTES_META_KEY]
    stored = values[0] if values and isinstance(values[0], dict) else {}
    return {number: one for number, one in stored.items() if isinstance(one, dict)}


def _save_dispute(
    work: UnitOfWork, id: int, known: dict[str, dict[str, Any]], number: str, state: str, status: str
) -> None:
    disputes = {**known, number: {"state": state, "status": status}}
    meta_data.update_meta_for_owners(work, "order", _DISPUTES_META_KEY, {id: disputes})
