"""The reports that list things with what was sold of them: products, variations, categories, coupons, tax rates.

A list is grouped by the database and ordered here, for it is never longer than the catalogue. Not here: orders and
customers (analytics/reports/orders.py, analytics/reports/customers.py), what is said of each thing
(analytics/reports/extended_info.py). Rules: facts, "The reports": what was asked for by its number is always there,
below all that was sold; equal values stand in the order of their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import ColumnElement, and_, case, func, select

from vetrina.analytics.reports import filters as report_filters
from vetrina.analytics.reports import segment_members
from vetrina.analytics.reports.conditions import Filters
from vetrina.analytics.reports.engine import Asked, rows_by
from vetrina.analytics.reports.intervals import Span
from vetrina.analytics.rollups import product_spans
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_tax
from vetrina.backends.tables.catalogue import product as product_table
from vetrina.backends.tables.core import record, record_term, term
from vetrina.core.unit_of_work import Work
from vetrina.kernel.folding import fold
from vetrina.kernel.integers import whole

__all__ = ["Listed", "Sold", "Taxed", "Used", "categories", "coupons", "cut", "products", "taxes", "variations"]

Item = TypeVar("Item")

_l, _c, _t = fact_line.c, fact_coupon.c, fact_tax.c
_NAMES = Statement(
    select(record.c.id, record.c.title, product_table.c.sku)
    .select_from(record.join(product_table, product_table.c.record == record.c.id))
    .where(Among(record.c.id, "ids"))
)
_VARIATION_COUNTS = Statement(
    select(record.c.parent, func.count())
    .where(Among(record.c.parent, "ids"), record.c.type == "product_variation")
    .group_by(record.c.parent)
)


@dataclass(frozen=True, slots=True)
class Listed(Generic[Item]):
    """A page of a list, and how many there are in all."""

    items: list[Item]
    total: int


@dataclass(frozen=True, slots=True)
class Sold:
    """What was sold of a product, a variation or a category. net: millionths. newest: local time of the last sale."""

    id: int
    items: int = 0
    net: int = 0
    orders: int = 0
    product: int = 0
    products: int = 0
    newest: int = 0


@dataclass(frozen=True, slots=True)
class Used:
    """What a coupon took off. amount: millionths."""

    id: int
    amount: int = 0
    orders: int = 0


@dataclass(frozen=True, slots=True)
class Taxed:
    """What a tax rate came to, in millionths. place: country and state of its code."""

    id: int
    order_tax: int
    shipping_tax: int
    total: int
    orders: int
    code: str
    percent: Decimal

    @property
    def parts(self) -> tuple[str, str, str, int]:
        """Return name, country, state and priority, cut from the code from behind.

        What a code lacks is its first part: the country of a rate without a state, the name of one without both.
        """
        parts = self.code.split("-")
        name, state = (parts[-at] if len(parts) >= at else parts[0] for at in (2, 3))
        return name.upper(), parts[0], state, whole(parts[-1]) or 0


_SOLD: Final[dict[str, ColumnElement[Any]]] = {
    "items": func.sum(_l.quantity),
    "net": func.sum(_l.net),
    "orders": func.count(case((_l.gross >= 0, _l.order)).distinct()),
    "product": func.max(_l.product),
    "newest": func.max(_l.created),
}


def cut(found: Sequence[Item], page: int, per_page: int) -> Listed[Item]:
    """Return a page of a whole list."""
    return Listed(list(found[(page - 1) * per_page : page * per_page]), len(found))


def _above(sold: Container[int], measure: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the key of a measure by which what was not sold is less than all that was, be it sold for nothing."""
    return lambda one: (one.id in sold, measure(one))


def ranked(found: list[Item], key: Callable[[Item], Any], order: str, id: Callable[[Item], int]) -> list[Item]:
    """Return things in an order, equal ones by their numbers."""
    return sorted(sorted(found, key=id), key=key, reverse=order == "desc")


def products(work: Work, span: Span, args: Mapping[str, Any]) -> list[Sold]:
    """Return what was sold of each product.

    args: products, categories, match, order, orderby (date, net_revenue, orders_count, items_sold, product_name,
    variations, sku).
    """
    work.uses("order", "product")
    own = report_filters.of_lines(work, args)
    kept = product_spans.sold(work, own.statuses, span) if own.statuses is not None else None
    if kept is not None:
        found = {id: Sold(id, items, net, orders, id, 0, newest) for id, items, net, orders, newest in kept.values()}
    else:
        rows = _grouped(work, fact_line, _SOLD, _l.product, own, span, "sold products")
        found = {id: Sold(id, **sums) for id, sums in rows.items()}
    asked = report_filters.product_ids(work, args.get("products"), args.get("categories"), args.get("match", "all"))
    every = found | {id: Sold(id, product=id) for id in asked or () if id not in found}
    return _ordered(work, list(every.values()), found, args)


def variations(work: Work, span: Span, args: Mapping[str, Any]) -> list[Sold]:
    """Return what was sold of each variation; orderby: as for products, without names and variations."""
    work.uses("order", "product", "product_variation")
    own = report_filters.of_lines(work, args, variations=True)
    # As in the report of categories, a refund counts as an order of its own.
    sums = {**_SOLD, "orders": func.count(_l.order.distinct())}
    rows = _grouped(work, fact_line, sums, _l.variation, own, span, "sold variations")
    found = {id: Sold(id, **sums) for id, sums in rows.items()}
    # Of what was not sold nobody looks up the product.
    every = found | {id: Sold(id) for id in args.get("variations") or () if id not in found}
    return _ordered(work, list(every.values()), found, args)


def categories(work: Work, span: Span, args: Mapping[str, Any]) -> list[Sold]:
    """Return what was sold of each category's own products.

    args: categories, status_is, status_is_not, order, orderby (category_id, items_sold, net_revenue, orders_count,
    products_count, category).
    """
    work.uses("order", "product", "product_cat")
    chosen, always = report_filters.statuses(work, args)
    own = Filters(chosen, always)  # `match` joins nothing here: both conditions on the status hold
    sums = {**_SOLD, "orders": func.count(_l.order.distinct()), "products": func.count(_l.product.distinct())}
    wanted = args.get("categories") or ()
    held = record_term.c
    source = fact_line.join(record_term, held.record == _l.product).join(
        term, and_(term.c.id == held.term, term.c.taxonomy == "product_cat")
    )
    rows = rows_by(
        work, fact_line, tuple(sums.values()), "sold categories", Asked(span, own), None, span, source=source,
        by=held.term,
    )  # fmt: skip
    found = [
        Sold(id, **{name: int(value or 0) for name, value in zip(sums, row, strict=True)})
        for _, id, *row in rows
        if not wanted or id in wanted
    ]
    sold = {one.id for one in found}
    found += [Sold(id) for id in wanted if id not in sold]
    names = segment_members.category_names(work)
    keys: dict[str, Callable[[Sold], Any]] = {
        "category_id": lambda one: one.id,
        "items_sold": _above(sold, lambda one: one.items),
        "net_revenue": _above(sold, lambda one: one.net),
        "orders_count": _above(sold, lambda one: one.orders),
        "products_count": _above(sold, lambda one: one.products),
        "category": lambda one: fold(names.get(one.id, "")),
    }
    return ranked(found, keys[args.get("orderby", "category_id")], args.get("order", "desc"), lambda one: one.id)


def coupons(work: Work, span: Span, args: Mapping[str, Any]) -> list[Used]:
    """Return what each coupon took off.

    args: coupons, match, order, orderby (coupon_id, code, amount, orders_count).
    """
    work.uses("order", "coupon")
    sums = {"amount": func.sum(_c.amount), "orders": func.count(_c.order.distinct())}
    rows = _grouped(work, fact_coupon, sums, _c.coupon, report_filters.of_coupons(work, args), span, "used coupons")
    found = {id: Used(id, **one) for id, one in rows.items()}
    every = found | {id: Used(id) for id in args.get("coupons") or () if id not in found}
    codes = dict(segment_members.coupons(work))
    keys: dict[str, Callable[[Used], Any]] = {
        "coupon_id": lambda one: one.id,
        "code": lambda one: fold(codes.get(one.id, "")),
        "amount": _above(found, lambda one: one.amount),
        "orders_count": _above(found, lambda one: one.orders),
    }
    key = keys[args.get("orderby", "coupon_id")]
    return ranked(list(every.values()), key, args.get("order", "desc"), lambda one: one.id)


def taxes(work: Work, span: Span, args: Mapping[str, Any]) -> list[Taxed]:
    """Return what each tax rate came to.

    args: taxes, match, order, orderby (tax_rate_id, name, tax_code, rate, order_tax, total_tax, shipping_tax,
    orders_count).
    """
    work.uses("order", "tax_rate")
    sums = {
        "order_tax": func.sum(_t.order_tax), "shipping_tax": func.sum(_t.shipping_tax), "total": func.sum(_t.total),
        "orders": func.count(case((_t.parent == 0, _t.order)).distinct()), "code": func.max(_t.code),
        "percent": func.max(_t.percent),
    }  # fmt: skip
    asked = Asked(span, report_filters.of_taxes(work, args))
    rows = rows_by(work, fact_tax, tuple(sums.values()), "taxed", asked, None, span, by=_t.rate)
    found = []
    for _, id, *row in rows:
        tax, shipping, total, orders = (int(value or 0) for value in row[:4])
        found.append(Taxed(id, tax, shipping, total, orders, row[4], Decimal(row[5]).scaleb(-6)))
    keys: dict[str, Callable[[Taxed], Any]] = {
        "tax_rate_id": lambda one: one.id,
        "name": lambda one: fold(one.parts[0]),
        "tax_code": lambda one: fold(one.code),
        "rate": lambda one: one.percent,
        "order_tax": lambda one: one.order_tax,
        "total_tax": lambda one: one.total,
        "shipping_tax": lambda one: one.shipping_tax,
        "orders_count": lambda one: one.orders,
    }
    return ranked(found, keys[args.get("orderby", "tax_rate_id")], args.get("order", "desc"), lambda one: one.id)


def _ordered(work: Work, found: list[Sold], sold: Container[int], args: Mapping[str, Any]) -> list[Sold]:
    orderby = args.get("orderby", "date")
    keys: dict[str, Callable[[Sold], Any]] = {
        "date": _above(sold, lambda one: one.newest),
        "net_revenue": _above(sold, lambda one: one.net),
        "orders_count": _above(sold, lambda one: one.orders),
        "items_sold": _above(sold, lambda one: one.items),
    }
    if orderby not in keys:
        ids = listed(one.id for one in found)
        if orderby == "variations":
            counts: dict[int, int] = dict(work.tx.all(_VARIATION_COUNTS, ids=ids))
            keys[orderby] = lambda one: counts.get(one.id, 0)
        else:
            told = {id: (fold(title), fold(sku)) for id, title, sku in work.tx.all(_NAMES, ids=ids)}
            at = 1 if orderby == "sku" else 0
            keys[orderby] = lambda one: told.get(one.id, ("", ""))[at]
    return ranked(found, keys[orderby], args.get("order", "desc"), lambda one: one.id)


def _grouped(
    work: Work, table: Any, sums: Mapping[str, ColumnElement[Any]], by: ColumnElement[Any] | None, own: Filters,
    span: Span, name: str,
) -> dict[int, dict[str, int]]:  # fmt: skip
    rows = rows_by(work, table, tuple(sums.values()), name, Asked(span, own), None, span, by=by)
    out = {}
    for _, *row in rows:
        id = row.pop(0) if by is not None else 0
        if row[0] is not None:
            out[int(id)] = {key: int(value or 0) for key, value in zip(sums, row, strict=True)}
    return out
