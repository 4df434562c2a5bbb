"""Sums by product of months or days, counted from the rows: what was sold, and the segments of orders.

Contains only the statuses that count by the shop's setting; when that changes they are deleted
(analytics/facts/updates.py). Not here: storing and combining them (analytics/rollups/product_store.py,
analytics/rollups/product_spans.py). Rules:
docs/rules/analytics_measures.md, 9: of a product the sums of its lines, and the figures of the whole orders that
contain it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, case, func, literal_column, select

from vetrina.analytics.facts.coupon_orders import bind_coupon_ends, join_coupons
from vetrina.analytics.facts.reportable_orders import OrderDate, get_excluded_statuses
from vetrina.analytics.reports.intervals import FIRST_DAY, build_key_expression, build_month_expression
from vetrina.analytics.reports.measures import LINE_PARTS, add_line_columns, build_line_columns
from vetrina.analytics.rollups.id_sets import pack_ids
from vetrina.backends.statement_cache import ArrayAgg, InList, StatementCache, UnindexedColumn, encode_list
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order
from vetrina.core.unit_of_work import UnitOfWork

_SHAPES: Final = StatementCache(64)
_o, _l, _c = fact_order.c, fact_line.c, fact_coupon.c
# What sales are counted by, by whether it is daily: the number of the month or of the day.
_PERIODS: Final[dict[bool, ColumnElement[int]]] = {
    False: _l.created_month,
    True: build_key_expression("day", fact_line, "created") - literal_column(str(FIRST_DAY), BigInteger),
}
_WHOLE: Final = ("items", "net", "customer")  # columns of an order that contains a product

ProductRow = Sequence[Any]  # of a product: its id, then the sums
# Rows by month (or day) and product, or, where they are of variations, by month and both ids.
ProductMonths = dict[int, dict[Any, ProductRow]]
# The members of a product's row from `sum_order_parts`, between its id and its customers and coupons.
SUMS: Final = (*LINE_PARTS, "orders", "order_items", "order_net")


def sum_sold(
    work: UnitOfWork, dates: OrderDate, after: int, before: int, products: Iterable[int] | None = None, *,
    daily: bool = False,
) -> ProductMonths:  # fmt: skip
    """Return sales by month and product: id, quantity, net, orders, the latest local time.

    products: only these, None for all. daily: by day and product.
    """

    def build() -> Any:
        period = _PERIODS[daily]
        columns = (
            func.sum(_l.quantity), func.sum(_l.net), func.count(case((_l.gross >= 0, _l.order)).distinct()),
            func.max(_l.created),
        )  # fmt: skip
        return (
            select(period, _l.product, *columns)
            .where(
                _l.created >= bindparam("after"), _l.created <= bindparam("before"), ~InList(_l.status, "excluded"),
                *_build_product_condition(products),
            )
            .group_by(period, _l.product)
            .order_by(period, _l.product)
        )  # fmt: skip

    out: ProductMonths = {}
    statement = _SHAPES.get(("sold", daily, products is None), build)
    for month, *row in work.tx.all(statement, **_build_bound_values(work, after, before, products)):
        out.setdefault(month, {})[row[0]] = [int(value or 0) for value in row]
    return out


def sum_goods(
    work: UnitOfWork, dates: OrderDate, after: int, before: int, products: Iterable[int] | None = None, *,
    daily: bool = False,
) -> ProductMonths:  # fmt: skip
    """Return sales by month, product and variation: both ids, lines, quantity, net, orders, the latest local time, and
    the packed ids of the orders and refunds.

    products: only these, None for all. daily: by day instead of month.
    """

    def build() -> Any:
        by = (_PERIODS[daily], _l.product, _l.variation)
        columns = (
            func.count(), func.sum(_l.quantity), func.sum(_l.net), func.max(_l.created), ArrayAgg(_l.order, once=False),
        )  # fmt: skip
        return (
            select(*by, *columns)
            .where(
                _l.created >= bindparam("after"), _l.created <= bindparam("before"), ~InList(_l.status, "excluded"),
                *_build_product_condition(products),
            )
            .group_by(*by).order_by(*by)
        )  # fmt: skip

    out: ProductMonths = {}
    statement = _SHAPES.get(("goods", daily, products is None), build)
    rows = work.tx.all(statement, **_build_bound_values(work, after, before, products))
    for month, product, variation, lines, quantity, net, newest, orders in rows:
        ids = {*orjson.loads(orders)}
        row = (product, variation, lines, int(quantity or 0), int(net or 0), len(ids), newest, pack_ids(ids))
        out.setdefault(month, {})[product, variation] = row
    return out


def _build_product_condition(
    products: Iterable[int] | None, column: ColumnElement[int] = _l.product
) -> tuple[ColumnElement[bool], ...]:
    return () if products is None else (InList(column, "products"),)


def _build_bound_values(work: UnitOfWork, after: int, before: int, products: Iterable[int] | None) -> dict[str, Any]:
    bound = {"after": after, "before": before, "excluded": encode_list(get_excluded_statuses(work))}
    return bound if products is None else {**bound, "products": encode_list(products)}


def sum_order_parts(
    work: UnitOfWork, dates: OrderDate, after: int, before: int, products: Iterable[int] | None = None
) -> ProductMonths:
    """Return the figures of orders by month and product: id, SUMS, and the packed ids of customers and coupons.

    products: only these, None for all.
    """
    # From the orders of the span to their lines: SQLite would read all lines that a product ever had.
    lines = fact_order.join(fact_line, _l.order == UnindexedColumn(_o.id))

    def where() -> ColumnElement[bool]:
        local = _o[dates]
        return and_(
            local >= bindparam("after"),
            local <= bindparam("before"),
            ~InList(_o.status, "excluded"),
            *_build_product_condition(products, UnindexedColumn(_l.product)),
        )

    def by_product() -> Any:
        # An order counts once for a product, however many of its lines have it.
        whole = (func.min(_o[name]).label(name) for name in _WHOLE)
        of_order = (
            select(build_month_expression(dates).label("month"), _l.product, *build_line_columns(), *whole)
            .select_from(lines).where(where()).group_by("month", _l.product, _o.id)
            .subquery()
        )  # fmt: skip
        one = of_order.c
        sums = (
            *add_line_columns(one),
            func.count(), func.sum(one["items"]), func.sum(one.net),
        )  # fmt: skip
        return (
            select(one.month, one.product, *sums, ArrayAgg(one.customer))
            .group_by(one.month, one.product).order_by(one.month, one.product)
        )  # fmt: skip

    def coupons() -> Any:
        month = build_month_expression(dates)
        return (
            select(month, _l.product, ArrayAgg(_c.coupon))
            .select_from(join_coupons(lines)).where(where()).group_by(month, _l.product)
        )  # fmt: skip

    shape, bound = (dates, products is None), _build_bound_values(work, after, before, products)
    out: ProductMonths = {}
    coupon_sets = {
        (month, product): pack_ids(orjson.loads(used))
        for month, product, used in work.tx.all(
            _SHAPES.get(("coupons", *shape), coupons), **bound, **bind_coupon_ends(work)
        )
    }
    for month, product, *sums, customers in work.tx.all(_SHAPES.get(("parts", *shape), by_product), **bound):
        sets = pack_ids(orjson.loads(customers)), coupon_sets.get((month, product), b"")
        out.setdefault(month, {})[product] = (product, *(int(value or 0) for value in sums), *sets)
    return out
