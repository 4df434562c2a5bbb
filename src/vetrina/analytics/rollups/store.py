"""Sums of whole days and months as they are kept, and what of them is stale.

An order that is written anew carries its days on and forgets its months. Of what is kept of a month by product only the
products of its lines are marked: the rest holds, and the marked ones are counted from their rows. Writers take turns,
so no mark is lost between counting and keeping. Not here: what is counted (analytics/rollups/rules.py,
analytics/rollups/product_spans.py) and when (analytics/rollups/jobs.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import date
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, delete, select

from vetrina.analytics.facts.rows import month_of
from vetrina.analytics.reports.intervals import Span
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed, upsert
from vetrina.backends.tables.analytics import fact_rollup as table
from vetrina.backends.tables.analytics import fact_rollup_stale as stale
from vetrina.core.unit_of_work import Work

__all__ = [
    "BY_PRODUCT",
    "COUNTING_MONTH",
    "COUNTING_YEAR",
    "DAY",
    "MONTH",
    "YEAR",
    "Unit",
    "begin",
    "empty",
    "forget",
    "forget_by_product",
    "forget_counting",
    "forget_months",
    "gaps",
    "keep",
    "kept",
    "mark",
    "marked",
    "number_of",
    "said",
    "some",
    "text_of",
    "units",
    "unmark",
    "whole_months",
]  # fmt: skip

Unit = dict[str, Any]  # what the rows of a day or a month come to

DAY: Final = "day"  # orders of a day, by status
MONTH: Final = "month"  # orders of a month, by status
BY_PRODUCT: Final = ("sold", "parts", "segments", "year")  # of a month; of a whole year
YEAR: Final = "year"
# A month, and a year, that a job counts by product while writers go on; gone when an order of it changes meanwhile.
COUNTING_MONTH: Final = "counting-month"
COUNTING_YEAR: Final = "counting-year"
_COUNTING: Final = (COUNTING_MONTH, COUNTING_YEAR)
_SECONDS: Final = 86_400
_LAST_MONTH: Final = 120_000  # by `month_of`, that after the year 9999

_of = (table.c.kind == bindparam("kind"), table.c.dates == bindparam("dates"))
_KEPT = Statement(
    select(table.c.unit, table.c.sums).where(
        *_of, table.c.unit >= bindparam("first"), table.c.unit <= bindparam("last")
    )
)
_ONE = Statement(select(table.c.sums).where(*_of, table.c.unit == bindparam("unit")))
_UNITS = Statement(select(table.c.unit).where(*_of))
_KEEP = Statement(
    upsert(
        table, ("kind", "dates", "unit"),
        {"kind": bindparam("kind"), "dates": bindparam("dates"), "unit": bindparam("unit"), "sums": bindparam("sums")},
        {"sums": bindparam("sums")},
    )
)  # fmt: skip
_FORGET = Statement(delete(table).where(*_of, table.c.unit == bindparam("unit")))
_FORGET_SOME = Statement(
    delete(table).where(Among(table.c.kind, "kinds"), table.c.dates == bindparam("dates"), Among(table.c.unit, "units"))
)
_FORGET_KINDS = Statement(delete(table).where(Among(table.c.kind, "kinds")))
_SOME = Statement(
    select(table.c.dates, table.c.unit, table.c.sums).where(
        table.c.kind == bindparam("kind"), Among(table.c.unit, "units")
    )
)
_KEPT_MONTHS = Statement(
    select(table.c.dates, table.c.unit).distinct().where(Among(table.c.kind, "kinds"), Among(table.c.unit, "units"))
)
_ROW: Final[dict[str, Any]] = {"dates": bindparam("dates"), "unit": bindparam("unit"), "product": bindparam("product")}
_MARK = Statement(upsert(stale, ("dates", "unit", "product"), _ROW, {"product": bindparam("product")}))
_MARKED = Statement(
    select(stale.c.unit, stale.c.product).where(
        stale.c.dates == bindparam("dates"), stale.c.unit >= bindparam("first"), stale.c.unit <= bindparam("last")
    )
)
_UNMARK = Statement(delete(stale).where(stale.c.dates == bindparam("dates"), stale.c.unit == bindparam("unit")))
_NO_MARKS = Statement(delete(stale))
_NOTHING = Statement(delete(table))


def said(unit: Unit) -> str:
    """Return a unit as it is kept."""
    return orjson.dumps(unit, option=orjson.OPT_SORT_KEYS).decode()


def kept(work: Work, kind: str, dates: str, first: int, last: int) -> Iterator[tuple[int, str]]:
    """Yield the days or months that are kept, each with its text."""
    yield from work.tx.all(_KEPT, kind=kind, dates=dates, first=first, last=last)


def text_of(work: Work, kind: str, dates: str, unit: int) -> str | None:
    """Return what is kept of one day or month."""
    found: str | None = work.tx.value(_ONE, kind=kind, dates=dates, unit=unit)
    return found


def some(work: Work, kind: str, units: Iterable[int]) -> list[tuple[str, int, str]]:
    """Return what is kept of some days or months by any of their dates: date, unit, text."""
    return [(row[0], row[1], row[2]) for row in work.tx.all(_SOME, kind=kind, units=listed(units))]


def units(work: Work, kind: str, dates: str) -> set[int]:
    """Return which days or months are kept."""
    return {row[0] for row in work.tx.all(_UNITS, kind=kind, dates=dates)}


def keep(work: Work, kind: str, dates: str, unit: int, text: str) -> None:
    """Keep a day or a month."""
    work.tx.run(_KEEP, kind=kind, dates=dates, unit=unit, sums=text)


def forget(work: Work, kind: str, dates: str, unit: int) -> None:
    """Forget what is kept of a day or a month."""
    work.tx.run(_FORGET, kind=kind, dates=dates, unit=unit)


def forget_months(work: Work, dates: str, months: Set[int]) -> None:
    """Forget what is kept of some months by status; what is being counted of them counts for nothing."""
    units = months | {month // 12 for month in months}
    work.tx.run(_FORGET_SOME, kinds=listed((MONTH, *_COUNTING)), dates=dates, units=listed(units))


def forget_by_product(work: Work) -> None:
    """Forget what is kept by product of all months, and the marks: what counts is another thing now."""
    work.tx.run(_FORGET_KINDS, kinds=listed((*BY_PRODUCT, *_COUNTING)))
    work.tx.run(_NO_MARKS)


def forget_counting(work: Work) -> None:
    """Let nothing be kept of what is being counted."""
    work.tx.run(_FORGET_KINDS, kinds=listed(_COUNTING))


def empty(work: Work) -> None:
    """Forget everything."""
    work.tx.run(_NOTHING)
    work.tx.run(_NO_MARKS)


# -- marks


def mark(work: Work, rows: Iterable[tuple[str, int, int]]) -> None:
    """Mark products of months that are kept, or of which the year is. rows: kind of date, month, product."""
    wanted = set(rows)
    months = {month for _, month, _ in wanted}
    if not months:
        return
    among = months | {month // 12 for month in months}
    held = {(row[0], row[1]) for row in work.tx.all(_KEPT_MONTHS, kinds=listed(BY_PRODUCT), units=listed(among))}
    found = [
        {"dates": dates, "unit": month, "product": product}
        for dates, month, product in sorted(wanted)
        if (dates, month) in held or (dates, month // 12) in held
    ]
    if found:
        work.tx.run_each(_MARK, found)


def marked(work: Work, dates: str, first: int, last: int) -> dict[int, set[int]]:
    """Return the marked products of some months, by month."""
    out: dict[int, set[int]] = {}
    for month, product in work.tx.all(_MARKED, dates=dates, first=first, last=last):
        out.setdefault(month, set()).add(product)
    return out


def unmark(work: Work, dates: str, month: int) -> None:
    """Take the marks of a month away: all that is kept of it says what its rows say."""
    work.tx.run(_UNMARK, dates=dates, unit=month)


# -- units of time


def begin(kind: str, unit: int) -> int:
    """Return the local time at which a day, a month or a year begins; what follows the year 9999 begins too."""
    if kind == DAY:
        return unit * _SECONDS
    if kind == YEAR:
        unit *= 12
    if unit >= _LAST_MONTH:
        return (date.max.toordinal() + 1 - 719_163) * _SECONDS
    return (date(unit // 12, unit % 12 + 1, 1).toordinal() - 719_163) * _SECONDS


def number_of(kind: str, local: int) -> int:
    """Return the number of the day, the month or the year that a local time is in."""
    if kind == DAY:
        return local // _SECONDS
    return month_of(local) // 12 if kind == YEAR else month_of(local)


def whole_months(span: Span) -> tuple[int, int]:
    """Return the first and the last month that are whole in a span; the last is before the first where none is."""
    return month_of(span.after - 1) + 1, month_of(span.before + 1) - 1


def gaps(held: Mapping[int, Any] | Sequence[int] | set[int], first: int, last: int) -> list[tuple[int, int]]:
    """Return the runs of units that are missing, both ends in them; a span may be of millions, few of them held."""
    out: list[tuple[int, int]] = []
    begin = first
    for unit in sorted(unit for unit in held if first <= unit <= last):
        if unit > begin:
            out.append((begin, unit - 1))
        begin = unit + 1
    return [*out, (begin, last)] if begin <= last else out
