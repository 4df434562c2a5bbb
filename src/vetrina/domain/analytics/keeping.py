"""When sums are kept: those that are missing, and those of which products were marked, a few every minute.

Not here: how they are kept (kept_sums.py), what they say (rollups.py, month_sums.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import func, select

from vetrina.backends.database import Statement
from vetrina.backends.tables_facts import fact_order, fact_rollup, fact_rollup_stale
from vetrina.domain.work import Work

from . import counting, kept_sums, month_sums, rollups
from .counting import KINDS, Dates
from .kept_sums import DAY, MONTH, YEAR

__all__ = ["keep_missing", "refresh", "stale", "sweep"]

_SWEPT: Final = 20  # days and months that one sweep keeps; it holds the lock that every writer needs
_o = fact_order.c
# Each end by itself: one statement that asks for both reads every row.
_ENDS: Final = {
    dates: Statement(
        select(select(func.min(_o[dates])).scalar_subquery(), select(func.max(_o[dates])).scalar_subquery())
    )
    for dates in KINDS
}
_MARKED = Statement(
    select(fact_rollup_stale.c.dates, fact_rollup_stale.c.unit).distinct()
    .order_by(fact_rollup_stale.c.dates, fact_rollup_stale.c.unit)
)  # fmt: skip
_ROLLUPS = Statement(
    select(fact_rollup.c.kind, fact_rollup.c.dates, fact_rollup.c.unit, fact_rollup.c.sums)
    .order_by(fact_rollup.c.kind, fact_rollup.c.dates, fact_rollup.c.unit)
)  # fmt: skip


def keep_missing(work: Work, most: int = 200) -> int:
    """Keep the sums of days and months that are not kept or marked, the newest first, and return of how many."""
    done = refresh(work, most)
    wanted: Iterable[tuple[str, Dates]] = (
        (DAY, "paid"),
        (MONTH, "paid"),
        ("sold", "created"),
        (DAY, "created"),
        (MONTH, "created"),
        ("parts", counting.date_setting(work)),
        (YEAR, counting.date_setting(work)),
        (DAY, "completed"),
        (MONTH, "completed"),
    )
    for kind, dates in wanted:
        low, high = work.tx.first(_ENDS[dates]) or (None, None)
        if low is None:
            continue
        kept = kept_sums.units(work, kind, dates)
        first, last = kept_sums.number_of(kind, low), kept_sums.number_of(kind, high)
        missing = [unit for unit in range(last, first - 1, -1) if unit not in kept]
        for unit in missing[: most - done]:
            _keep(work, kind, dates, unit)
            done += 1
    return done


def _keep(work: Work, kind: str, dates: Dates, unit: int) -> None:
    if kind == DAY:
        kept_sums.keep(work, kind, dates, unit, kept_sums.said(rollups.computed(work, dates, [unit]).get(unit, {})))
    elif kind == MONTH:
        kept_sums.keep(work, kind, dates, unit, kept_sums.said(rollups.month_of_days(work, dates, unit)))
    elif kind == YEAR:
        kept_sums.keep(work, kind, dates, unit, month_sums.year_text(work, dates, unit))
    else:
        _put(work, kind, dates, unit, month_sums.computed(work, kind, dates, [unit]).get(unit, {}))


def _put(work: Work, kind: str, dates: Dates, month: int, rows: month_sums.Rows) -> None:
    for name, text in month_sums.texts(kind, rows).items():
        kept_sums.keep(work, name, dates, month, text)


def refresh(work: Work, most: int) -> int:
    """Count anew the marked products of months that are kept, and return of how many months."""
    found = work.tx.all(_MARKED)[:most]
    for dates, month in found:
        marks = kept_sums.marked(work, dates, month, month)[month]
        for kind in month_sums.COUNTED:
            text = kept_sums.text_of(work, kind, dates, month)
            if text is not None:
                _put(work, kind, dates, month, month_sums.renewed(work, kind, dates, month, text, marks))
        year = month // 12
        whole = kept_sums.text_of(work, YEAR, dates, year)
        if whole is not None:
            kept_sums.keep(work, YEAR, dates, year, month_sums.renewed_year(work, dates, year, whole, marks))
        kept_sums.unmark(work, dates, month)
    return len(found)


def sweep(work: Work) -> None:
    """Keep a few more sums; called every minute."""
    keep_missing(work, _SWEPT)


def stale(work: Work) -> list[str]:
    """Return which kept sums differ from what their rows come to, and forget those; marks are settled first."""
    while refresh(work, _SWEPT):
        pass
    out = []
    wrong: set[tuple[str, int]] = set()
    for kind, dates, unit, sums in work.tx.all(_ROLLUPS):
        if kind == MONTH:
            wanted = kept_sums.said(rollups.computed_month(work, dates, unit))
        elif kind == YEAR:
            wanted = month_sums.computed_year(work, dates, unit)
        elif kind == DAY:
            wanted = kept_sums.said(rollups.computed(work, dates, [unit]).get(unit, {}))
        else:
            source = "parts" if kind == "segments" else kind
            wanted = month_sums.texts(source, month_sums.computed(work, source, dates, [unit]).get(unit, {}))[kind]
        if wanted != sums:
            out.append(f"the kept sums of {kind} {unit} by {dates} differ")
            kept_sums.forget(work, kind, dates, unit)
            wrong.add((dates, unit))
    for dates, unit in wrong:
        # What is kept of a month stands or falls together: the text of its segments is made of their sums.
        for kind, at in (("parts", unit), ("segments", unit), (YEAR, unit // 12)):
            kept_sums.forget(work, kind, dates, at)
    return out
