"""Reports of gateways: each event is processed once, whether it comes twice, early, late or about an unknown payment.

A report about a payment with an unknown reference is stored while some reference is awaited: it is applied when the
call that began the payment returns that reference, and deleted after a month otherwise. Where none is awaited it is
about another shop, with which the account is shared. A report of a refund or a dispute is refused meanwhile, to be sent
again. The gateway checks the signature; wrong ones count as guesses (access/sign_in/guess_limiter.py). Not here:
effects of an outcome (shop/payments/order_payments.py), effects of a dispute (shop/payments/disputes.py).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, select, update

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.payments import payment_event as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.keys import compute_digest
from vetrina.shop.orders import model as order_model, notes as order_notes
from vetrina.shop.payments import attempts, disputes, gateways, order_payments as payments
from vetrina.shop.payments.attempts import PaymentAttempt
from vetrina.shop.payments.gateway_contract import (
    FAILED,
    PAID,
    PENDING,
    DisputeNotice,
    GatewayReport,
    InvalidGatewaySignature,
    PaymentNotice,
    PaymentOutcome,
    PaymentState,
    RefundNotice,
)
from vetrina.shop.refunds import gateway_refunds

DELETE_REPORTS_JOB: Final = "shop.delete_payment_reports"  # kind of the job
_UNMATCHED_LIFETIME: Final = 30 * 86_400  # seconds that a report about an unknown payment is kept
_MAX_NAME_LENGTH: Final = 200  # characters of an event's id and of a payment's reference
_MAX_MESSAGE_LENGTH: Final = 500
_MAX_AMOUNT: Final = 10**12  # in whole units of the currency
_REFUNDED_STATE: Final = "refunded"  # state under which a refund's event is stored
_STATE_BY_NAME: Final[Mapping[str, PaymentState]] = {"paid": PAID, "pending": PENDING, "failed": FAILED}

_REPORT_BYTES: Final = 64 << 10
_log = logging.getLogger(__name__)
_COLUMN_NAMES: Final = tuple(column.name for column in table.c)
_UPSERT_REPORT = Statement(
    build_upsert(
        table, keys=("gateway", "event"), values={name: bindparam(name) for name in _COLUMN_NAMES},
        changes={"created": table.c.created},
    )
)  # fmt: skip
_REPORT_BY_EVENT = Statement(
    select(table.c.event).where(table.c.gateway == bindparam("gateway"), table.c.event == bindparam("event"))
)
_UNMATCHED_REPORTS = Statement(
    select(table.c.event, table.c.state, table.c.amount, table.c.currency, table.c.message)
    .where(table.c.gateway == bindparam("gateway"), table.c.payment == bindparam("payment"), table.c.attempt == 0)
    .order_by(table.c.created, table.c.event)
)
_DELETE_UNMATCHED = Statement(
    delete(table).where(
        table.c.gateway == bindparam("gateway"), table.c.attempt == 0, table.c.created <= bindparam("before")
    )
)
_OLDEST_UNMATCHED = Statement(
    select(func.min(table.c.created)).where(table.c.gateway == bindparam("gateway"), table.c.attempt == 0)
)
_ASSIGN_ATTEMPT = Statement(
    update(table)
    .where(table.c.gateway == bindparam("of"), table.c.event == bindparam("named"))
    .values(attempt=bindparam("attempt"))
)


class PaymentReportUnreadable(ApiError):
    code = "shop_rest_payment_report_unreadable"
    message = "Send the report by itself, as the gateway signed it: one request, its body untouched."


class PaymentReportTooLarge(ApiError):
    failure, code = Failure.TOO_LARGE, "shop_rest_payment_report_too_large"
    message = "A report has {most} bytes at most."


class PaymentReportRefused(ApiError):
    """The report lacks the gateway's signature, or is too old."""

    failure, code = Failure.UNAUTHENTICATED, "shop_rest_payment_report_refused"
    message = "The signature of this report is not the gateway's, or it is too old."


class PaymentReportTooEarly(ApiError):
    """A report of a refund or a dispute came before the payment itself is settled."""

    failure, code = Failure.CONFLICT, "shop_rest_payment_report_early"
    message = "The payment that this report may be about is not settled yet; send the report again later."


def receive_payment_report(work: UnitOfWork, gateway: str, headers: Mapping[str, str], body: bytes) -> bool:
    """Process a report and return whether it was new.

    Raises PaymentReportUnreadable, PaymentReportTooLarge, GatewayNotFound, PaymentReportRefused, PaymentReportTooEarly,
    TooManyGuesses.
    """
    if not body:
        raise PaymentReportUnreadable
    if len(body) > _REPORT_BYTES:
        raise PaymentReportTooLarge(most=_REPORT_BYTES)
    method = gateways.get_gateway(work, gateway)
    service = method.gateway.service
    if service is None:
        raise gateways.GatewayNotFound(id=gateway)
    reports: list[GatewayReport | None] = []

    def is_signed() -> bool:
        try:
            reports.append(service.webhook(headers, body, method.values, work.now))
        except InvalidGatewaySignature:
            return False
        except Exception as error:
            # Whatever failed, the signature is unproven: the gateway will send it again.
            _log.warning("%s could not read a report", gateway, exc_info=error)
            return False
        return True

    given = compute_digest(work.site.settings.secret, f"{sorted(headers.items())}\n{body.hex()}")
    if not guess_limiter.is_right_guess(work, SecretKind.PAYMENT_REPORT, gateway, given, is_signed):
        raise PaymentReportRefused
    notice = reports[0]
    if notice is None or not notice.id:
        return False
    if (
        work.tx.first(_REPORT_BY_EVENT, gateway=gateway, event=attempts.clean_gateway_text(notice.id, _MAX_NAME_LENGTH))
        is not None
    ):
        return False
    if not isinstance(notice, PaymentNotice):
        return _apply_refund_or_dispute_notice(work, gateway, notice)
    attempt = _find_reported_attempt(work, gateway, notice)
    if attempt is None:
        _log.warning("%s reports %s of %s, which nothing here is", gateway, notice.state, notice.reference)
        if not attempts.is_reference_awaited(work, gateway, attempts.PAYMENT, attempts.REFUND):
            return False
        _enqueue_deletion(work, gateway, work.now)
    _save_report(work, gateway, notice, attempt, notice.reference, notice.state, notice.message)
    if attempt is not None:
        _apply_payment_notice(work, attempt, notice)
    return True


def _apply_refund_or_dispute_notice(work: UnitOfWork, gateway: str, notice: RefundNotice | DisputeNotice) -> bool:
    """Process a report of a refund or a dispute, and return whether its payment is one of this shop.

    Raises PaymentReportTooEarly.
    """
    if not notice.amount.is_finite() or not 0 < notice.amount < _MAX_AMOUNT:
        _log.warning("%s reports %s of %s, which is no amount", gateway, notice.amount, notice.payment)
        return False
    paid = attempts.find_attempt_by_reference(
        work, gateway, attempts.clean_gateway_text(notice.payment, _MAX_NAME_LENGTH)
    )
    if paid is None and not attempts.is_reference_awaited(work, gateway, attempts.PAYMENT):
        # Several shops may share an account: no payment here lacks its reference, so this one belongs to another shop.
        _log.warning("%s reports %s of %s, which nothing here is", gateway, notice.reference, notice.payment)
        return False
    if paid is None or paid.is_open:
        raise PaymentReportTooEarly
    if isinstance(notice, DisputeNotice):
        _save_report(work, gateway, notice, paid, notice.reference, notice.state, notice.message)
        disputes.apply_dispute_notice(work, paid, notice)
        return True
    _save_report(work, gateway, notice, paid, notice.reference, _REFUNDED_STATE, notice.reason)
    if notice.currency.upper() == paid.currency:
        gateway_refunds.create_external_refund(
            work, paid, attempts.clean_gateway_text(notice.reference, _MAX_NAME_LENGTH), notice.amount, notice.reason
        )
    elif order_model.find_order(work, paid.order) is not None:
        said = f"{gateway} gave {notice.amount} {notice.currency} of {notice.payment} back ({notice.reference})"
        order_notes.create_order_note(
            work, paid.order, f"{said}: another currency than the order's, so no refund was made of it."
        )
    return True


def _save_report(
    work: UnitOfWork, gateway: str, notice: GatewayReport, attempt: PaymentAttempt | None, reference: str, state: str,
    message: str,
) -> None:  # fmt: skip
    work.tx.run(
        _UPSERT_REPORT, gateway=gateway, event=attempts.clean_gateway_text(notice.id, _MAX_NAME_LENGTH),
        attempt=attempt.id if attempt is not None else 0,
        payment=attempts.clean_gateway_text(reference, _MAX_NAME_LENGTH), state=state,
        currency=attempts.clean_gateway_text(notice.currency, _MAX_NAME_LENGTH), amount=_encode_amount(notice.amount),
        message=attempts.clean_gateway_text(message, _MAX_MESSAGE_LENGTH), created=work.now,
    )  # fmt: skip


def apply_early_reports(work: UnitOfWork, attempt: PaymentAttempt) -> None:
    """Apply the reports that came before the reference of this payment was known."""
    if not attempt.reference:
        return
    for event, state, amount, currency, message in work.tx.all(
        _UNMATCHED_REPORTS, gateway=attempt.gateway, payment=attempt.reference
    ):
        work.tx.run(_ASSIGN_ATTEMPT, of=attempt.gateway, named=event, attempt=attempt.id)
        reported = None if amount is None else money.decode_amount(amount)
        _apply_payment_notice(
            work,
            attempt,
            PaymentNotice(event, _STATE_BY_NAME[state], attempt.key, attempt.reference, reported, currency, message),
        )


def delete_unmatched_reports(work: UnitOfWork, arguments: Mapping[str, Any]) -> None:
    """Delete the reports of a gateway that were kept for a month and are about no payment here."""
    gateway = str(arguments["gateway"])
    work.tx.run(_DELETE_UNMATCHED, gateway=gateway, before=work.now - _UNMATCHED_LIFETIME)
    if (oldest := work.tx.value(_OLDEST_UNMATCHED, gateway=gateway)) is not None:
        _enqueue_deletion(work, gateway, int(oldest) + 1)


def _enqueue_deletion(work: UnitOfWork, gateway: str, oldest: int) -> None:
    """Enqueue the deletion of unmatched reports, unless it is; oldest: when the oldest of them came."""
    key = f"{DELETE_REPORTS_JOB}:{gateway}"
    due = oldest + _UNMATCHED_LIFETIME
    job_queue.enqueue_missing_job(work.tx, DELETE_REPORTS_JOB, {"gateway": gateway}, due=due, now=work.now, key=key)


def _find_reported_attempt(work: UnitOfWork, gateway: str, notice: PaymentNotice) -> PaymentAttempt | None:
    found = attempts.find_attempt_by_key(work, gateway, notice.key) if notice.key else None
    if found is None and notice.reference:
        found = attempts.find_attempt_by_reference(work, gateway, notice.reference)
    return found


def _apply_payment_notice(work: UnitOfWork, attempt: PaymentAttempt, notice: PaymentNotice) -> None:
    if notice.amount is not None and _is_amount_different(attempt, notice):
        # The signed report says so: a person must look at it.
        if order_model.find_order(work, attempt.order) is not None:
            reference = attempt.reference or notice.reference
            said = f"{attempt.gateway} reports {notice.amount} {notice.currency} of {reference}"
            order_notes.create_order_note(
                work, attempt.order, f"{said}, which is not the sum that was to be paid; nothing was changed."
            )
        return
    outcome = PaymentOutcome(notice.state, notice.reference or attempt.reference, notice.message)
    if attempt.kind == attempts.REFUND:
        gateway_refunds.settle_refund(work, attempt.id, outcome)
    else:
        payments.settle_payment(work, attempt.id, outcome)


def _encode_amount(amount: Decimal | None) -> int | None:
    """Return an amount as it is stored; -1 for one that no payment can have."""
    if amount is None:
        return None
    return money.encode_amount(amount) if amount.is_finite() and abs(amount) < _MAX_AMOUNT else -1


def _is_amount_different(attempt: PaymentAttempt, notice: PaymentNotice) -> bool:
    return notice.amount != attempt.amount or bool(notice.currency and notice.currency.upper() != attempt.currency)
