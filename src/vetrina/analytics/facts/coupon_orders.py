"""The orders that have coupons, in statements that join the two.

Where coupons are few and lie at one end of the orders, PostgreSQL reads orders by their ids, sure to be done after the
last that has a coupon; but it goes on to the next order of the span, through all between them. So statements name the
first and the last order with a coupon, and are planned for them.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import FromClause, and_, func, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import BoundRange, UnindexedColumn
from vetrina.backends.tables.analytics import fact_coupon, fact_order
from vetrina.core.unit_of_work import UnitOfWork

_FIRST, _LAST = "first_with_coupon", "last_with_coupon"
_order = fact_coupon.c.order
# Each end separately: one statement for both would read every row.
_ENDS: Final = Statement(select(select(func.min(_order)).scalar_subquery(), select(func.max(_order)).scalar_subquery()))


def join_coupons(orders: FromClause, *, all_coupons: bool = False) -> FromClause:
    """Return orders joined with their coupons. Bind `bind_coupon_ends`.

    all_coupons: whether SQLite reads all coupons, which are fewer than the orders of a long span.
    """
    within = BoundRange(UnindexedColumn(fact_order.c.id), _FIRST, _LAST)
    order = UnindexedColumn(_order) if all_coupons else _order
    return orders.join(fact_coupon, and_(order == fact_order.c.id, within))


def bind_coupon_ends(work: UnitOfWork) -> dict[str, int]:
    """Return the values of `join_coupons`."""
    key = "orders with coupons"
    found: dict[str, int] | None = None if work.tx.writes else work.lookups.get(key)
    if found is None:
        first, last = work.tx.first(_ENDS) or (None, None)
        found = work.lookups[key] = {_FIRST: 1, _LAST: 0} if first is None else {_FIRST: first, _LAST: last}
    return found
