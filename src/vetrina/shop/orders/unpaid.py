"""Cancelling unpaid orders after a while, so that their stock can be sold to others.

Orders of the checkout only: those that the shop's staff and programs create wait as long as they want.
Rules: the setting `shop_hold_stock_minutes`; docs/rules/order_statuses.md, 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import bindparam, or_, select

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.tables.orders import shop_order as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import parse_digits
from vetrina.shop.orders import model as order_model, notes as order_notes, rules as orders
from vetrina.shop.settings import rules as settings

CANCEL_UNPAID_JOB: Final = "shop.cancel_unpaid"  # kind of the job
_PENDING: Final = "pending"
_BATCH_SIZE: Final = 100  # orders enqueued in one run
_CREATED_VIA: Final = ("checkout", "store-api")

_OVERDUE_ORDERS = Statement(
    select(table.c.id)
    .where(
        table.c.status == _PENDING,
        or_(*(table.c.created_via == by for by in _CREATED_VIA)),
        table.c.modified < bindparam("before"),
    )
    .order_by(table.c.id)
    .limit(_BATCH_SIZE)
)


def enqueue_overdue_orders(work: UnitOfWork) -> None:
    """Enqueue a job for every order whose payment is overdue."""
    if not settings.is_setting_on(work, "shop_manage_stock"):
        return
    before = _compute_cutoff(work)
    if before is None:
        return
    for (id,) in work.tx.all(_OVERDUE_ORDERS, before=before):
        key = f"{CANCEL_UNPAID_JOB}:{id}"
        job_queue.enqueue_missing_job(
            work.tx, CANCEL_UNPAID_JOB, {"order": int(id)}, due=work.now, now=work.now, key=key
        )


def cancel_unpaid_order(work: UnitOfWork, arguments: Mapping[str, Any]) -> None:
    """Cancel an order that is still not paid."""
    before, found = _compute_cutoff(work), order_model.find_order(work, arguments["order"])
    if before is None or found is None or found.status != _PENDING or found.modified >= before:
        return
    order_notes.create_order_note(work, found.id, "Unpaid order cancelled: the time to pay is over.")
    orders.update_order(work, found, {"status": "cancelled"})


def _compute_cutoff(work: UnitOfWork) -> int | None:
    """Return the time before which an unpaid order must have been modified to be overdue; None where none ever is."""
    minutes = parse_digits(str(settings.get_shop_option(work, "shop_hold_stock_minutes") or ""))
    return work.now - minutes * 60 if minutes else None
