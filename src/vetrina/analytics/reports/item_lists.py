"""What the reports that list items with their sales share: sums by item, sorting, pages.

A list is grouped by the database and sorted here, as it is never longer than the catalogue. Not here: the lists
(analytics/reports/products.py and its neighbours). Rules: docs/rules/analytics_reports.md, 1: items requested by id are
always listed, below everything sold; equal values are in the order of their ids.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import ColumnElement, case, func

from vetrina.analytics.reports.conditions import ReportFilters
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.analytics.reports.stats import ReportRequest, query_rows
from vetrina.analytics.rollups.goods_spans import GoodsTotal
from vetrina.backends.tables.analytics import fact_line
from vetrina.core.unit_of_work import UnitOfWork

Item = TypeVar("Item")

_l = fact_line.c


@dataclass(frozen=True, slots=True)
class ReportPage(Generic[Item]):
    """A page of a list, and the total."""

    items: list[Item]
    total: int


@dataclass(frozen=True, slots=True)
class SalesSum:
    """The sales of a product, a variation or a category. net: millionths. newest: local time of the last sale."""

    id: int
    items: int = 0
    net: int = 0
    orders: int = 0
    product: int = 0
    products: int = 0
    newest: int = 0


SOLD: Final[dict[str, ColumnElement[Any]]] = {
    "items": func.sum(_l.quantity),
    "net": func.sum(_l.net),
    "orders": func.count(case((_l.gross >= 0, _l.order)).distinct()),
    "product": func.max(_l.product),
    "newest": func.max(_l.created),
}


def cut_page(items: Sequence[Item], page: int, per_page: int) -> ReportPage[Item]:
    """Return a page of a complete list."""
    return ReportPage(list(items[(page - 1) * per_page : page * per_page]), len(items))


def build_sold_first_key(sold: Container[int], measure: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a sort key that puts unsold items below all sold ones, even those sold for nothing."""
    return lambda one: (one.id in sold, measure(one))


def sort_items(items: list[Item], key: Callable[[Item], Any], order: str, id: Callable[[Item], int]) -> list[Item]:
    """Return items in an order, equal ones by id."""
    return sorted(sorted(items, key=id), key=key, reverse=order == "desc")


def build_sales_sum(id: int, one: GoodsTotal) -> SalesSum:
    """Return the sales of an item from the total of its rows."""
    return SalesSum(id, one.items, one.net, one.orders, max(one.products), len(one.products), one.newest)


def sum_by_column(
    work: UnitOfWork,
    table: Any,
    sums: Mapping[str, ColumnElement[Any]],
    by: ColumnElement[Any] | None,
    own: ReportFilters,
    span: ReportSpan,
    name: str,
) -> dict[int, dict[str, int]]:
    """Return sums over the rows of a table by item: id -> name of a sum -> value. by: the column of the id."""
    rows = query_rows(work, table, tuple(sums.values()), name, ReportRequest(span, own), None, span, by=by)
    out = {}
    for _, *row in rows:
        id = row.pop(0) if by is not None else 0
        if row[0] is not None:
            out[int(id)] = {key: int(value or 0) for key, value in zip(sums, row, strict=True)}
    return out
