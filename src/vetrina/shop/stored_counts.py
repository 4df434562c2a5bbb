"""How much a shop stores beside its records and terms."""

from __future__ import annotations

from sqlalchemy import func, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.orders import coupon, shop_order
from vetrina.core.unit_of_work import UnitOfWork

_ORDERS = Statement(select(func.count()).select_from(shop_order))
_COUPONS = Statement(select(func.count()).select_from(coupon))


def count_stored(work: UnitOfWork) -> dict[str, int]:
    """Return how many orders and coupons there are."""
    return {"orders": int(work.tx.value(_ORDERS)), "coupons": int(work.tx.value(_COUPONS))}
