"""Counts what is kept by product of a month or a year, and keeps it.

Counting reads and keeping writes, so that a job counts while others write (analytics/rollups/product_jobs.py). Not
here: what is due (analytics/rollups/jobs.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from vetrina.analytics.facts.reportable_orders import OrderDate, get_date_setting
from vetrina.analytics.rollups import periods, product_spans, product_store, segment_texts
from vetrina.analytics.rollups.periods import GOODS, PARTS, ROWS_BY_PRODUCT, SEGMENTS, SOLD, YEAR
from vetrina.analytics.rollups.product_spans import ProductRows
from vetrina.analytics.rollups.segment_texts import MeasureTexts
from vetrina.core.unit_of_work import UnitOfWork


@dataclass(slots=True)
class ProductCount:
    """What was counted by one kind of date. months: rows by SOLD, GOODS or PARTS and month. years: measures by year."""

    dates: OrderDate
    months: dict[tuple[str, int], ProductRows] = field(default_factory=dict)
    years: dict[int, MeasureTexts] = field(default_factory=dict)


def list_product_kinds(work: UnitOfWork) -> tuple[tuple[str, OrderDate], ...]:
    """Return what is kept by product: kind and date."""
    return ((SOLD, "created"), (GOODS, "created"), (PARTS, get_date_setting(work)), (YEAR, get_date_setting(work)))


def count_month(work: UnitOfWork, kinds: Iterable[str], dates: OrderDate, month: int) -> ProductCount:
    """Count a month from the orders' rows; kinds: SOLD, GOODS, PARTS."""
    return ProductCount(
        dates, {(kind, month): product_spans.compute_product_month(work, kind, dates, month) for kind in kinds}
    )


def count_year(work: UnitOfWork, dates: OrderDate, year: int) -> ProductCount:
    """Count a year from its months, kept or not."""
    return ProductCount(dates, years={year: product_spans.build_year_texts(work, dates, year)})


def recount_marked_month(work: UnitOfWork, dates: OrderDate, month: int) -> ProductCount:
    """Count the marked products of a month again, in all that is kept of the month and its year."""
    out = ProductCount(dates)
    marks = product_store.list_marked_products(work, dates, month, month).get(month, set())
    kept = periods.find_periods(work, ROWS_BY_PRODUCT, (dates,), (month,))
    for kind in ROWS_BY_PRODUCT:
        if (kind, dates, month) in kept:
            rows = {
                product_spans.get_row_key(kind, row): row
                for row in product_store.list_product_month(work, kind, dates, month)
                if row[0] not in marks
            }
            out.months[kind, month] = rows | product_spans.compute_product_month(work, kind, dates, month, marks)
    year = segment_texts.find_year_texts(work, dates, month // 12)
    if year is not None:
        out.years[month // 12] = product_spans.recount_year_texts(work, dates, month // 12, year, marks)
    return out


def save_count(work: UnitOfWork, count: ProductCount) -> None:
    """Keep what was counted."""
    for (kind, month), rows in count.months.items():
        product_store.save_product_month(work, kind, count.dates, month, [rows[id] for id in sorted(rows)])
        if kind == PARTS:
            measures = {id: product_spans.encode_measures(row) for id, row in rows.items()}
            segment_texts.save_texts(work, SEGMENTS, count.dates, month, measures)
    for year, texts in count.years.items():
        segment_texts.save_texts(work, YEAR, count.dates, year, texts)
