"""Sales of variations over a span, added up by variation, by product, by group of products.

An order counts once for a group, however many of its lines belong to it: so months and days keep which orders a
variation has. An order lies in one of them, and the numbers of two are added. Not here: counting from rows
(analytics/rollups/product_months.py), rows of kept months (analytics/rollups/product_store.py). Rules:
docs/rules/analytics_measures.md, 9.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from vetrina.analytics.reports.conditions import StatusFilter
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.analytics.rollups import product_days, product_spans
from vetrina.analytics.rollups.id_sets import count_union
from vetrina.analytics.rollups.periods import GOODS, SECONDS
from vetrina.analytics.rollups.product_months import ProductRow
from vetrina.core.unit_of_work import UnitOfWork

# The columns that rows are grouped by.
PRODUCT: Final = 0
VARIATION: Final = 1

# A month, a day or a part of either: the local time at which that month or day begins, and its rows.
GoodsPart = tuple[int, list[ProductRow]]


class GoodsTotal:
    """What was sold of a group of variations. orders: with refunds, each as an order of its own. newest: local time."""

    __slots__ = ("items", "lines", "net", "newest", "orders", "products", "variations")

    def __init__(self) -> None:
        self.lines = self.items = self.net = self.orders = self.newest = 0
        self.products: set[int] = set()
        self.variations: set[int] = set()  # with 0 for lines without one

    def add_part(self, rows: Sequence[ProductRow], *, count_orders: bool = True) -> None:
        """Add the rows of the group in a part of a span, which is added only once.

        count_orders: whether orders are needed; telling those apart that several rows have takes most of the time.
        """
        for product, variation, lines, items, net, _, newest, _ in rows:
            self.lines += lines
            self.items += items
            self.net += net
            self.newest = max(self.newest, newest)
            self.products.add(product)
            self.variations.add(variation)
        if count_orders:
            self.orders += rows[0][5] if len(rows) == 1 else count_union([row[7] for row in rows])

    def add_total(self, other: GoodsTotal) -> None:
        """Add what was sold of the group in other parts."""
        self.lines += other.lines
        self.items += other.items
        self.net += other.net
        self.orders += other.orders
        self.newest = max(self.newest, other.newest)
        self.products |= other.products
        self.variations |= other.variations

    def to_line_sums(self) -> dict[str, int]:
        """Return the sums of the report on products (definitions.LINE_SUMS)."""
        return {
            "rows": self.lines, "items_sold": self.items, "net": self.net, "orders": self.orders,
            "products": len(self.products), "variations": len(self.variations),
        }  # fmt: skip


def list_goods(
    work: UnitOfWork, statuses: StatusFilter | None, span: ReportSpan, *, daily: bool = False,
    products: Collection[int] | None = None,
) -> list[GoodsPart] | None:  # fmt: skip
    """Return the rows of the parts of a span; None where other statuses are requested than those that count.

    daily: of each day; otherwise parts are as long as what is kept. products: only these, None for all.
    """
    if statuses is None or not product_spans.is_default_filter(work, statuses):
        return None
    if not daily:
        divided = product_spans.divide_span(work, GOODS, product_days.DATES, span)
        months = product_spans.iterate_months(work, GOODS, product_days.DATES, divided, products)
        return [(product_spans.compute_month_span(month).after, rows) for month, rows in months]
    first, last = product_spans.compute_whole_days(span.after, span.before)
    kept = product_days.load_days(work, GOODS, first, last, products) if first <= last else {}
    out = [(day * SECONDS, rows) for day, rows in kept.items()]
    for after, before in product_spans.list_uncovered(kept, span.after, span.before):
        for day, counted in product_days.count_days(work, GOODS, after, before, products).items():
            out.append((day * SECONDS, list(counted.values())))
    return out


def total_by(parts: Iterable[GoodsPart], column: int) -> dict[int, GoodsTotal]:
    """Return what was sold by PRODUCT or by VARIATION."""
    out: dict[int, GoodsTotal] = {}
    for _, rows in parts:
        for id, some in group_rows(rows, column).items():
            out.setdefault(id, GoodsTotal()).add_part(some)
    return out


def group_rows(rows: Iterable[ProductRow], column: int) -> dict[int, list[ProductRow]]:
    """Return the rows of a part by PRODUCT or by VARIATION."""
    out: dict[int, list[ProductRow]] = {}
    for row in rows:
        out.setdefault(row[column], []).append(row)
    return out
