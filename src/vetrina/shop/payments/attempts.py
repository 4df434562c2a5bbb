"""Payment attempts: rows of the payments and refunds requested from gateways, with their keys and states.

Not here: when a gateway is asked again (shop/payments/attempt_polling.py), effects on orders
(shop/payments/order_payments.py, shop/refunds/gateway_refunds.py), the calls themselves
(shop/payments/gateway_contract.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, or_, select

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.store import ColumnCodec, Store
from vetrina.backends.tables.payments import payment_attempt as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.encryption import CannotDecrypt, decrypt_text, encrypt_text
from vetrina.kernel.keys import generate_letters

PAYMENT_JOB: Final = "shop.payment"  # kind of the job
WAITING, PENDING, ABANDONED, PAID, FAILED = "waiting", "pending", "left", "paid", "failed"
PAYMENT, REFUND = "payment", "refund"
KEY_LENGTH: Final = 40
_AMOUNT_DECIMALS: Final = 2  # decimals of amounts sent to gateways

_GRACE_SECONDS: Final = 120  # seconds that the request itself has for the call, before a job repeats it


class PaymentAttempt(msgspec.Struct, frozen=True):
    """One attempt.

    state: waiting (requested, no reply yet), pending (the gateway has no result yet), left (pending, and the buyer
    chose another payment method), paid, failed.
    """

    id: int
    kind: str
    order: int
    parent: int
    gateway: str
    key: str
    state: str
    amount: Decimal
    currency: str
    reference: str
    message: str
    redirect_url: str
    details: str
    cart: str
    refund: int
    tries: int
    created: int
    modified: int

    @property
    def is_open(self) -> bool:
        """Return whether its outcome is still unknown."""
        return self.state in (WAITING, PENDING, ABANDONED)


def _decode_amount(stored: int) -> Decimal:
    """Return an amount as gateways expect it: with two decimals, and more only where it has more."""
    amount = money.decode_amount(stored)
    cents = money.round_amount(amount, _AMOUNT_DECIMALS)
    return cents if cents == amount else amount.normalize()


_STORE: Final = Store(table, PaymentAttempt, {"amount": ColumnCodec(_decode_amount, money.encode_amount)})
_ATTEMPT_BY_KEY = Statement(
    select(*_STORE.columns).where(table.c.gateway == bindparam("gateway"), table.c.key == bindparam("key"))
)
_ATTEMPT_BY_REFERENCE = Statement(
    select(*_STORE.columns)
    .where(table.c.gateway == bindparam("gateway"), table.c.reference == bindparam("reference"))
    .order_by(table.c.id.desc())
)
_ATTEMPTS_BY_ORDER = Statement(select(*_STORE.columns).where(table.c.order == bindparam("order")).order_by(table.c.id))
_KINDS_WITHOUT_REFERENCE = Statement(
    select(table.c.kind)
    .where(table.c.gateway == bindparam("gateway"), table.c.reference == "", table.c.state == WAITING)
    .distinct()
)
_PENDING_REFUND_AMOUNTS = Statement(
    select(table.c.amount).where(
        table.c.order == bindparam("order"), table.c.kind == REFUND,
        or_(table.c.state == WAITING, table.c.state == PENDING),
    )
)  # fmt: skip


def clean_gateway_text(text: str, most: int) -> str:
    """Return a gateway's text in a form that databases store, cut at `most` characters."""
    return text.replace("\0", "").encode(errors="replace").decode()[:most]


def create_attempt(
    work: UnitOfWork, kind: str, order: int, gateway: str, amount: Decimal, currency: str, *,
    details: Mapping[str, Any], parent: int = 0, cart: str = "",
) -> PaymentAttempt:  # fmt: skip
    """Insert an attempt with a new key and return it; a job makes the call where the request does not.

    details: JSON data that the call needs; stored encrypted, and deleted once the attempt is settled.
    """
    key = generate_letters(KEY_LENGTH)
    encrypted = _encrypt_details(work, key, details)
    attempt = PaymentAttempt(
        allocate_id(work.tx, "payment_attempt"), kind, order, parent, gateway, key, WAITING, amount, currency, "", "",
        "", encrypted, cart, 0, 0, work.now, work.now,
    )  # fmt: skip
    _STORE.insert(work.tx, attempt)
    job_queue.enqueue_job(
        work.tx, PAYMENT_JOB, {"attempt": attempt.id}, due=work.now + _GRACE_SECONDS, now=work.now,
        key=build_job_key(attempt),
    )  # fmt: skip
    return attempt


def update_attempt(work: UnitOfWork, attempt: PaymentAttempt, **changes: Any) -> PaymentAttempt:
    """Store changes of an attempt and return it; its details are deleted once the outcome is known."""
    new = msgspec.structs.replace(attempt, **changes, modified=work.now)
    if not new.is_open:
        new = msgspec.structs.replace(new, details="")
    _STORE.update(work.tx, attempt, new)
    return new


def build_job_key(attempt: PaymentAttempt) -> str:
    """Return the key of the job that makes or repeats an attempt's call."""
    return f"{PAYMENT_JOB}:{attempt.id}"


def load_attempt_details(work: UnitOfWork, attempt: PaymentAttempt) -> dict[str, Any]:
    """Return the details of an attempt; empty once it is settled, or where the site's secret has changed."""
    try:
        text = decrypt_text(work.site.settings.secret, attempt.key, attempt.details) if attempt.details else "{}"
    except CannotDecrypt:
        return {}
    found: dict[str, Any] = json.loads(text)
    return found


def extend_attempt_details(work: UnitOfWork, attempt: PaymentAttempt, more: Mapping[str, Any]) -> str:
    """Return the details of an attempt with further ones, encrypted as `update_attempt` stores them."""
    return _encrypt_details(work, attempt.key, {**load_attempt_details(work, attempt), **more})


def _encrypt_details(work: UnitOfWork, key: str, details: Mapping[str, Any]) -> str:
    return encrypt_text(work.site.settings.secret, key, json.dumps(details, default=str))


def find_attempt(work: UnitOfWork, id: int) -> PaymentAttempt | None:
    """Return the attempt with an id."""
    return _STORE.find(work.tx, id)


def find_attempt_by_key(work: UnitOfWork, gateway: str, key: str) -> PaymentAttempt | None:
    """Return the attempt with a key."""
    row = work.tx.first(_ATTEMPT_BY_KEY, gateway=gateway, key=key)
    return _STORE.of_row(row) if row else None


def find_attempt_by_reference(work: UnitOfWork, gateway: str, reference: str) -> PaymentAttempt | None:
    """Return the attempt with a gateway's reference."""
    row = work.tx.first(_ATTEMPT_BY_REFERENCE, gateway=gateway, reference=reference)
    return _STORE.of_row(row) if row else None


def is_reference_awaited(work: UnitOfWork, gateway: str, *kinds: str) -> bool:
    """Return whether there is a payment or a refund, of these kinds, whose reference the gateway has not sent yet."""
    return any(kind in kinds for (kind,) in work.tx.all(_KINDS_WITHOUT_REFERENCE, gateway=gateway))


def list_order_attempts(work: UnitOfWork, order: int, kind: str = PAYMENT) -> list[PaymentAttempt]:
    """Return the attempts of an order, in their order; kind: payment or refund."""
    return [one for one in _STORE.of_rows(work.tx.all(_ATTEMPTS_BY_ORDER, order=order)) if one.kind == kind]


def sum_pending_refunds(work: UnitOfWork, order: int) -> Decimal:
    """Return the amount of an order that gateways are refunding at present."""
    return sum(
        (money.decode_amount(amount) for (amount,) in work.tx.all(_PENDING_REFUND_AMOUNTS, order=order)), money.ZERO
    )
