"""The legacy reports: the sales of some days, the best sellers, and how many objects of each kind there are.

The newer reports are in `analytics/`. Rules: docs/rules/shop_settings.md, 7.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import bindparam, func, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.catalogue import product as product_table, product_attribute
from vetrina.backends.tables.comments import comment
from vetrina.backends.tables.orders import coupon, order_item, shop_customer, shop_order, shop_refund
from vetrina.backends.tables.records import record
from vetrina.backends.tables.terms import term
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money, times
from vetrina.shop.orders import statuses as order_statuses, tallies

PERIODS: Final = ("week", "month", "last_month", "year")
_COUNTED_STATUSES: Final = ("completed", "processing", "on-hold", "refunded")
_DAY, _MONTH = "day", "month"
_MAX_DAYS_BY_DAY: Final = 62  # days
_MAX_EMPTY_PARTS: Final = 1200  # intervals of a period up to which empty ones are listed, too


@dataclass(frozen=True, slots=True)
class SalesReportPeriod:
    """Days in the site's time zone, both ends inclusive. by: day or month."""

    first: date
    last: date
    by: str

    @property
    def count(self) -> int:
        """Return the number of intervals."""
        if self.by == _DAY:
            return (self.last - self.first).days + 1
        return (self.last.year - self.first.year) * 12 + self.last.month - self.first.month + 1

    def names(self) -> list[str]:
        """Return the name of every interval: 2011-03-01, or 2011-03."""
        if self.by == _DAY:
            return [self.key(self.first + timedelta(days=at)) for at in range(self.count)]
        first = self.first.year * 12 + self.first.month - 1
        return [self.key(date(at // 12, at % 12 + 1, 1)) for at in range(first, first + self.count)]

    def key(self, day: date) -> str:
        """Return the name of the interval that contains a day."""
        return day.isoformat() if self.by == _DAY else day.isoformat()[:7]


@dataclass(slots=True)
class SalesTotals:
    """The sales of an interval."""

    sales: Decimal = money.ZERO
    orders: int = 0
    items: int = 0
    tax: Decimal = money.ZERO
    shipping: Decimal = money.ZERO
    discount: Decimal = money.ZERO
    customers: int = 0


@dataclass(slots=True)
class SalesReport:
    """The sales of a period. parts: all intervals, or, over centuries, only those with sales."""

    span: SalesReportPeriod
    parts: dict[str, SalesTotals] = field(default_factory=dict)
    refunds: Decimal = money.ZERO

    def sum(self, name: str) -> Any:
        """Return the sum of a member over all intervals."""
        return sum((getattr(part, name) for part in self.parts.values()), type(getattr(SalesTotals(), name))(0))

    @property
    def net(self) -> Decimal:
        """Return the sales without taxes and shipping."""
        net: Decimal = self.sum("sales") - self.sum("tax") - self.sum("shipping")
        return net


_ORDERS = Statement(
    select(
        shop_order.c.id, shop_order.c.created, shop_order.c.total, shop_order.c.total_tax, shop_order.c.shipping,
        shop_order.c.discount,
    ).where(
        InList(shop_order.c.status, "statuses"), shop_order.c.created >= bindparam("first"),
        shop_order.c.created < bindparam("end"),
    )
)  # fmt: skip
_QUANTITY_BY_ORDER = Statement(
    select(order_item.c.owner, func.sum(order_item.c.quantity))
    .where(InList(order_item.c.owner, "orders"), order_item.c.kind == "line")
    .group_by(order_item.c.owner)
)
_REFUNDS = Statement(
    select(shop_refund.c.created, shop_refund.c.amount).where(
        shop_refund.c.created >= bindparam("first"), shop_refund.c.created < bindparam("end")
    )
)
_REGISTRATIONS = Statement(
    select(account.c.registered).where(
        account.c.registered >= bindparam("first"), account.c.registered < bindparam("end"),
        account.c.roles.contains('"customer"'),
    )
)  # fmt: skip
_BEST_SELLERS = Statement(
    select(order_item.c.product, func.max(order_item.c.name), func.sum(order_item.c.quantity))
    .select_from(order_item.join(shop_order, shop_order.c.id == order_item.c.owner))
    .where(
        order_item.c.kind == "line", order_item.c.product > 0, InList(shop_order.c.status, "statuses"),
        shop_order.c.created >= bindparam("first"), shop_order.c.created < bindparam("end"),
    )
    .group_by(order_item.c.product)
    .order_by(func.sum(order_item.c.quantity).desc(), order_item.c.product)
    .limit(bindparam("limit"))
)  # fmt: skip


def build_report_period(work: UnitOfWork, period: str, first: date | None, last: date | None) -> SalesReportPeriod:
    """Return the days of a report.

    period: one of PERIODS, used where no days are given. first, last: the days themselves.
    """
    today = _to_local_date(work, work.now)
    if first is not None or last is not None:
        begin, end = first or last or today, last or today
        begin, end = min(begin, end), max(begin, end)
    elif period == "month":
        begin, end = today.replace(day=1), today
    elif period == "last_month":
        end = today.replace(day=1) - timedelta(days=1)
        begin = end.replace(day=1)
    elif period == "year":
        begin, end = today.replace(month=1, day=1), today
    else:
        begin, end = today - timedelta(days=6), today
    long = (end - begin).days > _MAX_DAYS_BY_DAY
    return SalesReportPeriod(begin, end, _MONTH if long else _DAY)


def build_sales_report(work: UnitOfWork, span: SalesReportPeriod) -> SalesReport:
    """Return the sales of a period."""
    work.uses("order", "user")
    parts = defaultdict(
        SalesTotals, {key: SalesTotals() for key in span.names()} if span.count <= _MAX_EMPTY_PARTS else {}
    )
    bounds = _build_period_bounds(work, span)
    rows = work.tx.all(_ORDERS, statuses=encode_list(_COUNTED_STATUSES), **bounds)
    pieces: dict[int, Any] = (
        dict(work.tx.all(_QUANTITY_BY_ORDER, orders=encode_list(row[0] for row in rows))) if rows else {}
    )
    for id, created, total, tax, shipping, discount in rows:
        part = parts[span.key(_to_local_date(work, created))]
        part.sales += money.decode_amount(total)
        part.tax += money.decode_amount(tax)
        part.shipping += money.decode_amount(shipping)
        part.discount += money.decode_amount(discount)
        part.orders += 1
        part.items += int(pieces.get(id, 0))
    refunds = money.ZERO
    for created, amount in work.tx.all(_REFUNDS, **bounds):
        refunds += money.decode_amount(amount)
        parts[span.key(_to_local_date(work, created))].sales -= money.decode_amount(amount)
    for (registered,) in work.tx.all(_REGISTRATIONS, **bounds):
        parts[span.key(_to_local_date(work, registered))].customers += 1
    return SalesReport(span, dict(sorted(parts.items())), refunds)


def list_best_sellers(work: UnitOfWork, span: SalesReportPeriod, limit: int = 12) -> list[tuple[int, str, int]]:
    """Return the products with the most pieces sold in a period: id, name, pieces."""
    work.uses("order")
    rows = work.tx.all(
        _BEST_SELLERS, statuses=encode_list(_COUNTED_STATUSES), limit=limit, **_build_period_bounds(work, span)
    )
    return [(int(id), str(name), int(sold)) for id, name, sold in rows]


def _build_period_bounds(work: UnitOfWork, span: SalesReportPeriod) -> dict[str, int]:
    # Midnights; the one after the last possible day stays at the end of that day.
    end = f"{span.last + timedelta(days=1)}T00:00:00" if span.last < date.max else f"{span.last}T23:59:59"
    return {"first": work.zone.parse_nearest(f"{span.first}T00:00:00")[1], "end": work.zone.parse_nearest(end)[1]}


def _to_local_date(work: UnitOfWork, moment: int) -> date:
    return date.fromisoformat(times.format_iso(work.zone.to_local(moment))[:10])


# -- counts of each kind

_CountRow = tuple[str, str, int]
_BY_KIND = Statement(
    select(product_table.c.kind, func.count())
    .select_from(product_table.join(record, record.c.id == product_table.c.record))
    .where(record.c.type == "product", record.c.status == "publish")
    .group_by(product_table.c.kind)
)
_CUSTOMERS = Statement(select(func.count()).where(account.c.roles.contains('"customer"')))
_PAYING_CUSTOMERS = Statement(
    select(func.count())
    .select_from(shop_customer.join(account, account.c.id == shop_customer.c.account))
    .where(shop_customer.c.paying.is_(True), account.c.roles.contains('"customer"'))
)
_COUPONS = Statement(select(coupon.c.kind, func.count()).where(coupon.c.status == "publish").group_by(coupon.c.kind))
_REVIEWS = Statement(select(comment.c.meta).where(comment.c.type == "review", comment.c.status == "approved"))
_TERMS = Statement(select(func.count()).where(term.c.taxonomy == bindparam("taxonomy")))
_ATTRIBUTES = Statement(select(func.count()).select_from(product_attribute))

_PRODUCT_TYPE_NAMES: Final[Mapping[str, str]] = {
    "external": "External/Affiliate product", "grouped": "Grouped product", "simple": "Simple product",
    "variable": "Variable product",
}  # fmt: skip
_DISCOUNT_TYPE_NAMES: Final[Mapping[str, str]] = {
    "percent": "Percentage discount", "fixed_cart": "Fixed cart discount", "fixed_product": "Fixed product discount",
}  # fmt: skip
_STARS: Final = range(1, 6)


def list_entity_counts(work: UnitOfWork, what: str) -> list[_CountRow]:
    """Return how many objects there are: slug, name, count.

    what: orders, products, customers, coupons, reviews, categories, tags or attributes.
    """
    work.uses("order", "product", "coupon", "user", "comment", "product_cat", "product_tag", "product_attribute")
    match what:
        case "orders":
            return _build_count_rows(order_statuses.STATUS_NAMES, tallies.count_by_status(work.tx))
        case "products":
            return _build_count_rows(_PRODUCT_TYPE_NAMES, dict(work.tx.all(_BY_KIND)))
        case "customers":
            every, paying = int(work.tx.value(_CUSTOMERS) or 0), int(work.tx.value(_PAYING_CUSTOMERS) or 0)
            return [("paying", "Paying customer", paying), ("non_paying", "Non-paying customer", every - paying)]
        case "coupons":
            return _build_count_rows(_DISCOUNT_TYPE_NAMES, dict(work.tx.all(_COUPONS)))
        case "reviews":
            return _count_reviews_by_stars(work)
        case "categories" | "tags":
            taxonomy = {"categories": "product_cat", "tags": "product_tag"}[what]
            return [(what, what.capitalize(), int(work.tx.value(_TERMS, taxonomy=taxonomy) or 0))]
        case _:
            return [("attributes", "Attributes", int(work.tx.value(_ATTRIBUTES) or 0))]


def _build_count_rows(names: Mapping[str, str], counts: Mapping[Any, Any]) -> list[_CountRow]:
    return [(slug, name, int(counts.get(slug, 0))) for slug, name in names.items()]


def _count_reviews_by_stars(work: UnitOfWork) -> list[_CountRow]:
    import orjson

    counted = dict.fromkeys(_STARS, 0)
    for (written,) in work.tx.all(_REVIEWS):
        rating = orjson.loads(written).get("rating")
        if str(rating).isdecimal() and int(rating) in counted:
            counted[int(rating)] += 1
    return [(f"rated_{stars}_out_of_5", f"Rated {stars} out of 5", counted[stars]) for stars in _STARS]
