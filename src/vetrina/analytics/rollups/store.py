"""The stored sums of whole days and months, and which of them are stale.

Rewriting an order updates its days and deletes its months. In a month by product only the products of its lines are
marked: the rest holds, and the marked ones are counted from their rows. Writers are serialized, so no mark is lost
between counting and storing. Not here: what is counted (analytics/rollups/rules.py, analytics/rollups/product_spans.py)
and when (analytics/rollups/jobs.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import date
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, delete, select

from vetrina.analytics.facts.rows import compute_month
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, build_upsert, encode_list
from vetrina.backends.tables.analytics import fact_rollup as table, fact_rollup_stale as stale
from vetrina.core.unit_of_work import UnitOfWork

RollupUnit = dict[str, Any]  # the sums of a day or a month

DAY: Final = "day"  # orders of a day, by status
MONTH: Final = "month"  # orders of a month, by status
BY_PRODUCT: Final = ("sold", "parts", "segments", "year")  # of a month; of a whole year
YEAR: Final = "year"
# A month, and a year, that a job counts by product while writers go on; deleted when one of its orders changes.
COUNTING_MONTH: Final = "counting-month"
COUNTING_YEAR: Final = "counting-year"
_COUNTING: Final = (COUNTING_MONTH, COUNTING_YEAR)
_SECONDS: Final = 86_400
_LAST_MONTH: Final = 120_000  # by `compute_month`, the month after the year 9999

_of_kind = (table.c.kind == bindparam("kind"), table.c.dates == bindparam("dates"))
_ROLLUPS_BETWEEN = Statement(
    select(table.c.unit, table.c.sums).where(
        *_of_kind, table.c.unit >= bindparam("first"), table.c.unit <= bindparam("last")
    )
)
_ONE = Statement(select(table.c.sums).where(*_of_kind, table.c.unit == bindparam("unit")))
_UNITS = Statement(select(table.c.unit).where(*_of_kind))
_SAVE = Statement(
    build_upsert(
        table, ("kind", "dates", "unit"),
        {"kind": bindparam("kind"), "dates": bindparam("dates"), "unit": bindparam("unit"), "sums": bindparam("sums")},
        {"sums": bindparam("sums")},
    )
)  # fmt: skip
_DELETE = Statement(delete(table).where(*_of_kind, table.c.unit == bindparam("unit")))
_DELETE_SOME = Statement(
    delete(table).where(
        InList(table.c.kind, "kinds"), table.c.dates == bindparam("dates"), InList(table.c.unit, "units")
    )
)
_DELETE_KINDS = Statement(delete(table).where(InList(table.c.kind, "kinds")))
_SOME = Statement(
    select(table.c.dates, table.c.unit, table.c.sums).where(
        table.c.kind == bindparam("kind"), InList(table.c.unit, "units")
    )
)
_KEPT_MONTHS = Statement(
    select(table.c.dates, table.c.unit).distinct().where(InList(table.c.kind, "kinds"), InList(table.c.unit, "units"))
)
_ROW: Final[dict[str, Any]] = {"dates": bindparam("dates"), "unit": bindparam("unit"), "product": bindparam("product")}
_MARK = Statement(build_upsert(stale, ("dates", "unit", "product"), _ROW, {"product": bindparam("product")}))
_MARKED = Statement(
    select(stale.c.unit, stale.c.product).where(
        stale.c.dates == bindparam("dates"), stale.c.unit >= bindparam("first"), stale.c.unit <= bindparam("last")
    )
)
_UNMARK = Statement(delete(stale).where(stale.c.dates == bindparam("dates"), stale.c.unit == bindparam("unit")))
_DELETE_MARKS = Statement(delete(stale))
_DELETE_ALL = Statement(delete(table))


def encode_unit(unit: RollupUnit) -> str:
    """Return a unit in stored form."""
    return orjson.dumps(unit, option=orjson.OPT_SORT_KEYS).decode()


def iterate_rollups(work: UnitOfWork, kind: str, dates: str, first: int, last: int) -> Iterator[tuple[int, str]]:
    """Yield the stored days or months, each with its text."""
    yield from work.tx.all(_ROLLUPS_BETWEEN, kind=kind, dates=dates, first=first, last=last)


def find_rollup(work: UnitOfWork, kind: str, dates: str, unit: int) -> str | None:
    """Return the stored text of one day or month."""
    found: str | None = work.tx.value(_ONE, kind=kind, dates=dates, unit=unit)
    return found


def list_rollups(work: UnitOfWork, kind: str, units: Iterable[int]) -> list[tuple[str, int, str]]:
    """Return the stored texts of some days or months by any of their dates: date, unit, text."""
    return [(row[0], row[1], row[2]) for row in work.tx.all(_SOME, kind=kind, units=encode_list(units))]


def list_units(work: UnitOfWork, kind: str, dates: str) -> set[int]:
    """Return which days or months are stored."""
    return {row[0] for row in work.tx.all(_UNITS, kind=kind, dates=dates)}


def save_rollup(work: UnitOfWork, kind: str, dates: str, unit: int, text: str) -> None:
    """Store a day or a month."""
    work.tx.run(_SAVE, kind=kind, dates=dates, unit=unit, sums=text)


def delete_rollup(work: UnitOfWork, kind: str, dates: str, unit: int) -> None:
    """Delete the stored text of a day or a month."""
    work.tx.run(_DELETE, kind=kind, dates=dates, unit=unit)


def delete_month_rollups(work: UnitOfWork, dates: str, months: Set[int]) -> None:
    """Delete the stored sums of some months by status, and cancel counts of them that are in progress."""
    units = months | {month // 12 for month in months}
    work.tx.run(_DELETE_SOME, kinds=encode_list((MONTH, *_COUNTING)), dates=dates, units=encode_list(units))


def delete_product_rollups(work: UnitOfWork) -> None:
    """Delete the sums by product of all months, and the marks: the setting for what counts has changed."""
    work.tx.run(_DELETE_KINDS, kinds=encode_list((*BY_PRODUCT, *_COUNTING)))
    work.tx.run(_DELETE_MARKS)


def delete_counting_tickets(work: UnitOfWork) -> None:
    """Prevent counts in progress from being stored."""
    work.tx.run(_DELETE_KINDS, kinds=encode_list(_COUNTING))


def delete_all_rollups(work: UnitOfWork) -> None:
    """Delete all rollups."""
    work.tx.run(_DELETE_ALL)
    work.tx.run(_DELETE_MARKS)


# -- marks


def mark_products(work: UnitOfWork, rows: Iterable[tuple[str, int, int]]) -> None:
    """Mark products of months that are stored, or whose year is. rows: kind of date, month, product."""
    wanted = set(rows)
    months = {month for _, month, _ in wanted}
    if not months:
        return
    among = months | {month // 12 for month in months}
    held = {
        (row[0], row[1]) for row in work.tx.all(_KEPT_MONTHS, kinds=encode_list(BY_PRODUCT), units=encode_list(among))
    }
    found = [
        {"dates": dates, "unit": month, "product": product}
        for dates, month, product in sorted(wanted)
        if (dates, month) in held or (dates, month // 12) in held
    ]
    if found:
        work.tx.run_each(_MARK, found)


def list_marked_products(work: UnitOfWork, dates: str, first: int, last: int) -> dict[int, set[int]]:
    """Return the marked products of some months, by month."""
    out: dict[int, set[int]] = {}
    for month, product in work.tx.all(_MARKED, dates=dates, first=first, last=last):
        out.setdefault(month, set()).add(product)
    return out


def unmark_month(work: UnitOfWork, dates: str, month: int) -> None:
    """Remove the marks of a month: everything stored of it agrees with its rows."""
    work.tx.run(_UNMARK, dates=dates, unit=month)


# -- units of time


def compute_unit_start(kind: str, unit: int) -> int:
    """Return the local time at which a day, a month or a year begins, also for the one after the year 9999."""
    if kind == DAY:
        return unit * _SECONDS
    if kind == YEAR:
        unit *= 12
    if unit >= _LAST_MONTH:
        return (date.max.toordinal() + 1 - 719_163) * _SECONDS
    return (date(unit // 12, unit % 12 + 1, 1).toordinal() - 719_163) * _SECONDS


def compute_unit(kind: str, local: int) -> int:
    """Return the index of the day, the month or the year of a local time."""
    if kind == DAY:
        return local // _SECONDS
    return compute_month(local) // 12 if kind == YEAR else compute_month(local)


def compute_whole_months(span: ReportSpan) -> tuple[int, int]:
    """Return the first and the last whole month of a span; the last is before the first where there is none."""
    return compute_month(span.after - 1) + 1, compute_month(span.before + 1) - 1


def list_gaps(stored: Mapping[int, Any] | Sequence[int] | set[int], first: int, last: int) -> list[tuple[int, int]]:
    """Return the runs of missing units, both ends inclusive; a span may be of millions, few of them held."""
    out: list[tuple[int, int]] = []
    begin = first
    for unit in sorted(unit for unit in stored if first <= unit <= last):
        if unit > begin:
            out.append((begin, unit - 1))
        begin = unit + 1
    return [*out, (begin, last)] if begin <= last else out
