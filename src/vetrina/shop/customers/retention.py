"""Retention: how long a shop keeps unpaid orders, personal data and idle accounts.

The owner sets a period for each, as `{"number": 6, "unit": "months"}`; without one everything is kept. A periodic job
runs every minute and processes a small batch. Not here: anonymizing one order (shop/customers/erasure.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, bindparam, exists, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.catalogue import shop_meta
from vetrina.backends.tables.orders import shop_order
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import parse_digits
from vetrina.shop.customers import erasure, rules as customers
from vetrina.shop.orders import model as order_model, rules as orders
from vetrina.shop.orders.model import Order

_DAY_SECONDS: Final = 86_400  # seconds
_UNIT_SECONDS: Final = {
    "days": _DAY_SECONDS,
    "weeks": 7 * _DAY_SECONDS,
    "months": 30 * _DAY_SECONDS,
    "years": 365 * _DAY_SECONDS,
}
_BATCH_SIZE: Final = 20  # items of each kind per run
_ACCOUNT_BATCH_SIZE: Final = 200  # accounts
_MAX_PERIOD_NUMBER: Final = 1200  # in any unit
_IDLE_ACCOUNTS_OPTION: Final = "shop_delete_inactive_accounts"
_TRASHED_STATUS_BY_OPTION: Final = {
    "shop_trash_pending_orders": "pending", "shop_trash_failed_orders": "failed",
    "shop_trash_cancelled_orders": "cancelled",
}  # fmt: skip
_ANONYMIZED_STATUS_BY_OPTION: Final = {
    "shop_anonymize_completed_orders": "completed",
    "shop_anonymize_refunded_orders": "refunded",
}
RETENTION_OPTIONS: Final = (_IDLE_ACCOUNTS_OPTION, *_TRASHED_STATUS_BY_OPTION, *_ANONYMIZED_STATUS_BY_OPTION)


def _build_old_orders_select(*more: ColumnElement[bool]) -> Select[Any]:
    columns = shop_order.c
    where = (columns.status == bindparam("status"), columns.created < bindparam("before"), *more)
    return select(columns.id).where(*where).order_by(columns.created, columns.id).limit(_BATCH_SIZE)


_OLD_ORDERS = Statement(_build_old_orders_select())
_OLD_PERSONAL_ORDERS = Statement(
    _build_old_orders_select(
        ~exists().where(
            shop_meta.c.kind == "order",
            shop_meta.c.name == erasure.ANONYMIZED_KEY,
            shop_meta.c.owner == shop_order.c.id,
        )
    )
)
_IDLE_ACCOUNTS = Statement(
    select(account.c.id)
    .where(
        account.c.id > bindparam("after"),
        account.c.registered < bindparam("before"),
        ~exists().where(shop_order.c.customer == account.c.id, shop_order.c.created >= bindparam("before")),
    )
    .order_by(account.c.id)
    .limit(_ACCOUNT_BATCH_SIZE)
)


def is_retention_period(given: Mapping[str, Any]) -> bool:
    """Return whether an object is a retention period; an empty number means for ever."""
    number = str(given.get("number") if given.get("number") is not None else "")
    unit = given.get("unit")
    if not isinstance(unit, str) or unit not in _UNIT_SECONDS:
        return False
    return not number or (parse_digits(number) is not None and int(number) <= _MAX_PERIOD_NUMBER)


def run_retention_job(work: UnitOfWork) -> None:
    """Apply the retention periods that the owner set (periodic job)."""
    for option, status in _TRASHED_STATUS_BY_OPTION.items():
        _apply_to_old_orders(work, option, status, _OLD_ORDERS, orders.trash_order)
    for option, status in _ANONYMIZED_STATUS_BY_OPTION.items():
        _apply_to_old_orders(work, option, status, _OLD_PERSONAL_ORDERS, erasure.anonymize_order)
    before = _compute_cutoff(work, _IDLE_ACCOUNTS_OPTION)
    if before is not None:
        _delete_idle_accounts(work, before)


def _apply_to_old_orders(
    work: UnitOfWork, option: str, status: str, statement: Statement, do: Callable[[UnitOfWork, Order], Order]
) -> None:
    before = _compute_cutoff(work, option)
    if before is None:
        return
    ids = [int(id) for (id,) in work.tx.all(statement, status=status, before=before)]
    for one in order_model.load_orders_by_id(work, ids).values() if ids else ():
        do(work, one)


def _compute_cutoff(work: UnitOfWork, option: str) -> int | None:
    """Return the time before which items are too old; None where they never are."""
    kept = work.stored_option(option)
    if not isinstance(kept, Mapping) or not is_retention_period(kept):
        return None
    number = parse_digits(str(kept.get("number") or ""))
    return work.now - number * _UNIT_SECONDS[kept["unit"]] if number else None


def _delete_idle_accounts(work: UnitOfWork, before: int) -> None:
    """Delete old accounts with only the customer role that have not ordered for a long time."""
    deleted, after = 0, 0
    while deleted < _BATCH_SIZE and (rows := work.tx.all(_IDLE_ACCOUNTS, after=after, before=before)):
        after = rows[-1][0]
        for one in customers.load_customers_by_id(work, [id for (id,) in rows]).values():
            if one.user.roles == (customers.CUSTOMER_ROLE,) and deleted < _BATCH_SIZE:
                customers.delete_customer(work, one)
                deleted += 1
