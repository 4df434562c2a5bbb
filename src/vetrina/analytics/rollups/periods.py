"""The days, months and years that sums are kept of, and which of them are kept.

A period that is kept holds for all of its rows; one without any row is kept too. Not here: the sums of orders
(analytics/rollups/order_store.py), those by product (analytics/rollups/product_store.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, select

from vetrina.analytics.facts.reportable_orders import KINDS, OrderDate
from vetrina.analytics.facts.rows import compute_month
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, build_upsert, encode_list
from vetrina.backends.tables.analytics import fact_order
from vetrina.backends.tables.rollups import ROLLUP_JOB, ROLLUPS, rollup_period as table
from vetrina.core.unit_of_work import UnitOfWork

DAY: Final = "day"  # orders of a day, by status
MONTH: Final = "month"  # orders of a month, by status
SOLD: Final = "sold"  # what was sold of each product in a month
GOODS: Final = "goods"  # the same of each variation
PARTS: Final = "parts"  # of a month, the orders that contain each product
SEGMENTS: Final = "segments"  # the same of a month, as responses have it
YEAR: Final = "year"  # the same of a year
GOODS_DAY: Final = "goods-day"  # what was sold of each product and variation in a day that is over
PARTS_DAY: Final = "parts-day"  # the orders of a day that is over which contain each product
TYPE_DAY: Final = "type-day"  # orders of a day that is over, by new and returning customers
TYPE_MONTH: Final = "type-month"  # the same of a month
CATEGORY_DAY: Final = "category-day"  # orders of a day that is over, by the categories of their lines
CATEGORY_MONTH: Final = "category-month"  # the same of a month
CUSTOMER_DAY: Final = "customer-day"  # what each customer bought in a day that is over
CUSTOMER_MONTH: Final = "customer-month"  # the same of a month
CUSTOMER_QUARTER: Final = "customer-quarter"  # the same of three months
ROWS_BY_PRODUCT: Final = (SOLD, GOODS, PARTS)  # those of months with rows for each product
BY_PRODUCT: Final = (*ROWS_BY_PRODUCT, SEGMENTS, YEAR)
# Those that an order of theirs makes forgotten: they are kept when they are over, and counted again.
PAST: Final = (
    GOODS_DAY, PARTS_DAY, TYPE_DAY, TYPE_MONTH, CATEGORY_DAY, CATEGORY_MONTH, CUSTOMER_DAY, CUSTOMER_MONTH,
    CUSTOMER_QUARTER,
)  # fmt: skip
SECONDS: Final = 86_400  # of a day
_DAYS: Final = (DAY, GOODS_DAY, PARTS_DAY, TYPE_DAY, CATEGORY_DAY, CUSTOMER_DAY)
_MONTHS: Final = {YEAR: 12, CUSTOMER_QUARTER: 3}  # of a unit that is not a day, where it is not one
_LAST_MONTH: Final = 120_000  # by `compute_month`, the month after the year 9999

_of_kind = (table.c.kind == bindparam("kind"), table.c.dates == bindparam("dates"))
_KEY: Final[dict[str, Any]] = {name: bindparam(name) for name in ("kind", "dates", "unit")}
_UNITS = Statement(
    select(table.c.unit).where(
        *_of_kind, table.c.unit >= bindparam("first"), table.c.unit <= bindparam("last")
    ).order_by(table.c.unit)
)  # fmt: skip
_ADD = Statement(build_upsert(table, tuple(_KEY), _KEY, {"unit": bindparam("unit")}))
_FORGET = Statement(delete(table).where(*_of_kind, table.c.unit == bindparam("unit")))
_FORGET_KINDS = Statement(delete(table).where(InList(table.c.kind, "kinds")))
_FIND = Statement(
    select(table).where(
        InList(table.c.kind, "kinds"), InList(table.c.dates, "every_date"), InList(table.c.unit, "units")
    )
)
_o = fact_order.c
# Each end separately: one statement for both would read every row.
_ENDS: Final = {
    dates: Statement(
        select(select(func.min(_o[dates])).scalar_subquery(), select(func.max(_o[dates])).scalar_subquery())
    )
    for dates in KINDS
}
_ALL = Statement(select(table).order_by(*table.primary_key))
_DELETE_ALL: Final = [Statement(delete(rollup)) for rollup in ROLLUPS]


# -- which are kept


def list_units(work: UnitOfWork, kind: str, dates: str, first: int = 0, last: int = 10_000_000) -> list[int]:
    """Return which days, months or years are kept, in order."""
    return [row[0] for row in work.tx.all(_UNITS, kind=kind, dates=dates, first=first, last=last)]


def find_periods(
    work: UnitOfWork, kinds: Iterable[str], dates: Iterable[str], units: Iterable[int]
) -> set[tuple[str, str, int]]:
    """Return which of some periods are kept: kind, date, unit."""
    bound = {"kinds": encode_list(kinds), "every_date": encode_list(dates), "units": encode_list(units)}
    return {(row[0], row[1], row[2]) for row in work.tx.all(_FIND, **bound)}


def list_periods(work: UnitOfWork) -> list[tuple[str, OrderDate, int]]:
    """Return all that are kept: kind, date, unit."""
    return [(row[0], row[1], row[2]) for row in work.tx.all(_ALL)]


def add_period(work: UnitOfWork, kind: str, dates: str, unit: int) -> None:
    """Note that a period is kept."""
    work.tx.run(_ADD, kind=kind, dates=dates, unit=unit)


def forget_period(work: UnitOfWork, kind: str, dates: str, unit: int) -> None:
    """Note that a period is not kept."""
    work.tx.run(_FORGET, kind=kind, dates=dates, unit=unit)


def forget_kinds(work: UnitOfWork, kinds: Iterable[str]) -> None:
    """Note that no period is kept of some kinds."""
    work.tx.run(_FORGET_KINDS, kinds=encode_list(kinds))


def delete_all_rollups(work: UnitOfWork) -> None:
    """Delete all kept sums."""
    for statement in _DELETE_ALL:
        work.tx.run(statement)
    job_queue.restart_running_jobs(work.tx, ROLLUP_JOB, work.now)


# -- units of time


def find_ends(work: UnitOfWork, dates: OrderDate) -> tuple[int, int] | None:
    """Return the local times of the first and the last order by one of its dates; None where there is none."""
    low, high = work.tx.first(_ENDS[dates]) or (None, None)
    return None if low is None or high is None else (low, high)


def compute_unit_start(kind: str, unit: int) -> int:
    """Return the local time at which a day, month, quarter or year begins, also for the one after the year 9999."""
    if kind in _DAYS:
        return unit * SECONDS
    unit *= _MONTHS.get(kind, 1)
    if unit >= _LAST_MONTH:
        return (date.max.toordinal() + 1 - 719_163) * SECONDS
    return (date(unit // 12, unit % 12 + 1, 1).toordinal() - 719_163) * SECONDS


def compute_unit(kind: str, local: int) -> int:
    """Return the number of the day, the month, the quarter or the year of a local time."""
    if kind in _DAYS:
        return local // SECONDS
    return compute_month(local) // _MONTHS.get(kind, 1)


def compute_whole_months(span: ReportSpan) -> tuple[int, int]:
    """Return the first and the last whole month of a span; the last is before the first where there is none."""
    return compute_month(span.after - 1) + 1, compute_month(span.before + 1) - 1


def list_gaps(kept: Iterable[int], first: int, last: int) -> list[tuple[int, int]]:
    """Return the runs of units that are not kept, both ends inclusive; a span may be of millions, few of them kept."""
    out: list[tuple[int, int]] = []
    begin = first
    for unit in sorted(unit for unit in kept if first <= unit <= last):
        if unit > begin:
            out.append((begin, unit - 1))
        begin = unit + 1
    return [*out, (begin, last)] if begin <= last else out
