"""Keeping sums: those that are missing, and those of which products were marked.

By status a few are kept every minute; by product a job does it (analytics/rollups/product_month_jobs.py), or `vetrina
analytics` all at once. Not here: how they are kept (analytics/rollups/store.py), what they say
(analytics/rollups/rules.py, analytics/rollups/product_spans.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import func, select

from vetrina.analytics.facts import reportable_orders
from vetrina.analytics.facts.reportable_orders import KINDS, Dates
from vetrina.analytics.rollups import product_spans
from vetrina.analytics.rollups import rules as rollup_rules
from vetrina.analytics.rollups import store as rollup_store
from vetrina.analytics.rollups.store import DAY, MONTH, YEAR
from vetrina.backends.database import Statement
from vetrina.backends.tables.analytics import fact_order, fact_rollup, fact_rollup_stale
from vetrina.core.unit_of_work import Work

__all__ = [
    "Texts", "by_product", "keep_missing", "marked_months", "missing", "refresh", "renewed", "stale", "sweep", "texts",
]  # fmt: skip

Texts = dict[tuple[str, int], str]  # what is kept, by kind and unit

_SWEPT: Final = 20  # days and months that one sweep keeps; it holds the lock that every writer needs
_BY_STATUS: Final[tuple[tuple[str, Dates], ...]] = tuple(
    (kind, dates) for dates in ("paid", "created", "completed") for kind in (DAY, MONTH)
)
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
    return done + _keep_missing(work, (*_BY_STATUS, *by_product(work)), most - done)


def by_product(work: Work) -> tuple[tuple[str, Dates], ...]:
    """Return what is kept by product: kind and date."""
    return (
        ("sold", "created"),
        ("parts", reportable_orders.date_setting(work)),
        (YEAR, reportable_orders.date_setting(work)),
    )


def missing(work: Work, kind: str, dates: Dates) -> list[int]:
    """Return which days, months or years that have orders are not kept, the newest first."""
    low, high = work.tx.first(_ENDS[dates]) or (None, None)
    if low is None:
        return []
    kept = rollup_store.units(work, kind, dates)
    first, last = rollup_store.number_of(kind, low), rollup_store.number_of(kind, high)
    return [unit for unit in range(last, first - 1, -1) if unit not in kept]


def _keep_missing(work: Work, wanted: Iterable[tuple[str, Dates]], most: int) -> int:
    done = 0
    for kind, dates in wanted:
        for unit in missing(work, kind, dates)[: most - done]:
            _keep(work, kind, dates, unit)
            done += 1
    return done


def _keep(work: Work, kind: str, dates: Dates, unit: int) -> None:
    if kind == DAY:
        rollup_store.keep(
            work, kind, dates, unit, rollup_store.said(rollup_rules.computed(work, dates, [unit]).get(unit, {}))
        )
    elif kind == MONTH:
        rollup_store.keep(work, kind, dates, unit, rollup_store.said(rollup_rules.month_of_days(work, dates, unit)))
    elif kind == YEAR:
        rollup_store.keep(work, kind, dates, unit, product_spans.year_text(work, dates, unit))
    else:
        rows = product_spans.computed(work, kind, dates, [unit]).get(unit, {})
        for (name, _), text in texts(kind, unit, rows).items():
            rollup_store.keep(work, name, dates, unit, text)


def refresh(work: Work, most: int) -> int:
    """Count anew the marked products of months that are kept, and return of how many months."""
    found = marked_months(work)[:most]
    for dates, month in found:
        for (kind, unit), text in renewed(work, dates, month).items():
            rollup_store.keep(work, kind, dates, unit, text)
        rollup_store.unmark(work, dates, month)
    return len(found)


def marked_months(work: Work) -> list[tuple[Dates, int]]:
    """Return the months of which products are marked, each with the date that it is by."""
    return [(row[0], row[1]) for row in work.tx.all(_MARKED)]


def renewed(work: Work, dates: Dates, month: int) -> Texts:
    """Return what is kept of a month and its year by product, with the marked products counted anew."""
    out: Texts = {}
    marks = rollup_store.marked(work, dates, month, month).get(month, set())
    for kind in product_spans.COUNTED:
        text = rollup_store.text_of(work, kind, dates, month)
        if text is not None:
            out |= texts(kind, month, product_spans.renewed(work, kind, dates, month, text, marks))
    year = month // 12
    whole = rollup_store.text_of(work, YEAR, dates, year)
    if whole is not None:
        out[YEAR, year] = product_spans.renewed_year(work, dates, year, whole, marks)
    return out


def texts(kind: str, month: int, rows: product_spans.Rows) -> Texts:
    """Return rows of a month as they are kept."""
    return {(name, month): text for name, text in product_spans.texts(kind, rows).items()}


def sweep(work: Work) -> None:
    """Keep a few more sums by status; called every minute."""
    _keep_missing(work, _BY_STATUS, _SWEPT)


def stale(work: Work) -> list[str]:
    """Return which kept sums differ from what their rows come to, and forget those; marks are settled first."""
    rollup_store.forget_counting(work)
    while refresh(work, _SWEPT):
        pass
    out = []
    wrong: set[tuple[str, int]] = set()
    for kind, dates, unit, sums in work.tx.all(_ROLLUPS):
        if kind == MONTH:
            wanted = rollup_store.said(rollup_rules.computed_month(work, dates, unit))
        elif kind == YEAR:
            wanted = product_spans.computed_year(work, dates, unit)
        elif kind == DAY:
            wanted = rollup_store.said(rollup_rules.computed(work, dates, [unit]).get(unit, {}))
        else:
            source = "parts" if kind == "segments" else kind
            wanted = product_spans.texts(source, product_spans.computed(work, source, dates, [unit]).get(unit, {}))[
                kind
            ]
        if wanted != sums:
            out.append(f"the kept sums of {kind} {unit} by {dates} differ")
            rollup_store.forget(work, kind, dates, unit)
            wrong.add((dates, unit))
    for dates, unit in wrong:
        # What is kept of a month stands or falls together: the text of its segments is made of their sums.
        for kind, at in (("parts", unit), ("segments", unit), (YEAR, unit // 12)):
            rollup_store.forget(work, kind, dates, at)
    return out
