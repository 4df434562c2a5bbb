"""The report that lists orders and refunds one by one.

Rules: docs/rules/analytics_reports.md, 2: a refund has the number and the total of its order; orders that do not count
are never listed, whatever `match` joins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import unescape
from typing import Any, Final

from sqlalchemy import bindparam, func, select

from vetrina.analytics.facts.reportable_orders import OrderDate, get_excluded_statuses
from vetrina.analytics.reports import filters as report_filters, segment_items
from vetrina.analytics.reports.conditions import ReportFilters, StatusFilter, build_line_probe
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.analytics.reports.stats import TOTAL
from vetrina.analytics.rollups import order_sums as rollup_rules, product_orders
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, StatementCache, encode_list
from vetrina.backends.tables.analytics import fact_coupon, fact_customer, fact_line, fact_order
from vetrina.backends.tables.orders import shop_order, shop_refund
from vetrina.core.listing import PageReading, plan_reading
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.shop.orders import attribution
from vetrina.shop.products import model as product_model, price_markup

_SHAPES: Final = StatementCache(256)
_ORDERS: Final = {"num_items_sold": "items", "net_total": "net", "total_sales": "total"}
_COLUMNS: Final = ("id", "parent", "status", "customer", "created", "created_gmt", "items", "total", "net", "repeat")


@dataclass(frozen=True, slots=True)
class OrderRow:
    """One order or refund. date, created: local times. repeat: 0 for a customer's first order, None for refunds."""

    date: int
    id: int
    parent: int
    status: str
    customer: int
    created: int
    created_gmt: int
    items: int
    total: int
    net: int
    repeat: int | None

    @property
    def order(self) -> int:
        return self.parent or self.id


@dataclass(frozen=True, slots=True)
class OrderRowTotals:
    """The total of an order, and its net total after refunds."""

    total: Decimal
    left: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class OrderRowContents:
    """The contents of the orders of a page, by order id: lines (id, name, quantity) and coupons (id, code).

    customers: the rows of the customer table by id. origins: the attribution of the orders.
    """

    lines: dict[int, list[tuple[int, str, int]]]
    coupons: dict[int, list[tuple[int, str]]]
    customers: dict[int, dict[str, Any]]
    origins: dict[int, str]


_TOTALS = Statement(
    select(shop_order.c.id, shop_order.c.total, shop_order.c.currency).where(InList(shop_order.c.id, "ids"))
)
_REFUNDED = Statement(
    select(shop_refund.c.order, func.sum(shop_refund.c.amount))
    .where(InList(shop_refund.c.order, "ids"))
    .group_by(shop_refund.c.order)
)
_LINES = Statement(
    select(fact_line.c.order, fact_line.c.product, fact_line.c.variation, fact_line.c.quantity)
    .where(InList(fact_line.c.order, "ids"))
    .order_by(fact_line.c.order, fact_line.c.position)
)
_COUPONS = Statement(
    select(fact_coupon.c.order, fact_coupon.c.coupon)
    .where(InList(fact_coupon.c.order, "ids"))
    .order_by(fact_coupon.c.order, fact_coupon.c.position)
)
_CUSTOMERS = Statement(select(fact_customer).where(InList(fact_customer.c.id, "ids")))
_CUSTOMER_NAMES: Final = [column.name for column in fact_customer.c]


def list_order_rows(
    work: UnitOfWork, span: ReportSpan, dates: OrderDate, args: Mapping[str, Any]
) -> tuple[list[OrderRow], int]:
    """Return a page of orders and refunds, and the total.

    args: the filters of orders, order, orderby (date, num_items_sold, net_total), page, per_page.
    """
    work.uses("order", "option", "product")
    own = report_filters.build_order_filters(work, args, each=True)
    total = _count_orders(work, span, dates, own)
    per_page = args.get("per_page", 10)
    start = (args.get("page", 1) - 1) * per_page
    if not per_page or start >= total:
        return [], total
    orderby = args.get("orderby", "date")
    page = plan_reading(start, per_page, total)
    falls = (args.get("order", "desc") == "desc") != page.backwards
    if own.product is not None and orderby not in _ORDERS and _is_read_along(work, span, dates, page, total):
        own = ReportFilters(always=(*own.always, build_line_probe(own.product)))
    local = fact_order.c[dates]

    def build() -> Any:
        column = fact_order.c[_ORDERS[orderby]] if orderby in _ORDERS else local
        by = (column.desc(), fact_order.c.id.desc()) if falls else (column, fact_order.c.id)
        return (
            select(local.label("date"), *(fact_order.c[name] for name in _COLUMNS))
            .where(local >= bindparam("after"), local <= bindparam("before"), own.where(fact_order))
            .order_by(*by).limit(bindparam("limit")).offset(bindparam("start"))
        )  # fmt: skip

    statement = _SHAPES.get(("page", dates, orderby, falls, own.shape), build)
    bound = {"after": span.after, "before": span.before, **own.values}
    rows = work.tx.all(statement, limit=page.taken, start=page.skipped, **bound)
    return [OrderRow(*row) for row in (rows[::-1] if page.backwards else rows)], total


def _count_orders(work: UnitOfWork, span: ReportSpan, dates: OrderDate, own: ReportFilters) -> int:
    """Return how many orders and refunds a list has."""
    if own.statuses is not None:
        kept = rollup_rules.sum_orders(work, own.statuses, dates, None, span, 0, TOTAL)
        if kept is not None:
            return kept[TOTAL]["rows"] if kept else 0
    if own.product is not None:
        found = product_orders.count_orders_of(work, own.product, dates, span)
        if found is not None:
            return found
    local = fact_order.c[dates]
    statement = _SHAPES.get(
        ("count", dates, own.shape),
        lambda: (
            select(func.count()).select_from(fact_order)
            .where(local >= bindparam("after"), local <= bindparam("before"), own.where(fact_order))
        ),
    )  # fmt: skip
    return int(work.tx.value(statement, after=span.after, before=span.before, **own.values) or 0)


def _is_read_along(work: UnitOfWork, span: ReportSpan, dates: OrderDate, page: PageReading, total: int) -> bool:
    """Return whether looking at orders by their date until a page is full takes fewer than the product has."""
    every = StatusFilter(None, frozenset(get_excluded_statuses(work)))
    kept = rollup_rules.sum_orders(work, every, dates, None, span, 0, TOTAL)
    return kept is not None and TOTAL in kept and (page.skipped + page.taken) * kept[TOTAL]["rows"] < total * total


def load_totals(work: UnitOfWork, ids: Sequence[int]) -> dict[int, OrderRowTotals]:
    """Return the totals of orders by id."""
    refunded: dict[int, int] = dict(work.tx.all(_REFUNDED, ids=encode_list(ids)))
    return {
        id: OrderRowTotals(money.decode_amount(total), money.decode_amount(total - int(refunded.get(id, 0))), currency)
        for id, total, currency in work.tx.all(_TOTALS, ids=encode_list(ids))
    }


def format_totals(work: UnitOfWork, totals: OrderRowTotals | None) -> str:
    """Return the total of an order as text, with the net total where something was refunded."""
    if totals is None:
        return ""
    form = price_markup.build_shop_price_format(work, totals.currency)
    text = unescape(form.text(totals.total))
    return text if totals.left == totals.total else f"{text} {unescape(form.text(totals.left))}"


def load_contents(work: UnitOfWork, rows: Sequence[OrderRow]) -> OrderRowContents:
    """Return the contents of the orders and refunds of a page, in a fixed number of queries."""
    work.uses("product_variation", "coupon", "user")
    ids = encode_list(row.id for row in rows)
    lines: dict[int, list[tuple[int, str, int]]] = {}
    found = work.tx.all(_LINES, ids=ids)
    known = product_model.load_products_by_id(work, {variation or of for _, of, variation, _ in found})
    for order, of, variation, quantity in found:
        product = known.get(variation or of)
        lines.setdefault(order, []).append((variation or of, product.name if product else "", quantity))
    codes = dict(segment_items.list_coupons(work))
    coupons: dict[int, list[tuple[int, str]]] = {}
    for order, id in work.tx.all(_COUPONS, ids=ids):
        coupons.setdefault(order, []).append((id, codes.get(id, "")))
    customers = {
        row[0]: dict(zip(_CUSTOMER_NAMES, row, strict=True))
        for row in work.tx.all(_CUSTOMERS, ids=encode_list({row.customer for row in rows}))
    }
    return OrderRowContents(lines, coupons, customers, attribution.load_order_origins(work, [row.id for row in rows]))
