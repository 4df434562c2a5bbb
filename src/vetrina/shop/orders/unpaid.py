"""Orders that nobody paid: cancelled after a while, so that what they hold can be sold to others.

Only those of the checkout: what the shop's own people and programs enter waits for as long as they want.
Rules: the setting `shop_hold_stock_minutes`; facts, "Status and what it does".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import bindparam, or_, select

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.tables.orders import shop_order as table
from vetrina.core.unit_of_work import Work
from vetrina.kernel.integers import whole
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import notes as order_notes
from vetrina.shop.orders import rules as orders
from vetrina.shop.settings import rules as settings

__all__ = ["CANCEL", "cancel", "note_overdue"]

CANCEL: Final = "shop.cancel_unpaid"  # kind of the job
_PENDING: Final = "pending"
_MOST: Final = 100  # orders that one look notes
_MADE_BY: Final = ("checkout", "store-api")

_OVERDUE = Statement(
    select(table.c.id)
    .where(
        table.c.status == _PENDING,
        or_(*(table.c.created_via == by for by in _MADE_BY)),
        table.c.modified < bindparam("before"),
    )
    .order_by(table.c.id)
    .limit(_MOST)
)


def note_overdue(work: Work) -> None:
    """Note a job for every order that waited too long for its payment."""
    if "shop" not in work.frame.profile.modules or not settings.is_on(work, "shop_manage_stock"):
        return
    before = _before(work)
    if before is None:
        return
    for (id,) in work.tx.all(_OVERDUE, before=before):
        key = f"{CANCEL}:{id}"
        job_queue.bring_forward(work.tx, CANCEL, {"order": int(id)}, due=work.now, now=work.now, key=key)


def cancel(work: Work, arguments: Mapping[str, Any]) -> None:
    """Cancel an order that is still not paid."""
    before, found = _before(work), order_model.by_id(work, arguments["order"])
    if before is None or found is None or found.status != _PENDING or found.modified >= before:
        return
    order_notes.add(work, found.id, "Unpaid order cancelled: the time to pay is over.")
    orders.change(work, found, {"status": "cancelled"})


def _before(work: Work) -> int | None:
    """Return the moment before which an order must have been touched to be too late; None where none ever is."""
    minutes = whole(str(settings.shop_option(work, "shop_hold_stock_minutes") or ""))
    return work.now - minutes * 60 if minutes else None
