"""What gateways report by themselves: each event once, whether it comes twice, early, late or about nothing known.

An event about a payment whose number nobody has heard of is kept: it counts when the call that began the payment says
that number. One about money that went back, or a dispute, is to be sent again then.
The signature is the gateway's to check; wrong ones count as guesses (access/sign_in/guess_limiter.py).
Not here: what an outcome does (shop/payments/rules.py), what a dispute does (shop/payments/disputes.py).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from sqlalchemy import bindparam, select, update

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import Secret
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import upsert
from vetrina.backends.tables.payments import payment_event as table
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import digest
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import notes as order_notes
from vetrina.shop.payments import attempts, disputes, gateways
from vetrina.shop.payments import rules as payments
from vetrina.shop.payments.attempts import Attempt
from vetrina.shop.payments.gateway_contract import (
    FAILED,
    PAID,
    PENDING,
    DisputeNotice,
    Forged,
    Notice,
    Outcome,
    RefundNotice,
    Report,
    State,
)
from vetrina.shop.refunds import gateway_refunds

__all__ = ["ReportRefused", "ReportTooEarly", "apply_early", "take"]

_LONGEST: Final = 200  # characters of an event's name and of a payment's number
_LONGEST_MESSAGE: Final = 500
_LARGEST: Final = 10**12  # in whole units
_REFUNDED: Final = "refunded"  # state under which an event about money that went back is kept
_STATES: Final[Mapping[str, State]] = {"paid": PAID, "pending": PENDING, "failed": FAILED}

_log = logging.getLogger(__name__)
_NAMES: Final = tuple(column.name for column in table.c)
_PUT = Statement(
    upsert(
        table, keys=("gateway", "event"), values={name: bindparam(name) for name in _NAMES},
        changes={"created": table.c.created},
    )
)  # fmt: skip
_KNOWN = Statement(
    select(table.c.event).where(table.c.gateway == bindparam("gateway"), table.c.event == bindparam("event"))
)
_EARLY = Statement(
    select(table.c.event, table.c.state, table.c.amount, table.c.currency, table.c.message)
    .where(table.c.gateway == bindparam("gateway"), table.c.payment == bindparam("payment"), table.c.attempt == 0)
    .order_by(table.c.created, table.c.event)
)
_MATCH = Statement(
    update(table)
    .where(table.c.gateway == bindparam("of"), table.c.event == bindparam("named"))
    .values(attempt=bindparam("attempt"))
)


class ReportRefused(ApiError):
    """A report without the gateway's signature, or one that is too old."""

    status, code = 401, "shop_rest_payment_report_refused"
    message = "The signature of this report is not the gateway's, or it is too old."


class ReportTooEarly(ApiError):
    """A report of money that went back, or of a dispute, before the payment itself is settled."""

    status, code = 409, "shop_rest_payment_report_early"
    message = "The payment that this report may be about is not settled yet; send the report again later."


def take(work: Work, gateway: str, headers: Mapping[str, str], body: bytes) -> bool:
    """Take a report and say whether it was a new one.

    Raises GatewayUnknown, ReportRefused, ReportTooEarly, TooManyGuesses.
    """
    held = gateways.existing(work, gateway)
    service = held.of.service
    if service is None:
        raise gateways.GatewayUnknown(id=gateway)
    found: list[Report | None] = []

    def is_signed() -> bool:
        try:
            found.append(service.webhook(headers, body, held.values, work.now))
        except Forged:
            return False
        except Exception as error:
            # Whatever it stumbled over, nothing proves that the gateway wrote it: who did will send it again.
            _log.warning("%s could not read a report", gateway, exc_info=error)
            return False
        return True

    given = digest(work.frame.settings.secret, f"{sorted(headers.items())}\n{body.hex()}")
    if not guess_limiter.is_right(work, Secret.PAYMENT_REPORT, gateway, given, is_signed):
        raise ReportRefused
    notice = found[0]
    if notice is None or not notice.id:
        return False
    if work.tx.first(_KNOWN, gateway=gateway, event=attempts.plain(notice.id, _LONGEST)) is not None:
        return False
    if not isinstance(notice, Notice):
        return _take_afterwards(work, gateway, notice)
    one = _attempt_of(work, gateway, notice)
    _keep(work, gateway, notice, one, notice.reference, notice.state, notice.message)
    if one is None:
        _log.warning("%s reports %s of %s, which nothing here is", gateway, notice.state, notice.reference)
    else:
        _apply(work, one, notice)
    return True


def _take_afterwards(work: Work, gateway: str, notice: RefundNotice | DisputeNotice) -> bool:
    """Take a report of what came after a payment, and say whether it is about one of this shop.

    Raises ReportTooEarly.
    """
    if not notice.amount.is_finite() or not 0 < notice.amount < _LARGEST:
        _log.warning("%s reports %s of %s, which is no amount", gateway, notice.amount, notice.payment)
        return False
    paid = attempts.by_reference(work, gateway, attempts.plain(notice.payment, _LONGEST))
    if paid is None and not attempts.is_number_awaited(work, gateway):
        # Several shops may share an account: nothing here waits for a number, so it is another one's.
        _log.warning("%s reports %s of %s, which nothing here is", gateway, notice.reference, notice.payment)
        return False
    if paid is None or paid.is_open:
        raise ReportTooEarly
    if isinstance(notice, DisputeNotice):
        _keep(work, gateway, notice, paid, notice.reference, notice.state, notice.message)
        disputes.take(work, paid, notice)
        return True
    _keep(work, gateway, notice, paid, notice.reference, _REFUNDED, notice.reason)
    if notice.currency.upper() == paid.currency:
        gateway_refunds.mirror(work, paid, attempts.plain(notice.reference, _LONGEST), notice.amount, notice.reason)
    elif order_model.by_id(work, paid.order) is not None:
        said = f"{gateway} gave {notice.amount} {notice.currency} of {notice.payment} back ({notice.reference})"
        order_notes.add(work, paid.order, f"{said}: another currency than the order's, so no refund was made of it.")
    return True


def _keep(
    work: Work, gateway: str, notice: Report, one: Attempt | None, reference: str, state: str, message: str
) -> None:
    work.tx.run(
        _PUT, gateway=gateway, event=attempts.plain(notice.id, _LONGEST), attempt=one.id if one is not None else 0,
        payment=attempts.plain(reference, _LONGEST), state=state, currency=attempts.plain(notice.currency, _LONGEST),
        amount=_stored(notice.amount), message=attempts.plain(message, _LONGEST_MESSAGE), created=work.now,
    )  # fmt: skip


def apply_early(work: Work, one: Attempt) -> None:
    """Let reports count that came before anybody knew the number of this payment."""
    if not one.reference:
        return
    for event, state, amount, currency, message in work.tx.all(_EARLY, gateway=one.gateway, payment=one.reference):
        work.tx.run(_MATCH, of=one.gateway, named=event, attempt=one.id)
        told = None if amount is None else money.loaded(amount)
        _apply(work, one, Notice(event, _STATES[state], one.key, one.reference, told, currency, message))


def _attempt_of(work: Work, gateway: str, notice: Notice) -> Attempt | None:
    found = attempts.by_key(work, gateway, notice.key) if notice.key else None
    if found is None and notice.reference:
        found = attempts.by_reference(work, gateway, notice.reference)
    return found


def _apply(work: Work, one: Attempt, notice: Notice) -> None:
    if notice.amount is not None and _differs(one, notice):
        # It says so itself, and signs it: a person must look.
        if order_model.by_id(work, one.order) is not None:
            said = f"{one.gateway} reports {notice.amount} {notice.currency} of {one.reference or notice.reference}"
            order_notes.add(work, one.order, f"{said}, which is not the sum that was to be paid; nothing was changed.")
        return
    outcome = Outcome(notice.state, notice.reference or one.reference, notice.message)
    if one.kind == attempts.REFUND:
        gateway_refunds.settle(work, one.id, outcome)
    else:
        payments.settle(work, one.id, outcome)


def _stored(amount: Decimal | None) -> int | None:
    """Return an amount as it is kept; one that no payment can have is kept as less than nothing."""
    if amount is None:
        return None
    return money.stored(amount) if amount.is_finite() and abs(amount) < _LARGEST else -1


def _differs(one: Attempt, notice: Notice) -> bool:
    return notice.amount != one.amount or bool(notice.currency and notice.currency.upper() != one.currency)
