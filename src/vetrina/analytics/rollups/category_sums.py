"""Sums of orders by the category of their lines, kept of days and months that are over.

Contains only the statuses that count by the shop's setting; when that changes they are deleted
(analytics/rollups/product_store.py). An order that changes makes its day and its month forgotten, and a job keeps them
again. A product that moves to another category does not: what is kept tells under which categories it was counted, and
is read only while they are the same (analytics/rollups/category_members.py); a job forgets the rest
(analytics/rollups/category_jobs.py). What is not kept is counted from the rows. Rules:
docs/rules/analytics_measures.md, 9: an order counts once for a category, however many of its lines belong to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import orjson
from sqlalchemy import BigInteger, ColumnElement, bindparam, delete, exists, func, literal_column, select

from vetrina.analytics.facts.coupon_orders import bind_coupon_ends, join_coupons
from vetrina.analytics.facts.reportable_orders import KINDS, OrderDate, get_date_setting, get_excluded_statuses
from vetrina.analytics.reports.conditions import StatusFilter
from vetrina.analytics.reports.intervals import (
    FIRST_DAY,
    IntervalKind,
    ReportSpan,
    build_key_expression,
)
from vetrina.analytics.reports.measures import LINE_PARTS, add_line_columns, build_line_columns
from vetrina.analytics.rollups import category_members, periods, product_spans, span_parts
from vetrina.analytics.rollups.id_sets import list_ids, pack_ids
from vetrina.analytics.rollups.periods import CATEGORY_DAY, CATEGORY_MONTH, MONTH, SECONDS
from vetrina.analytics.rollups.span_parts import PartSource
from vetrina.backends.database import DatabaseKind, Statement
from vetrina.backends.statement_cache import ArrayAgg, InList, UnindexedColumn, build_upsert, encode_list
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order
from vetrina.backends.tables.rollups import rollup_category as table, rollup_category_goods as goods_table
from vetrina.core.unit_of_work import UnitOfWork

_o, _l, _c = fact_order.c, fact_line.c, fact_coupon.c
SUMS: Final = (*LINE_PARTS, "orders", "order_items", "order_net")
_WHOLE: Final = ("items", "net", "customer")  # columns of an order that has a line of a category


class CategorySums(NamedTuple):
    """The orders of a period that have products of a category. sums: as SUMS; customers, coupons: packed ids."""

    category: int
    sums: tuple[int, ...]
    customers: bytes
    coupons: bytes


def _build_day(dates: OrderDate) -> ColumnElement[int]:
    day = build_key_expression("day", fact_order, dates) - literal_column(str(FIRST_DAY), BigInteger)
    return day.label("day")


def _limit(dates: OrderDate) -> tuple[ColumnElement[bool], ...]:
    return (
        _o[dates] >= bindparam("after"), _o[dates] <= bindparam("before"), ~InList(_o.status, "excluded"),
    )  # fmt: skip


# From the orders of a span to their lines and on to the categories, not the other way round.
_LINES: Final = fact_order.join(fact_line, _l.order == UnindexedColumn(_o.id))


def _build_count(dates: OrderDate) -> Statement:
    def build(kind: DatabaseKind) -> Any:
        members = category_members.build_member_source(kind)
        source = _LINES.join(members, members.c.product == UnindexedColumn(_l.product))
        whole = (func.min(_o[name]).label(name) for name in _WHOLE)
        # First what an order has of a category, so that its whole figures count once.
        of_order = (
            select(_build_day(dates), members.c.category, *build_line_columns(members.c.times), *whole)
            .select_from(source).where(*_limit(dates)).group_by("day", members.c.category, _o.id)
            .subquery()
        )  # fmt: skip
        one = of_order.c
        sums = (*add_line_columns(one), func.count(), func.sum(one["items"]), func.sum(one.net))
        return select(one.day, one.category, *sums, ArrayAgg(one.customer, once=False)).group_by(one.day, one.category)

    return Statement(build)


def _build_coupons(dates: OrderDate) -> Statement:
    def build(kind: DatabaseKind) -> Any:
        members = category_members.build_member_source(kind)
        source = _LINES.join(members, members.c.product == UnindexedColumn(_l.product))
        return (
            select(_build_day(dates), members.c.category, ArrayAgg(_c.coupon))
            .select_from(join_coupons(source))
            .where(*_limit(dates)).group_by("day", members.c.category)
        )  # fmt: skip

    return Statement(build)


_COUNT: Final = {dates: _build_count(dates) for dates in KINDS}
_COUPONS: Final = {dates: _build_coupons(dates) for dates in KINDS}
_SOLD: Final = {
    dates: Statement(select(_l.product).distinct().select_from(_LINES).where(*_limit(dates))) for dates in KINDS
}


def _build_range(of: Any) -> tuple[ColumnElement[bool], ...]:
    return (
        of.c.kind == bindparam("kind"), of.c.dates == bindparam("dates"),
        of.c.unit >= bindparam("first"), of.c.unit <= bindparam("last"),
    )  # fmt: skip


_READ = Statement(
    select(*(column for column in table.c if column.name not in ("kind", "dates")))
    .where(*_build_range(table))
    .order_by(table.c.unit, table.c.category)
)
_READ_GOODS = Statement(
    select(goods_table.c.unit, goods_table.c.product_ids, goods_table.c.digest).where(*_build_range(goods_table))
)
_DELETE: Final = [
    Statement(
        delete(of).where(
            of.c.kind == bindparam("kind"), of.c.dates == bindparam("dates"), of.c.unit == bindparam("unit")
        )
    )
    for of in (table, goods_table)
]
_DELETE_ALL: Final = [Statement(delete(of)) for of in (table, goods_table)]
# Beside the days and months there is one row of all products: the categories that they were last compared with.
_CHECKED: Final = {"kind": "checked", "dates": "", "unit": 0}
_DIGESTS = Statement(
    select(
        select(goods_table.c.digest).where(*(goods_table.c[name] == value for name, value in _CHECKED.items()))
        .scalar_subquery(),
        exists().where(goods_table.c.kind != _CHECKED["kind"]),
    )
)  # fmt: skip
_PUT_CHECKED = Statement(
    build_upsert(
        goods_table, tuple(_CHECKED), {**_CHECKED, "product_ids": b"", "digest": bindparam("digest")},
        {"digest": bindparam("digest")},
    )
)  # fmt: skip


def sum_categories(
    work: UnitOfWork,
    statuses: StatusFilter,
    dates: OrderDate,
    kind: IntervalKind | None,
    span: ReportSpan,
    start: int,
    total: int,
) -> dict[tuple[int, int], dict[str, int]] | None:
    """Return the sums of orders by interval and category; by `total` where kind is None.

    start: the first day of the week. None where nothing is kept: of other statuses than those that count, by another
    date than the shop's setting, by the hour, and of a span without a whole day.
    """
    if kind == "hour" or dates != get_date_setting(work) or not product_spans.is_default_filter(work, statuses):
        return None
    found = span_parts.sum_segments(work, _SOURCE, dates, kind, span, start, total, lambda one: one.category)
    if found is None:
        return None
    return {
        at: {
            **dict(zip(SUMS, one.sums, strict=True)),
            "customers": len(one.customers),
            "coupons_count": len(one.coupons),
        }
        for at, one in found.items()
    }


def list_valid_units(work: UnitOfWork, kind: str, dates: str, first: int = 0, last: int = 10_000_000) -> list[int]:
    """Return which days or months are kept under the categories of now, in order."""
    members = category_members.load_members(work)
    rows = work.tx.all(_READ_GOODS, kind=kind, dates=dates, first=first, last=last)
    return sorted(unit for unit, sold, digest in rows if members.compute_digest(sold) == digest)


def find_checked_digest(work: UnitOfWork) -> str | None:
    """Return the digest of all categories that what is kept was last compared with, empty for none.

    None where nothing is kept.
    """
    [(checked, is_kept)] = work.tx.all(_DIGESTS)
    return (checked or "") if is_kept else None


def save_checked_digest(work: UnitOfWork, digest: str) -> None:
    """Note that what is kept has been compared with these categories."""
    work.tx.run(_PUT_CHECKED, digest=digest)


# -- keeping


def compute_period(work: UnitOfWork, kind: str, dates: OrderDate, unit: int) -> list[CategorySums]:
    """Return the sums of a day or a month from the rows themselves."""
    return _join_parts(one for _, one in _count_parts(work, dates, *_compute_ends(kind, unit)))


def load_period(work: UnitOfWork, kind: str, dates: OrderDate, unit: int) -> list[CategorySums]:
    """Return what is kept of a day or a month under the categories of now."""
    return [one for _, one in _read_kept(work, kind, dates, unit, unit)]


def save_period(work: UnitOfWork, kind: str, dates: OrderDate, unit: int) -> None:
    """Keep a day, or a month from its days; nothing is kept of it yet."""
    after, before = _compute_ends(kind, unit)
    if kind == CATEGORY_DAY:
        rows = compute_period(work, kind, dates, unit)
    else:
        days = span_parts.iterate_days(work, _SOURCE, dates, after // SECONDS, before // SECONDS)
        rows = _join_parts(one for _, one in days)
    sold = pack_ids(row[0] for row in work.tx.all(_SOLD[dates], **_bind_ends(work, after, before)))
    work.tx.load(table, [(kind, dates, unit, one.category, *one.sums, one.customers, one.coupons) for one in rows])
    digest = category_members.load_members(work).compute_digest(sold)
    work.tx.load(goods_table, [(kind, dates, unit, sold, digest)])
    periods.add_period(work, kind, dates, unit)


def delete_period(work: UnitOfWork, kind: str, dates: str, unit: int) -> None:
    """Forget a day or a month."""
    periods.forget_period(work, kind, dates, unit)
    for statement in _DELETE:
        work.tx.run(statement, kind=kind, dates=dates, unit=unit)


def delete_all_periods(work: UnitOfWork) -> None:
    """Forget all days and months: the setting for what counts has changed."""
    periods.forget_kinds(work, (CATEGORY_DAY, CATEGORY_MONTH))
    for statement in _DELETE_ALL:
        work.tx.run(statement)


def _compute_ends(kind: str, unit: int) -> tuple[int, int]:
    unit_kind = MONTH if kind == CATEGORY_MONTH else CATEGORY_DAY
    return periods.compute_unit_start(unit_kind, unit), periods.compute_unit_start(unit_kind, unit + 1) - 1


def _bind_ends(work: UnitOfWork, after: int, before: int) -> dict[str, Any]:
    return {"after": after, "before": before, "excluded": encode_list(get_excluded_statuses(work))}


def _join_parts(parts: Iterable[CategorySums]) -> list[CategorySums]:
    """Return the sums of parts of a period together, in the order of their categories."""
    joined: dict[int, list[CategorySums]] = {}
    for one in parts:
        joined.setdefault(one.category, []).append(one)
    return [
        CategorySums(
            category, tuple(map(sum, zip(*(one.sums for one in some), strict=True))),
            pack_ids(id for one in some for id in list_ids(one.customers)),
            pack_ids(id for one in some for id in list_ids(one.coupons)),
        )
        for category, some in sorted(joined.items())
    ]  # fmt: skip


def _read_kept(
    work: UnitOfWork, kind: str, dates: OrderDate, first: int, last: int
) -> Iterator[tuple[int, CategorySums]]:
    valid = set(list_valid_units(work, kind, dates, first, last))
    for unit, category, *sums, customers, coupons in work.tx.all(_READ, kind=kind, dates=dates, first=first, last=last):
        if unit in valid:
            yield unit, CategorySums(category, tuple(sums), customers, coupons)


def _count_parts(work: UnitOfWork, dates: OrderDate, after: int, before: int) -> list[tuple[int, CategorySums]]:
    """Return sums by day from the orders' rows; a report asks for the same ones by interval and for its totals."""
    key = f"rollup categories {dates} {after} {before}"
    found: list[tuple[int, CategorySums]] | None = None if work.tx.writes else work.lookups.get(key)
    if found is not None:
        return found
    bound, ends = {**_bind_ends(work, after, before), **category_members.bind_members(work)}, bind_coupon_ends(work)
    used = {
        (day, category): pack_ids(orjson.loads(ids))
        for day, category, ids in work.tx.all(_COUPONS[dates], **bound, **ends)
    }
    found = []
    for day, category, *sums, customers in work.tx.all(_COUNT[dates], **bound):
        parts = tuple(int(value or 0) for value in sums)
        sets = pack_ids(orjson.loads(customers)), used.get((day, category), b"")
        found.append((day, CategorySums(category, parts, *sets)))
    work.lookups[key] = found
    return found


_SOURCE: Final = PartSource(CATEGORY_DAY, CATEGORY_MONTH, _read_kept, _count_parts, list_valid_units)
