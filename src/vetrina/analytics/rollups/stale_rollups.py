"""Compares kept sums with the rows that they are derived from, and forgets those that differ."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from vetrina.analytics.facts.reportable_orders import OrderDate
from vetrina.analytics.rollups import (
    category_sums,
    customer_sums,
    customer_types,
    jobs as rollup_jobs,
    order_store,
    order_sums as rollup_rules,
    periods,
    product_days,
    product_spans,
    product_store,
    segment_days,
    segment_texts,
)
from vetrina.analytics.rollups.category_sums import CategorySums
from vetrina.analytics.rollups.customer_types import TypeSums
from vetrina.analytics.rollups.id_sets import list_ids
from vetrina.analytics.rollups.order_store import OrderPeriod
from vetrina.analytics.rollups.periods import (
    CATEGORY_DAY,
    CATEGORY_MONTH,
    DAY,
    GOODS_DAY,
    MONTH,
    PARTS,
    PARTS_DAY,
    ROWS_BY_PRODUCT,
    SEGMENTS,
    TYPE_DAY,
    TYPE_MONTH,
    YEAR,
)
from vetrina.backends import job_queue
from vetrina.backends.tables.rollups import ROLLUP_JOB
from vetrina.core.unit_of_work import UnitOfWork

_MONTHS_AT_ONCE: Final = 20  # whose marked products are counted again


def drop_stale_rollups(work: UnitOfWork) -> list[str]:
    """Forget kept sums that differ from their rows, and return which; marked products are counted again first."""
    # What is wrong must not be kept again from what a job has read of it.
    job_queue.restart_running_jobs(work.tx, ROLLUP_JOB, work.now)
    while rollup_jobs.refresh_marked_months(work, _MONTHS_AT_ONCE):
        pass
    wrong = [period for period in periods.list_periods(work) if not _is_right(work, *period)]
    for kind, dates, unit in wrong:
        _forget(work, kind, dates, unit)
        # What is kept of a month by product goes together: the text of its segments is made from their sums.
        for other, at in ((PARTS, unit), (SEGMENTS, unit), (YEAR, unit // 12)):
            _forget(work, other, dates, at)
    return [f"the kept sums of {kind} {unit} by {dates} differ" for kind, dates, unit in wrong]


def _is_right(work: UnitOfWork, kind: str, dates: OrderDate, unit: int) -> bool:
    if kind in (DAY, MONTH):
        compute = rollup_rules.compute_day if kind == DAY else rollup_rules.compute_month_from_rows
        period = order_store.load_order_period(work, kind, dates, unit)
        return bool(_unpack_period(period) == _unpack_period(compute(work, dates, unit)))
    if kind == GOODS_DAY:
        return bool(product_days.load_day(work, unit) == product_days.compute_day(work, unit))
    if kind == PARTS_DAY:
        return segment_days.load_day(work, dates, unit) == segment_days.compute_day(work, dates, unit)
    if kind in customer_sums.KINDS:
        return customer_sums.load_period(work, kind, unit) == customer_sums.compute_period(work, kind, unit)
    if kind in (TYPE_DAY, TYPE_MONTH):
        kept = customer_types.load_period(work, kind, dates, unit)
        types = customer_types.compute_period(work, kind, dates, unit)
        return bool(_unpack_types(kept) == _unpack_types(types))
    if kind in (CATEGORY_DAY, CATEGORY_MONTH):
        # What was counted under other categories is not read.
        return unit not in category_sums.list_valid_units(work, kind, dates, unit, unit) or (
            _unpack_categories(category_sums.load_period(work, kind, dates, unit))
            == _unpack_categories(category_sums.compute_period(work, kind, dates, unit))
        )
    if kind in ROWS_BY_PRODUCT:
        stored = product_store.list_product_month(work, kind, dates, unit)
        rows = {product_spans.get_row_key(kind, row): tuple(row) for row in stored}
        counted = product_spans.compute_product_month(work, kind, dates, unit)
        return rows == {id: tuple(row) for id, row in counted.items()}
    months = range(unit * 12, unit * 12 + 12) if kind == YEAR else (unit,)
    wanted = product_spans.join_measures(
        row for month in months for row in product_spans.compute_product_month(work, PARTS, dates, month).values()
    )
    if kind == YEAR:
        return segment_texts.find_year_texts(work, dates, unit) == wanted
    return dict(segment_texts.iterate_month_texts(work, dates, unit, unit)).get(unit) == wanted


def _unpack_period(period: OrderPeriod) -> Any:
    """Return a day or a month in a form that is equal for equal sets, whatever their stored form."""
    statuses = {
        status: (one.sums, [list(list_ids(packed)) for packed in one.sets]) for status, one in period.statuses.items()
    }
    return statuses, period.repeats


def _unpack_types(kept: Iterable[TypeSums]) -> Any:
    """Return sums by customer type in a form that is equal for equal sets."""
    return {
        (one.status, one.repeat): (one.sums, list(list_ids(one.customers)), list(list_ids(one.coupons)))
        for one in kept
    }  # fmt: skip


def _unpack_categories(kept: Iterable[CategorySums]) -> Any:
    """Return sums by category in a form that is equal for equal sets."""
    return {one.category: (one.sums, list(list_ids(one.customers)), list(list_ids(one.coupons))) for one in kept}


def _forget(work: UnitOfWork, kind: str, dates: OrderDate, unit: int) -> None:
    if kind in (DAY, MONTH):
        order_store.delete_order_period(work, kind, dates, unit)
    elif kind == GOODS_DAY:
        product_days.delete_day(work, unit)
    elif kind == PARTS_DAY:
        segment_days.delete_day(work, dates, unit)
    elif kind in (TYPE_DAY, TYPE_MONTH):
        customer_types.delete_period(work, kind, dates, unit)
    elif kind in (CATEGORY_DAY, CATEGORY_MONTH):
        category_sums.delete_period(work, kind, dates, unit)
    elif kind in customer_sums.KINDS:
        customer_sums.delete_period(work, kind, unit)
    elif kind in ROWS_BY_PRODUCT:
        product_store.delete_product_month(work, kind, dates, unit)
    else:
        segment_texts.delete_texts(work, kind, dates, unit)
