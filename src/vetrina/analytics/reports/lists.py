"""The reports that list items with their sales: products, variations, categories, coupons, tax rates.

A list is grouped by the database and sorted here, as it is never longer than the catalogue. Not here: orders and
customers (analytics/reports/orders.py, analytics/reports/customers.py), extended information
(analytics/reports/extended_info.py). Rules: docs/rules/analytics_reports.md, 1: items requested by id are always
listed, below everything sold; equal values are in the order of their ids.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import ColumnElement, and_, case, func, select

from vetrina.analytics.reports import filters as report_filters, segment_members
from vetrina.analytics.reports.conditions import ReportFilters
from vetrina.analytics.reports.engine import ReportRequest, query_rows
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.analytics.rollups import goods_spans, product_spans
from vetrina.analytics.rollups.goods_spans import PRODUCT, VARIATION, GoodsPart, GoodsTotal
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_tax
from vetrina.backends.tables.catalogue import product as product_table
from vetrina.backends.tables.records import record
from vetrina.backends.tables.terms import record_term, term
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import fold_text
from vetrina.kernel.integers import parse_digits

Item = TypeVar("Item")

_l, _c, _t = fact_line.c, fact_coupon.c, fact_tax.c
_NAMES = Statement(
    select(record.c.id, record.c.title, product_table.c.sku)
    .select_from(record.join(product_table, product_table.c.record == record.c.id))
    .where(InList(record.c.id, "ids"))
)
_VARIATION_COUNTS = Statement(
    select(record.c.parent, func.count())
    .where(InList(record.c.parent, "ids"), record.c.type == "product_variation")
    .group_by(record.c.parent)
)


_CATEGORIES_OF = Statement(
    select(record_term.c.record, term.c.id)
    .select_from(record_term.join(term, term.c.id == record_term.c.term))
    .where(InList(record_term.c.record, "ids"), term.c.taxonomy == "product_cat")
)


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


@dataclass(frozen=True, slots=True)
class CouponSum:
    """The discounts of a coupon. amount: millionths."""

    id: int
    amount: int = 0
    orders: int = 0


@dataclass(frozen=True, slots=True)
class TaxRateSum:
    """The taxes of a rate, in millionths. code: with country, state, name and priority."""

    id: int
    order_tax: int
    shipping_tax: int
    total: int
    orders: int
    code: str
    percent: Decimal

    @property
    def parts(self) -> tuple[str, str, str, int]:
        """Return name, country, state and priority, split off the code from the right.

        Missing parts are those on the left: the country of a rate without a state, the name of one without both.
        """
        parts = self.code.split("-")
        name, state = (parts[-at] if len(parts) >= at else parts[0] for at in (2, 3))
        return name.upper(), parts[0], state, parse_digits(parts[-1]) or 0


_SOLD: Final[dict[str, ColumnElement[Any]]] = {
    "items": func.sum(_l.quantity),
    "net": func.sum(_l.net),
    "orders": func.count(case((_l.gross >= 0, _l.order)).distinct()),
    "product": func.max(_l.product),
    "newest": func.max(_l.created),
}


def cut_page(items: Sequence[Item], page: int, per_page: int) -> ReportPage[Item]:
    """Return a page of a complete list."""
    return ReportPage(list(items[(page - 1) * per_page : page * per_page]), len(items))


def _build_sold_first_key(sold: Container[int], measure: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a sort key that puts unsold items below all sold ones, even those sold for nothing."""
    return lambda one: (one.id in sold, measure(one))


def sort_items(items: list[Item], key: Callable[[Item], Any], order: str, id: Callable[[Item], int]) -> list[Item]:
    """Return items in an order, equal ones by id."""
    return sorted(sorted(items, key=id), key=key, reverse=order == "desc")


def list_sold_products(work: UnitOfWork, span: ReportSpan, args: Mapping[str, Any]) -> list[SalesSum]:
    """Return the sales of each product.

    args: products, categories, match, order, orderby (date, net_revenue, orders_count, items_sold, product_name,
    variations, sku).
    """
    work.uses("order", "product")
    own = report_filters.build_line_filters(work, args)
    kept = product_spans.sum_sold_products(work, own.statuses, span) if own.statuses is not None else None
    if kept is not None:
        found = {
            id: SalesSum(id, items, net, orders, id, 0, newest) for id, items, net, orders, newest in kept.values()
        }
    else:
        rows = _sum_by_column(work, fact_line, _SOLD, _l.product, own, span, "sold products")
        found = {id: SalesSum(id, **sums) for id, sums in rows.items()}
    requested = report_filters.select_product_ids(
        work, args.get("products"), args.get("categories"), args.get("match", "all")
    )
    every = found | {id: SalesSum(id, product=id) for id in requested or () if id not in found}
    return _sort_sales(work, list(every.values()), found, args)


def list_sold_variations(work: UnitOfWork, span: ReportSpan, args: Mapping[str, Any]) -> list[SalesSum]:
    """Return the sales of each variation; orderby: as for products, without names and variations."""
    work.uses("order", "product", "product_variation")
    own = report_filters.build_line_filters(work, args, variations=True)
    parts = goods_spans.list_goods(work, own.statuses, span)
    if parts is not None:
        totals = goods_spans.total_by(parts, VARIATION)
        found = {id: _build_sales_sum(id, one) for id, one in totals.items() if id}
    else:
        # As in the report of categories, a refund counts as an order of its own.
        sums = {**_SOLD, "orders": func.count(_l.order.distinct())}
        rows = _sum_by_column(work, fact_line, sums, _l.variation, own, span, "sold variations")
        found = {id: SalesSum(id, **sums) for id, sums in rows.items()}
    # Unsold variations are not looked up.
    every = found | {id: SalesSum(id) for id in args.get("variations") or () if id not in found}
    return _sort_sales(work, list(every.values()), found, args)


def list_sold_categories(work: UnitOfWork, span: ReportSpan, args: Mapping[str, Any]) -> list[SalesSum]:
    """Return the sales of the products directly in each category.

    args: categories, status_is, status_is_not, order, orderby (category_id, items_sold, net_revenue, orders_count,
    products_count, category).
    """
    work.uses("order", "product", "product_cat")
    statuses = report_filters.build_status_filter(work, {**args, "match": "all"})
    parts = goods_spans.list_goods(work, statuses, span)
    found = _sum_by_category(work, span, args) if parts is None else _total_by_category(work, parts)
    wanted = args.get("categories") or ()
    found = [one for one in found if not wanted or one.id in wanted]
    sold = {one.id for one in found}
    found += [SalesSum(id) for id in wanted if id not in sold]
    names = segment_members.load_category_names(work)
    keys: dict[str, Callable[[SalesSum], Any]] = {
        "category_id": lambda one: one.id,
        "items_sold": _build_sold_first_key(sold, lambda one: one.items),
        "net_revenue": _build_sold_first_key(sold, lambda one: one.net),
        "orders_count": _build_sold_first_key(sold, lambda one: one.orders),
        "products_count": _build_sold_first_key(sold, lambda one: one.products),
        "category": lambda one: fold_text(names.get(one.id, "")),
    }
    return sort_items(found, keys[args.get("orderby", "category_id")], args.get("order", "desc"), lambda one: one.id)


def _total_by_category(work: UnitOfWork, parts: Sequence[GoodsPart]) -> list[SalesSum]:
    """Return the sales of each category from the parts of a span."""
    held: dict[int, list[int]] = {}
    for product, category in work.tx.all(
        _CATEGORIES_OF, ids=encode_list({row[0] for _, rows in parts for row in rows})
    ):
        held.setdefault(category, []).append(product)
    totals: dict[int, GoodsTotal] = {}
    for _, rows in parts:
        of_products = goods_spans.group_rows(rows, PRODUCT)
        for category, products in held.items():
            some = [row for id in products for row in of_products.get(id, ())]
            if some:
                totals.setdefault(category, GoodsTotal()).add_part(some)
    return [_build_sales_sum(id, one) for id, one in totals.items()]


def _build_sales_sum(id: int, one: GoodsTotal) -> SalesSum:
    return SalesSum(id, one.items, one.net, one.orders, max(one.products), len(one.products), one.newest)


def _sum_by_category(work: UnitOfWork, span: ReportSpan, args: Mapping[str, Any]) -> list[SalesSum]:
    """Return the sales of each category from the rows."""
    chosen, always = report_filters.build_status_conditions(work, args)
    own = ReportFilters(chosen, always)  # `match` joins nothing here: both conditions on the status hold
    sums = {**_SOLD, "orders": func.count(_l.order.distinct()), "products": func.count(_l.product.distinct())}
    held = record_term.c
    source = fact_line.join(record_term, held.record == _l.product).join(
        term, and_(term.c.id == held.term, term.c.taxonomy == "product_cat")
    )
    rows = query_rows(
        work, fact_line, tuple(sums.values()), "sold categories", ReportRequest(span, own), None, span, source=source,
        by=held.term,
    )  # fmt: skip
    return [
        SalesSum(id, **{name: int(value or 0) for name, value in zip(sums, row, strict=True)})
        for _, id, *row in rows
    ]  # fmt: skip


def list_used_coupons(work: UnitOfWork, span: ReportSpan, args: Mapping[str, Any]) -> list[CouponSum]:
    """Return the discounts of each coupon.

    args: coupons, match, order, orderby (coupon_id, code, amount, orders_count).
    """
    work.uses("order", "coupon")
    sums = {"amount": func.sum(_c.amount), "orders": func.count(_c.order.distinct())}
    rows = _sum_by_column(
        work, fact_coupon, sums, _c.coupon, report_filters.build_coupon_filters(work, args), span, "used coupons"
    )
    found = {id: CouponSum(id, **one) for id, one in rows.items()}
    every = found | {id: CouponSum(id) for id in args.get("coupons") or () if id not in found}
    codes = dict(segment_members.list_coupons(work))
    keys: dict[str, Callable[[CouponSum], Any]] = {
        "coupon_id": lambda one: one.id,
        "code": lambda one: fold_text(codes.get(one.id, "")),
        "amount": _build_sold_first_key(found, lambda one: one.amount),
        "orders_count": _build_sold_first_key(found, lambda one: one.orders),
    }
    key = keys[args.get("orderby", "coupon_id")]
    return sort_items(list(every.values()), key, args.get("order", "desc"), lambda one: one.id)


def list_charged_taxes(work: UnitOfWork, span: ReportSpan, args: Mapping[str, Any]) -> list[TaxRateSum]:
    """Return the taxes of each rate.

    args: taxes, match, order, orderby (tax_rate_id, name, tax_code, rate, order_tax, total_tax, shipping_tax,
    orders_count).
    """
    work.uses("order", "tax_rate")
    sums = {
        "order_tax": func.sum(_t.order_tax), "shipping_tax": func.sum(_t.shipping_tax), "total": func.sum(_t.total),
        "orders": func.count(case((_t.parent == 0, _t.order)).distinct()), "code": func.max(_t.code),
        "percent": func.max(_t.percent),
    }  # fmt: skip
    request = ReportRequest(span, report_filters.build_tax_filters(work, args))
    rows = query_rows(work, fact_tax, tuple(sums.values()), "taxed", request, None, span, by=_t.rate)
    found = []
    for _, id, *row in rows:
        tax, shipping, total, orders = (int(value or 0) for value in row[:4])
        found.append(TaxRateSum(id, tax, shipping, total, orders, row[4], Decimal(row[5]).scaleb(-6)))
    keys: dict[str, Callable[[TaxRateSum], Any]] = {
        "tax_rate_id": lambda one: one.id,
        "name": lambda one: fold_text(one.parts[0]),
        "tax_code": lambda one: fold_text(one.code),
        "rate": lambda one: one.percent,
        "order_tax": lambda one: one.order_tax,
        "total_tax": lambda one: one.total,
        "shipping_tax": lambda one: one.shipping_tax,
        "orders_count": lambda one: one.orders,
    }
    return sort_items(found, keys[args.get("orderby", "tax_rate_id")], args.get("order", "desc"), lambda one: one.id)


def _sort_sales(
    work: UnitOfWork, sales: list[SalesSum], sold: Container[int], args: Mapping[str, Any]
) -> list[SalesSum]:
    orderby = args.get("orderby", "date")
    keys: dict[str, Callable[[SalesSum], Any]] = {
        "date": _build_sold_first_key(sold, lambda one: one.newest),
        "net_revenue": _build_sold_first_key(sold, lambda one: one.net),
        "orders_count": _build_sold_first_key(sold, lambda one: one.orders),
        "items_sold": _build_sold_first_key(sold, lambda one: one.items),
    }
    if orderby not in keys:
        ids = encode_list(one.id for one in sales)
        if orderby == "variations":
            counts: dict[int, int] = dict(work.tx.all(_VARIATION_COUNTS, ids=ids))
            keys[orderby] = lambda one: counts.get(one.id, 0)
        else:
            sort_keys = {id: (fold_text(title), fold_text(sku)) for id, title, sku in work.tx.all(_NAMES, ids=ids)}
            at = 1 if orderby == "sku" else 0
            keys[orderby] = lambda one: sort_keys.get(one.id, ("", ""))[at]
    return sort_items(sales, keys[orderby], args.get("order", "desc"), lambda one: one.id)


def _sum_by_column(
    work: UnitOfWork,
    table: Any,
    sums: Mapping[str, ColumnElement[Any]],
    by: ColumnElement[Any] | None,
    own: ReportFilters,
    span: ReportSpan,
    name: str,
) -> dict[int, dict[str, int]]:
    rows = query_rows(work, table, tuple(sums.values()), name, ReportRequest(span, own), None, span, by=by)
    out = {}
    for _, *row in rows:
        id = row.pop(0) if by is not None else 0
        if row[0] is not None:
            out[int(id)] = {key: int(value or 0) for key, value in zip(sums, row, strict=True)}
    return out
