"""How long a shop keeps what it need not keep for ever: orders that came to nothing, personal data, idle accounts.

An owner says a time for each, as `{"number": 6, "unit": "months"}`; without one everything stays. A sweep looks every
minute and does a little at a time. Not here: taking personal data out of one order (shop/customers/erasure.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, bindparam, exists, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.catalogue import shop_meta
from vetrina.backends.tables.core import account
from vetrina.backends.tables.orders import shop_order
from vetrina.core.unit_of_work import Work
from vetrina.kernel.integers import whole
from vetrina.shop.customers import erasure
from vetrina.shop.customers import rules as customers
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import rules as orders
from vetrina.shop.orders.model import Order

__all__ = ["OPTIONS", "is_period", "sweep"]

_DAY: Final = 86_400  # seconds
_UNITS: Final = {"days": _DAY, "weeks": 7 * _DAY, "months": 30 * _DAY, "years": 365 * _DAY}
_AT_ONCE: Final = 20  # things that one sweep does of each kind
_LOOKED_AT: Final = 200  # accounts
_MOST: Final = 1200  # of a unit
_IDLE: Final = "shop_delete_inactive_accounts"
_TRASHED: Final = {
    "shop_trash_pending_orders": "pending", "shop_trash_failed_orders": "failed",
    "shop_trash_cancelled_orders": "cancelled",
}  # fmt: skip
_ANONYMISED: Final = {"shop_anonymize_completed_orders": "completed", "shop_anonymize_refunded_orders": "refunded"}
OPTIONS: Final = (_IDLE, *_TRASHED, *_ANONYMISED)


def _old(*more: ColumnElement[bool]) -> Select[Any]:
    columns = shop_order.c
    where = (columns.status == bindparam("status"), columns.created < bindparam("before"), *more)
    return select(columns.id).where(*where).order_by(columns.created, columns.id).limit(_AT_ONCE)


_OLD = Statement(_old())
_OLD_WITH_NAMES = Statement(
    _old(
        ~exists().where(
            shop_meta.c.kind == "order", shop_meta.c.name == erasure.MARK, shop_meta.c.owner == shop_order.c.id
        )
    )
)
_NOT_SEEN = Statement(
    select(account.c.id)
    .where(
        account.c.id > bindparam("after"),
        account.c.registered < bindparam("before"),
        ~exists().where(shop_order.c.customer == account.c.id, shop_order.c.created >= bindparam("before")),
    )
    .order_by(account.c.id)
    .limit(_LOOKED_AT)
)


def is_period(given: Mapping[str, Any]) -> bool:
    """Say whether an object is a time for which something is kept; an empty number keeps it for ever."""
    number = str(given.get("number") if given.get("number") is not None else "")
    unit = given.get("unit")
    if not isinstance(unit, str) or unit not in _UNITS:
        return False
    return not number or (whole(number) is not None and int(number) <= _MOST)


def sweep(work: Work) -> None:
    """Do what the times that an owner said ask for."""
    if "shop" not in work.frame.profile.modules:
        return
    for option, status in _TRASHED.items():
        _each(work, option, status, _OLD, orders.trash)
    for option, status in _ANONYMISED.items():
        _each(work, option, status, _OLD_WITH_NAMES, erasure.anonymise)
    before = _before(work, _IDLE)
    if before is not None:
        _remove_idle(work, before)


def _each(work: Work, option: str, status: str, found: Statement, do: Callable[[Work, Order], Order]) -> None:
    before = _before(work, option)
    if before is None:
        return
    ids = [int(id) for (id,) in work.tx.all(found, status=status, before=before)]
    for one in order_model.by_ids(work, ids).values() if ids else ():
        do(work, one)


def _before(work: Work, option: str) -> int | None:
    """Return the moment before which things are too old; None where they never are."""
    kept = work.stored_option(option)
    if not isinstance(kept, Mapping) or not is_period(kept):
        return None
    number = whole(str(kept.get("number") or ""))
    return work.now - number * _UNITS[kept["unit"]] if number else None


def _remove_idle(work: Work, before: int) -> None:
    """Remove accounts of customers alone that are old and ordered nothing for long."""
    gone, after = 0, 0
    while gone < _AT_ONCE and (rows := work.tx.all(_NOT_SEEN, after=after, before=before)):
        after = rows[-1][0]
        for one in customers.by_ids(work, [id for (id,) in rows]).values():
            if one.user.roles == (customers.ROLE,) and gone < _AT_ONCE:
                customers.remove(work, one)
                gone += 1
