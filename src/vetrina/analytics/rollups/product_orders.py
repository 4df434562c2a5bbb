"""How many orders of a span contain a product, from what is kept of months and days by product.

Not here: what is kept (analytics/rollups/product_months.py), how a span is put together
(analytics/rollups/product_spans.py).
"""

from __future__ import annotations

from typing import Final

from vetrina.analytics.facts.reportable_orders import OrderDate, get_date_setting
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.analytics.rollups import product_spans
from vetrina.analytics.rollups.periods import PARTS
from vetrina.analytics.rollups.product_months import SUMS
from vetrina.core.unit_of_work import UnitOfWork

_ORDERS: Final = 1 + SUMS.index("orders")  # of a row, after its product


def count_orders_of(work: UnitOfWork, product: int, dates: OrderDate, span: ReportSpan) -> int | None:
    """Return how many orders and refunds that count contain a product; None by another date than the shop's setting."""
    if dates != get_date_setting(work):
        return None
    divided = product_spans.divide_span(work, PARTS, dates, span)
    months = product_spans.iterate_months(work, PARTS, dates, divided, (product,))
    return sum(int(row[_ORDERS]) for _, rows in months for row in rows)
