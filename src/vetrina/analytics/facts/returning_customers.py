"""Which order of a customer is the first, and which are those of a customer who returned.

Rules: docs/rules/analytics_reports.md, 10; docs/rules/analytics_rows.md, 9: the earliest order that counts is the new
one, all others are returning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import and_, bindparam, case, or_, select, update

from vetrina.analytics.facts.reportable_orders import KINDS, get_excluded_statuses
from vetrina.analytics.rollups import customer_types
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.analytics import fact_order
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times

_NEVER: Final = (times.LAST_SECOND + 1, 0)  # time of the first order of a customer none of whose orders counts

# One customer at a time: the index gives the first row, where a list of all would grow with every order.
_FIRST = Statement(
    select(fact_order.c.created, fact_order.c.id)
    .where(fact_order.c.customer == bindparam("of"), ~InList(fact_order.c.status, "excluded"), fact_order.c.parent == 0)
    .order_by(fact_order.c.created, fact_order.c.id)
    .limit(1)
)
# An order that does not count is not a later one unless one that counts was made before it.
_repeat_mark = case(
    (fact_order.c.created < bindparam("made"), 0),
    (and_(fact_order.c.created == bindparam("made"), fact_order.c.id <= bindparam("first")), 0), else_=1,
)  # fmt: skip
_is_marked_wrong = and_(
    fact_order.c.customer == bindparam("of"), fact_order.c.parent == 0,
    or_(fact_order.c.repeat != _repeat_mark, fact_order.c.repeat.is_(None)),
)  # fmt: skip
_MARKED_WRONG = Statement(select(*(fact_order.c[dates] for dates in KINDS)).where(_is_marked_wrong))
_UPDATE_REPEAT = Statement(update(fact_order).where(_is_marked_wrong).values(repeat=_repeat_mark))


def expect_first_orders(work: UnitOfWork, customers: Sequence[int]) -> None:
    """Have the first orders of some customers read with what is asked of the database next."""
    out = encode_list(get_excluded_statuses(work))
    for id in customers:
        work.tx.expect(_FIRST, of=id, excluded=out)


def mark_returning_customers(work: UnitOfWork, customers: Sequence[int]) -> None:
    """Mark each order of some customers as their first or a later one, and drop the sums that this changes."""
    out = encode_list(get_excluded_statuses(work))
    moved: dict[str, set[int]] = {dates: set() for dates in KINDS}
    for id in customers:
        first_at, first = work.tx.first(_FIRST, of=id, excluded=out) or _NEVER
        wrong = work.tx.all(_MARKED_WRONG, of=id, made=first_at, first=first)
        if wrong:
            work.tx.run(_UPDATE_REPEAT, of=id, made=first_at, first=first)
        for row in wrong:
            for dates, local in zip(KINDS, row, strict=True):
                if local is not None:
                    moved[dates].add(local)
    customer_types.delete_periods_of(work, moved)
