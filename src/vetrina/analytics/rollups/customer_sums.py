"""What each customer bought over a span, put together from kept days, months and quarters that are over.

Contains only the statuses that count by the shop's setting; when that changes they are deleted
(analytics/facts/updates.py). An order that changes what its customer bought makes its day, month and quarter forgotten,
and a job keeps them again; what is not kept is counted from the rows. Not here: the stored form
(analytics/rollups/customer_lanes.py), who of them is in a list (analytics/reports/buyers.py). Rules:
docs/rules/analytics_reports.md, 11.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ColumnElement, bindparam, case, delete, func, select

from vetrina.analytics.facts.reportable_orders import OrderDate, get_excluded_statuses
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.analytics.rollups import periods
from vetrina.analytics.rollups.customer_lanes import CustomerRow, CustomerTotals, pack_rows
from vetrina.analytics.rollups.periods import CUSTOMER_DAY, CUSTOMER_MONTH, CUSTOMER_QUARTER, SECONDS
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, UnindexedColumn, encode_list
from vetrina.backends.tables.analytics import fact_order
from vetrina.backends.tables.rollups import rollup_customer as table
from vetrina.core.unit_of_work import UnitOfWork

DATES: Final[OrderDate] = "created"  # the date that they go by
KINDS: Final = (CUSTOMER_QUARTER, CUSTOMER_MONTH, CUSTOMER_DAY)  # the longer ones first
_LONG: Final = 180 * SECONDS  # a span of which so much is not kept

_o = fact_order.c


def _build_count(created: ColumnElement[Any]) -> Statement:
    return Statement(
        select(_o.customer, func.sum(case((_o.parent == 0, 1), else_=0)), func.sum(_o.total))
        .where(created >= bindparam("after"), created <= bindparam("before"), ~InList(_o.status, "excluded"))
        .group_by(_o.customer)
    )


_COUNT: Final = _build_count(_o.created)
# Most of all orders are read customer by customer, from an index; sorting them takes three times as long.
_COUNT_LONG: Final = _build_count(UnindexedColumn(_o.created))
_READ = Statement(
    select(table.c.block, table.c.sums)
    .where(table.c.kind == bindparam("kind"), table.c.unit >= bindparam("first"), table.c.unit <= bindparam("last"))
    .order_by(table.c.unit, table.c.block)
)  # fmt: skip
_DELETE = Statement(delete(table).where(table.c.kind == bindparam("kind"), table.c.unit == bindparam("unit")))
_DELETE_ALL = Statement(delete(table))


def sum_by_customer(work: UnitOfWork, span: ReportSpan) -> CustomerTotals:
    """Return orders and spend of each customer who has orders or refunds that were made in a span."""
    out, gaps = CustomerTotals(), [(span.after, span.before)]
    for kind in KINDS:
        left = []
        for after, before in gaps:
            first, last = periods.compute_unit(kind, after - 1) + 1, periods.compute_unit(kind, before + 1) - 1
            kept = periods.list_units(work, kind, DATES, first, last) if first <= last else []
            if kept:
                _add_kept(work, out, kind, first, last)
            begin = after
            for unit in kept:
                left.append((begin, periods.compute_unit_start(kind, unit) - 1))
                begin = periods.compute_unit_start(kind, unit + 1)
            left.append((begin, before))
        gaps = [(after, before) for after, before in left if after <= before]
    for after, before in gaps:
        out.add_rows(_count(work, after, before))
    return out


def _add_kept(work: UnitOfWork, totals: CustomerTotals, kind: str, first: int, last: int) -> None:
    for block, sums in work.tx.all(_READ, kind=kind, first=first, last=last):
        totals.add_packed((block, sums))


def _count(work: UnitOfWork, after: int, before: int) -> list[CustomerRow]:
    """Return the sums of customers from the orders' rows."""
    statement = _COUNT_LONG if before - after > _LONG else _COUNT
    rows = work.tx.all(statement, after=after, before=before, excluded=encode_list(get_excluded_statuses(work)))
    return [(id, int(orders or 0), int(spend or 0)) for id, orders, spend in rows]


# -- keeping


def compute_period(work: UnitOfWork, kind: str, unit: int) -> list[CustomerRow]:
    """Return what each customer bought in a period, from the rows themselves."""
    span = _compute_span(kind, unit)
    return sorted(_count(work, span.after, span.before))


def load_period(work: UnitOfWork, kind: str, unit: int) -> list[CustomerRow]:
    """Return what is kept of a period."""
    totals = CustomerTotals()
    _add_kept(work, totals, kind, unit, unit)
    return totals.list_rows()


def save_period(work: UnitOfWork, kind: str, unit: int) -> None:
    """Keep a period, from shorter ones that are kept; nothing is kept of it yet."""
    rows = sum_by_customer(work, _compute_span(kind, unit)).list_rows()
    work.tx.load(table, [(kind, unit, *part) for part in pack_rows(rows)])
    periods.add_period(work, kind, DATES, unit)


def delete_period(work: UnitOfWork, kind: str, unit: int) -> None:
    """Forget a period."""
    periods.forget_period(work, kind, DATES, unit)
    work.tx.run(_DELETE, kind=kind, unit=unit)


def delete_all_periods(work: UnitOfWork) -> None:
    """Forget all periods: the setting for what counts has changed."""
    periods.forget_kinds(work, KINDS)
    work.tx.run(_DELETE_ALL)


def _compute_span(kind: str, unit: int) -> ReportSpan:
    return ReportSpan(periods.compute_unit_start(kind, unit), periods.compute_unit_start(kind, unit + 1) - 1)
