"""How much a shop stores beside its records and terms."""

from __future__ import annotations

from sqlalchemy import func, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.orders import coupon
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders import tallies

_COUPONS = Statement(select(func.count()).select_from(coupon))


def count_stored(work: UnitOfWork) -> dict[str, int]:
    """Return how many orders and coupons there are."""
    return {"orders": sum(tallies.count_by_status(work.tx).values()), "coupons": int(work.tx.value(_COUPONS))}
