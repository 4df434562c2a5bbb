"""Sales of variations over a span, added up by variation, by product, by group of products.

An order counts once for a group, however many of its lines belong to it: so the months keep which orders a variation
has. An order lies in one month, and the numbers of two months are added. Not here: counting from rows
(analytics/rollups/product_months.py), rows of kept months (analytics/rollups/product_store.py). Rules:
docs/rules/analytics_measures.md, 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from vetrina.analytics.reports.conditions import StatusFilter
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.analytics.rollups import product_spans
from vetrina.analytics.rollups.id_sets import count_union
from vetrina.analytics.rollups.periods import GOODS, compute_whole_months
from vetrina.analytics.rollups.product_months import ProductRow
from vetrina.core.unit_of_work import UnitOfWork

# The columns that rows are grouped by.
PRODUCT: Final = 0
VARIATION: Final = 1

GoodsMonth = tuple[int, list[ProductRow]]  # a month, and its rows


class GoodsTotal:
    """What was sold of a group of variations. orders: with refunds, each as an order of its own. newest: local time."""

    __slots__ = ("items", "lines", "net", "newest", "orders", "products", "variations")

    def __init__(self) -> None:
        self.lines = self.items = self.net = self.orders = self.newest = 0
        self.products: set[int] = set()
        self.variations: set[int] = set()  # with 0 for lines without one

    def add_month(self, rows: Sequence[ProductRow]) -> None:
        """Add the rows of the group in a month, which is added only once."""
        for product, variation, lines, items, net, _, newest, _ in rows:
            self.lines += lines
            self.items += items
            self.net += net
            self.newest = max(self.newest, newest)
            self.products.add(product)
            self.variations.add(variation)
        self.orders += rows[0][5] if len(rows) == 1 else count_union([row[7] for row in rows])

    def to_line_sums(self) -> dict[str, int]:
        """Return the sums of the report on products (definitions.LINE_SUMS)."""
        return {
            "rows": self.lines, "items_sold": self.items, "net": self.net, "orders": self.orders,
            "products": len(self.products), "variations": len(self.variations),
        }  # fmt: skip


def list_goods_months(
    work: UnitOfWork, statuses: StatusFilter | None, span: ReportSpan, *, in_parts: bool = False
) -> list[GoodsMonth] | None:
    """Return the rows of the months of a span; None where other statuses are requested than those that count.

    in_parts: whether they are wanted of a span without a whole month, too, in which nothing is kept.
    """
    first, last = compute_whole_months(span)
    if statuses is None or (last < first and not in_parts) or not product_spans.is_default_filter(work, statuses):
        return None
    divided = product_spans.divide_span(work, GOODS, "created", span)
    return list(product_spans.iterate_months(work, GOODS, "created", divided))


def total_by(months: Iterable[GoodsMonth], column: int) -> dict[int, GoodsTotal]:
    """Return what was sold by PRODUCT or by VARIATION."""
    out: dict[int, GoodsTotal] = {}
    for _, rows in months:
        for id, some in group_rows(rows, column).items():
            out.setdefault(id, GoodsTotal()).add_month(some)
    return out


def group_rows(rows: Iterable[ProductRow], column: int) -> dict[int, list[ProductRow]]:
    """Return the rows of a month by PRODUCT or by VARIATION."""
    out: dict[int, list[ProductRow]] = {}
    for row in rows:
        out.setdefault(row[column], []).append(row)
    return out
