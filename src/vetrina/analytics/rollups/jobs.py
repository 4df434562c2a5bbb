"""Computes missing rollups, and refreshes those of which products were marked.

By status a few are stored every minute; by product a job does it (analytics/rollups/product_month_jobs.py), or `vetrina
analytics` all at once. Not here: how they are stored (analytics/rollups/store.py), what they contain
(analytics/rollups/rules.py, analytics/rollups/product_spans.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import func, select

from vetrina.analytics.facts import reportable_orders
from vetrina.analytics.facts.reportable_orders import KINDS, OrderDate
from vetrina.analytics.rollups import product_spans, rules as rollup_rules, store as rollup_store
from vetrina.analytics.rollups.store import DAY, MONTH, YEAR
from vetrina.backends.database import Statement
from vetrina.backends.tables.analytics import fact_order, fact_rollup, fact_rollup_stale
from vetrina.core.unit_of_work import UnitOfWork

RollupTexts = dict[tuple[str, int], str]  # stored rollups, by kind and unit

_UNITS_PER_RUN: Final = 20  # days and months per run of the periodic job, which holds the lock that every writer needs
_BY_STATUS: Final[tuple[tuple[str, OrderDate], ...]] = tuple(
    (kind, dates) for dates in ("paid", "created", "completed") for kind in (DAY, MONTH)
)
_o = fact_order.c
# Each end separately: one statement for both would read every row.
_ENDS: Final = {
    dates: Statement(
        select(select(func.min(_o[dates])).scalar_subquery(), select(func.max(_o[dates])).scalar_subquery())
    )
    for dates in KINDS
}
_MARKED_MONTHS = Statement(
    select(fact_rollup_stale.c.dates, fact_rollup_stale.c.unit).distinct()
    .order_by(fact_rollup_stale.c.dates, fact_rollup_stale.c.unit)
)  # fmt: skip
_ROLLUPS = Statement(
    select(fact_rollup.c.kind, fact_rollup.c.dates, fact_rollup.c.unit, fact_rollup.c.sums)
    .order_by(fact_rollup.c.kind, fact_rollup.c.dates, fact_rollup.c.unit)
)  # fmt: skip


def save_missing_rollups(work: UnitOfWork, most: int = 200) -> int:
    """Store the sums of days and months that are missing or marked, newest first; return how many."""
    done = refresh_marked_months(work, most)
    return done + _save_missing(work, (*_BY_STATUS, *list_product_rollups(work)), most - done)


def list_product_rollups(work: UnitOfWork) -> tuple[tuple[str, OrderDate], ...]:
    """Return the rollups that are stored by product: kind and date."""
    return (
        ("sold", "created"),
        ("parts", reportable_orders.get_date_setting(work)),
        (YEAR, reportable_orders.get_date_setting(work)),
    )


def list_missing_units(work: UnitOfWork, kind: str, dates: OrderDate) -> list[int]:
    """Return which days, months or years with orders are not stored, newest first."""
    low, high = work.tx.first(_ENDS[dates]) or (None, None)
    if low is None:
        return []
    kept = rollup_store.list_units(work, kind, dates)
    first, last = rollup_store.compute_unit(kind, low), rollup_store.compute_unit(kind, high)
    return [unit for unit in range(last, first - 1, -1) if unit not in kept]


def _save_missing(work: UnitOfWork, wanted: Iterable[tuple[str, OrderDate]], most: int) -> int:
    done = 0
    for kind, dates in wanted:
        for unit in list_missing_units(work, kind, dates)[: most - done]:
            _save_rollup(work, kind, dates, unit)
            done += 1
    return done


def _save_rollup(work: UnitOfWork, kind: str, dates: OrderDate, unit: int) -> None:
    if kind == DAY:
        rollup_store.save_rollup(
            work,
            kind,
            dates,
            unit,
            rollup_store.encode_unit(rollup_rules.compute_days(work, dates, [unit]).get(unit, {})),
        )
    elif kind == MONTH:
        rollup_store.save_rollup(
            work, kind, dates, unit, rollup_store.encode_unit(rollup_rules.compute_month_from_days(work, dates, unit))
        )
    elif kind == YEAR:
        rollup_store.save_rollup(work, kind, dates, unit, product_spans.build_year_text(work, dates, unit))
    else:
        rows = product_spans.compute_months(work, kind, dates, [unit]).get(unit, {})
        for (name, _), text in build_month_texts(kind, unit, rows).items():
            rollup_store.save_rollup(work, name, dates, unit, text)


def refresh_marked_months(work: UnitOfWork, most: int) -> int:
    """Recount the marked products of stored months, and return of how many months."""
    found = list_marked_months(work)[:most]
    for dates, month in found:
        for (kind, unit), text in recompute_marked_month(work, dates, month).items():
            rollup_store.save_rollup(work, kind, dates, unit, text)
        rollup_store.unmark_month(work, dates, month)
    return len(found)


def list_marked_months(work: UnitOfWork) -> list[tuple[OrderDate, int]]:
    """Return the months with marked products, each with its kind of date."""
    return [(row[0], row[1]) for row in work.tx.all(_MARKED_MONTHS)]


def recompute_marked_month(work: UnitOfWork, dates: OrderDate, month: int) -> RollupTexts:
    """Return the rollups by product of a month and its year, with the marked products recounted."""
    out: RollupTexts = {}
    marks = rollup_store.list_marked_products(work, dates, month, month).get(month, set())
    for kind in product_spans.COUNTED:
        text = rollup_store.find_rollup(work, kind, dates, month)
        if text is not None:
            out |= build_month_texts(
                kind, month, product_spans.recompute_month_rows(work, kind, dates, month, text, marks)
            )
    year = month // 12
    whole = rollup_store.find_rollup(work, YEAR, dates, year)
    if whole is not None:
        out[YEAR, year] = product_spans.recompute_year_text(work, dates, year, whole, marks)
    return out


def build_month_texts(kind: str, month: int, rows: product_spans.ProductRows) -> RollupTexts:
    """Return the rows of a month in stored form."""
    return {(name, month): text for name, text in product_spans.encode_month_rows(kind, rows).items()}


def save_some_rollups(work: UnitOfWork) -> None:
    """Store a few more sums by status; called every minute."""
    _save_missing(work, _BY_STATUS, _UNITS_PER_RUN)


def drop_stale_rollups(work: UnitOfWork) -> list[str]:
    """Delete stored rollups that differ from their rows, and return which; marked products are recounted first."""
    rollup_store.delete_counting_tickets(work)
    while refresh_marked_months(work, _UNITS_PER_RUN):
        pass
    out = []
    wrong: set[tuple[str, int]] = set()
    for kind, dates, unit, sums in work.tx.all(_ROLLUPS):
        if kind == MONTH:
            wanted = rollup_store.encode_unit(rollup_rules.compute_month_from_rows(work, dates, unit))
        elif kind == YEAR:
            wanted = product_spans.compute_year_text(work, dates, unit)
        elif kind == DAY:
            wanted = rollup_store.encode_unit(rollup_rules.compute_days(work, dates, [unit]).get(unit, {}))
        else:
            source = "parts" if kind == "segments" else kind
            wanted = product_spans.encode_month_rows(
                source, product_spans.compute_months(work, source, dates, [unit]).get(unit, {})
            )[kind]
        if wanted != sums:
            out.append(f"the kept sums of {kind} {unit} by {dates} differ")
            rollup_store.delete_rollup(work, kind, dates, unit)
            wrong.add((dates, unit))
    for dates, unit in wrong:
        # The rollups of a month are dropped together: the text of its segments is made from their sums.
        for kind, at in (("parts", unit), ("segments", unit), (YEAR, unit // 12)):
            rollup_store.delete_rollup(work, kind, dates, at)
    return out
