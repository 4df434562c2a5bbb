"""Keeps the sums of days, months and years that are not kept, and counts marked products again.

By status a few are kept every minute; by product a job does it (analytics/rollups/product_jobs.py), or `vetrina
analytics` all at once. Not here: what they contain (analytics/rollups/order_sums.py,
analytics/rollups/product_counts.py), whether they hold (analytics/rollups/stale_rollups.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from vetrina.analytics.facts.reportable_orders import OrderDate, get_date_setting
from vetrina.analytics.rollups import (
    category_sums,
    customer_sums,
    customer_types,
    order_store,
    order_sums as rollup_rules,
    periods,
    product_counts,
    product_days,
    product_store,
    segment_days,
)
from vetrina.analytics.rollups.periods import (
    CATEGORY_DAY,
    CATEGORY_MONTH,
    DAY,
    GOODS_DAY,
    MONTH,
    PARTS_DAY,
    PAST,
    TYPE_DAY,
    TYPE_MONTH,
    YEAR,
)
from vetrina.backends import job_queue
from vetrina.backends.tables.rollups import ROLLUP_JOB
from vetrina.core.unit_of_work import UnitOfWork

_UNITS_PER_RUN: Final = 20  # days and months per run of the periodic job, which holds the lock that every writer needs
_BY_STATUS: Final[tuple[tuple[str, OrderDate], ...]] = tuple(
    (kind, dates) for dates in ("paid", "created", "completed") for kind in (DAY, MONTH)
)


def save_missing_rollups(work: UnitOfWork, most: int = 200) -> int:
    """Keep the sums of days, months and years that are missing or marked, newest first; return how many."""
    done = refresh_marked_months(work, most)
    kinds = (*_BY_STATUS, *_list_past_kinds(work), *product_counts.list_product_kinds(work))
    return done + _save_missing(work, kinds, most - done)


def save_some_rollups(work: UnitOfWork) -> None:
    """Keep a few more sums by status, by day and product, and by customer; called every minute."""
    _save_missing(work, (*_BY_STATUS, *_list_past_kinds(work)), _UNITS_PER_RUN)


def refresh_marked_months(work: UnitOfWork, most: int) -> int:
    """Count the marked products of kept months again, and return of how many months."""
    found = product_store.list_marked_months(work)[:most]
    if found:
        # What a job has read of the same year is outdated then.
        job_queue.restart_running_jobs(work.tx, ROLLUP_JOB, work.now)
    for dates, month in found:
        product_counts.save_count(work, product_counts.recount_marked_month(work, dates, month))
        product_store.unmark_month(work, dates, month)
    return len(found)


def list_missing_units(work: UnitOfWork, kind: str, dates: OrderDate) -> list[int]:
    """Return which days, months or years with orders are not kept, newest first; of PAST only those that are over."""
    ends = periods.find_ends(work, dates)
    if ends is None:
        return []
    low, high = ends
    first, last = periods.compute_unit(kind, low), periods.compute_unit(kind, high)
    if kind in PAST:
        last = min(last, periods.compute_unit(kind, work.local_now) - 1)
    kept = set(periods.list_units(work, kind, dates, first, last))
    return [unit for unit in range(last, first - 1, -1) if unit not in kept]


def _list_past_kinds(work: UnitOfWork) -> tuple[tuple[str, OrderDate], ...]:
    return (
        (GOODS_DAY, product_days.DATES),
        *((kind, customer_sums.DATES) for kind in reversed(customer_sums.KINDS)),
        (PARTS_DAY, get_date_setting(work)),
        (TYPE_DAY, get_date_setting(work)),
        (TYPE_MONTH, get_date_setting(work)),
        (CATEGORY_DAY, get_date_setting(work)),
        (CATEGORY_MONTH, get_date_setting(work)),
    )


def _save_missing(work: UnitOfWork, wanted: Iterable[tuple[str, OrderDate]], most: int) -> int:
    done = 0
    for kind, dates in wanted:
        for unit in list_missing_units(work, kind, dates)[: most - done]:
            _save_rollup(work, kind, dates, unit)
            done += 1
    return done


def _save_rollup(work: UnitOfWork, kind: str, dates: OrderDate, unit: int) -> None:
    if kind == DAY:
        order_store.save_order_period(work, kind, dates, unit, rollup_rules.compute_day(work, dates, unit))
    elif kind == MONTH:
        order_store.save_order_period(work, kind, dates, unit, rollup_rules.compute_month_from_days(work, dates, unit))
    elif kind == GOODS_DAY:
        product_days.save_day(work, unit)
    elif kind == PARTS_DAY:
        segment_days.save_day(work, dates, unit)
    elif kind in (TYPE_DAY, TYPE_MONTH):
        customer_types.save_period(work, kind, dates, unit)
    elif kind in (CATEGORY_DAY, CATEGORY_MONTH):
        category_sums.save_period(work, kind, dates, unit)
    elif kind in customer_sums.KINDS:
        customer_sums.save_period(work, kind, unit)
    elif kind == YEAR:
        product_counts.save_count(work, product_counts.count_year(work, dates, unit))
    else:
        product_counts.save_count(work, product_counts.count_month(work, (kind,), dates, unit))
