"""Attempts of payments and refunds by gateways, as rows: what was asked, under which key, and how it stands.

Not here: what follows for orders (shop/payments/rules.py, shop/refunds/gateway_refunds.py), the calls themselves
(shop/payments/gateway_contract.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, insert, or_, select, update

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.payments import payment_attempt as table
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.encryption import CannotOpen, opened, sealed
from vetrina.kernel.keys import random_letters

__all__ = [
    "CARRY_OUT", "FAILED", "LEFT", "PAID", "PAYMENT", "PENDING", "REFUND", "WAITING", "Attempt", "by_id", "by_key",
    "by_reference", "carry_on_later", "carry_on_now", "details_of", "is_number_awaited", "list_of_order", "make",
    "plain", "reserved", "store", "with_details",
]  # fmt: skip

CARRY_OUT: Final = "shop.payment"  # kind of the job
WAITING, PENDING, LEFT, PAID, FAILED = "waiting", "pending", "left", "paid", "failed"
PAYMENT, REFUND = "payment", "refund"
KEY_LETTERS: Final = 40
_CENTS: Final = 2  # decimals

_GRACE: Final = 120  # seconds that the request itself has for the call, before a job makes it again
_FIRST_DELAY: Final = {WAITING: 30, PENDING: 300, LEFT: 3600}  # seconds; doubled with each try
_LONGEST_DELAY: Final = 6 * 3600  # seconds
_GIVEN_UP: Final = 30 * 86_400  # seconds after which nobody asks any more; a report still counts


class Attempt(msgspec.Struct, frozen=True):
    """One attempt; the members are the columns of its table, in their order.

    state: waiting (asked, no answer known), pending (the gateway does not know yet), left (pending, and the buyer chose
    another way), paid, failed.
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
        """Say whether its outcome is not known yet."""
        return self.state in _FIRST_DELAY


_NAMES: Final = Attempt.__struct_fields__
assert tuple(column.name for column in table.c) == _NAMES, "Attempt and its table name the same members"
_AMOUNT: Final = _NAMES.index("amount")

_INSERT = Statement(insert(table).values({name: bindparam(name) for name in _NAMES}))
_UPDATE = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values({name: bindparam(name) for name in _NAMES if name != "id"})
)
_BY_ID = Statement(select(table).where(table.c.id == bindparam("id")))
_BY_KEY = Statement(select(table).where(table.c.gateway == bindparam("gateway"), table.c.key == bindparam("key")))
_BY_REFERENCE = Statement(
    select(table)
    .where(table.c.gateway == bindparam("gateway"), table.c.reference == bindparam("reference"))
    .order_by(table.c.id.desc())
)
_OF_ORDER = Statement(select(table).where(table.c.order == bindparam("order")).order_by(table.c.id))
_UNNUMBERED = Statement(
    select(table.c.id)
    .where(
        table.c.gateway == bindparam("gateway"), table.c.reference == "", table.c.kind == PAYMENT,
        table.c.state == WAITING,
    )
    .limit(1)
)  # fmt: skip
_RESERVED = Statement(
    select(table.c.amount).where(
        table.c.order == bindparam("order"), table.c.kind == REFUND,
        or_(table.c.state == WAITING, table.c.state == PENDING),
    )
)  # fmt: skip


def plain(text: str, most: int) -> str:
    """Return what a gateway says as a database keeps it, cut at `most` characters."""
    return text.replace("\0", "").encode(errors="replace").decode()[:most]


def make(
    work: Work, kind: str, of: int, gateway: str, amount: Decimal, currency: str, *, details: Mapping[str, Any],
    parent: int = 0, cart: str = "",
) -> Attempt:  # fmt: skip
    """Return a new attempt, stored with a key of its own; a job carries it out where the request does not.

    details: what the call needs, as JSON says it; they are sealed, and removed once it is settled.
    """
    key = random_letters(KEY_LETTERS)
    kept = _sealed(work, key, details)
    made = Attempt(
        next_number(work.tx, "payment_attempt"), kind, of, parent, gateway, key, WAITING, amount, currency, "", "", "",
        kept, cart, 0, 0, work.now, work.now,
    )  # fmt: skip
    work.tx.run(_INSERT, **{**msgspec.structs.asdict(made), "amount": money.stored(amount)})
    _put_job(work, made, work.now + _GRACE)
    return made


def store(work: Work, old: Attempt, **changes: Any) -> Attempt:
    """Store changes of an attempt and return it; what a call needed is forgotten once the outcome is known."""
    new = msgspec.structs.replace(old, **changes, modified=work.now)
    if not new.is_open:
        new = msgspec.structs.replace(new, details="")
    values = {**msgspec.structs.asdict(new), "amount": money.stored(new.amount)}
    del values["id"]
    work.tx.run(_UPDATE, of=new.id, **values)
    return new


def carry_on_later(work: Work, one: Attempt) -> Attempt:
    """Note a job that asks the gateway again, later each time; after a month nobody asks any more."""
    if one.is_open and work.now - one.created < _GIVEN_UP:
        delay = min(_LONGEST_DELAY, _FIRST_DELAY[one.state] << min(one.tries, 10))
        one = store(work, one, tries=one.tries + 1)
        _put_job(work, one, work.now + delay)
    return one


def carry_on_now(work: Work, one: Attempt) -> None:
    """Note a job that asks the gateway at once."""
    job_queue.bring_forward(work.tx, CARRY_OUT, {"attempt": one.id}, due=work.now, now=work.now, key=_job(one))


def _put_job(work: Work, one: Attempt, due: int) -> None:
    job_queue.put(work.tx, CARRY_OUT, {"attempt": one.id}, due=due, now=work.now, key=_job(one))


def _job(one: Attempt) -> str:
    return f"{CARRY_OUT}:{one.id}"


def details_of(work: Work, one: Attempt) -> dict[str, Any]:
    """Return what the call of an attempt needs; nothing once it is settled, or where the site's secret is another."""
    try:
        text = opened(work.frame.settings.secret, one.key, one.details) if one.details else "{}"
    except CannotOpen:
        return {}
    found: dict[str, Any] = json.loads(text)
    return found


def with_details(work: Work, one: Attempt, more: Mapping[str, Any]) -> Attempt:
    """Return an attempt, not stored yet, that also keeps these among what its call needs."""
    return msgspec.structs.replace(one, details=_sealed(work, one.key, {**details_of(work, one), **more}))


def _sealed(work: Work, key: str, details: Mapping[str, Any]) -> str:
    return sealed(work.frame.settings.secret, key, json.dumps(details, default=str))


def by_id(work: Work, id: int) -> Attempt | None:
    """Return an attempt."""
    row = work.tx.first(_BY_ID, id=id)
    return _of_row(row) if row else None


def by_key(work: Work, gateway: str, key: str) -> Attempt | None:
    """Return the attempt that was begun under a key."""
    row = work.tx.first(_BY_KEY, gateway=gateway, key=key)
    return _of_row(row) if row else None


def by_reference(work: Work, gateway: str, reference: str) -> Attempt | None:
    """Return the attempt that a gateway calls by a number of its own."""
    row = work.tx.first(_BY_REFERENCE, gateway=gateway, reference=reference)
    return _of_row(row) if row else None


def is_number_awaited(work: Work, gateway: str) -> bool:
    """Say whether there is a payment whose number the gateway has not said yet."""
    return work.tx.first(_UNNUMBERED, gateway=gateway) is not None


def list_of_order(work: Work, of: int, kind: str = PAYMENT) -> list[Attempt]:
    """Return the attempts of an order, in their order; kind: payment or refund."""
    return [one for row in work.tx.all(_OF_ORDER, order=of) if (one := _of_row(row)).kind == kind]


def reserved(work: Work, of: int) -> Decimal:
    """Return the money of an order that gateways are giving back at this moment."""
    return sum((money.loaded(amount) for (amount,) in work.tx.all(_RESERVED, order=of)), money.ZERO)


def _of_row(row: Any) -> Attempt:
    values = list(row)
    values[_AMOUNT] = _in_cents(money.loaded(values[_AMOUNT]))
    return Attempt(*values)


def _in_cents(amount: Decimal) -> Decimal:
    """Return an amount as gateways read it: with two decimals, and more only where it has more."""
    cents = money.rounded(amount, _CENTS)
    return cents if cents == amount else amount.normalize()
