"""Sums of orders by new and returning customers, kept of days and months that are over.

An order that changes makes its day and its month forgotten, and so does one that turns from a customer's first into a
later one because another changed; a job keeps them again. What is not kept is counted from the rows. Not here: which
order is a customer's first (analytics/facts/returning_customers.py). Rules: docs/rules/analytics_measures.md, 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import orjson
from sqlalchemy import BigInteger, ColumnElement, bindparam, delete, func, literal_column, select

from vetrina.analytics.facts.coupon_orders import bind_coupon_ends, join_coupons
from vetrina.analytics.facts.reportable_orders import KINDS, OrderDate, get_date_setting
from vetrina.analytics.reports.conditions import StatusFilter
from vetrina.analytics.reports.intervals import (
    FIRST_DAY,
    IntervalKind,
    ReportSpan,
    build_key_expression,
)
from vetrina.analytics.rollups import periods, span_parts
from vetrina.analytics.rollups.id_sets import list_ids, pack_ids
from vetrina.analytics.rollups.periods import MONTH, SECONDS, TYPE_DAY, TYPE_MONTH
from vetrina.analytics.rollups.span_parts import PartSource
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import ArrayAgg
from vetrina.backends.tables.analytics import fact_coupon, fact_order
from vetrina.backends.tables.rollups import rollup_customer_type as table
from vetrina.core.unit_of_work import UnitOfWork

_o = fact_order.c
_SUMS: Final[dict[str, ColumnElement[Any]]] = {
    "orders": func.count(), "items": func.sum(_o["items"]), "total": func.sum(_o.total), "taxes": func.sum(_o.tax),
    "shipping": func.sum(_o.shipping), "net": func.sum(_o.net), "coupons": func.sum(_o.coupons),
}  # fmt: skip
# What the sums are called in reports; of orders without refunds some are the same.
_NAMES: Final = {
    "rows": "orders", "orders": "orders", "items": "items", "order_items": "items", "order_net": "net",
    "taxes": "taxes", "shipping": "shipping", "net": "net", "total": "total", "coupons": "coupons",
}  # fmt: skip


class TypeSums(NamedTuple):
    """The orders of one status and one type of customers. repeat: 0 new, 1 returning. sums: as _SUMS; ids: packed."""

    status: str
    repeat: int
    sums: tuple[int, ...]
    customers: bytes
    coupons: bytes


def _build_day_statement(dates: OrderDate, source: Any, *columns: ColumnElement[Any]) -> Statement:
    first = literal_column(str(FIRST_DAY), BigInteger)
    day = (build_key_expression("day", fact_order, dates) - first).label("day")
    return Statement(
        select(day, _o.status, _o.repeat, *columns)
        .select_from(source)
        .where(_o[dates] >= bindparam("after"), _o[dates] <= bindparam("before"), _o.parent == 0)
        .group_by("day", _o.status, _o.repeat)
    )


_COUNT: Final = {
    dates: _build_day_statement(dates, fact_order, *_SUMS.values(), ArrayAgg(_o.customer, once=False))
    for dates in KINDS
}
_COUPONS: Final = {
    dates: _build_day_statement(dates, join_coupons(fact_order), ArrayAgg(fact_coupon.c.coupon, once=False))
    for dates in KINDS
}
_of_kind = (table.c.kind == bindparam("kind"), table.c.dates == bindparam("dates"))
_READ = Statement(
    select(*(column for column in table.c if column.name not in ("kind", "dates")))
    .where(*_of_kind, table.c.unit >= bindparam("first"), table.c.unit <= bindparam("last"))
    .order_by(table.c.unit)
)  # fmt: skip
_DELETE = Statement(delete(table).where(*_of_kind, table.c.unit == bindparam("unit")))
_DELETE_ALL = Statement(delete(table))


def sum_customer_types(
    work: UnitOfWork,
    statuses: StatusFilter,
    dates: OrderDate,
    kind: IntervalKind | None,
    span: ReportSpan,
    start: int,
    total: int,
) -> dict[tuple[int, int], dict[str, int]] | None:
    """Return the sums of orders without refunds by interval and type: 0 for new customers, 1 for returning ones.

    By `total` where kind is None. start: the first day of the week. None where nothing is kept: by another date than
    the shop's setting, by the hour, and of a span without a whole day.
    """
    if kind == "hour" or dates != get_date_setting(work):
        return None
    found = span_parts.sum_segments(
        work, _SOURCE, dates, kind, span, start, total,
        lambda one: one.repeat if statuses.includes(one.status) else None,
    )  # fmt: skip
    if found is None:
        return None
    return {at: _name_sums(one.sums) | one.count_sets() for at, one in found.items()}


def _name_sums(sums: Iterable[int]) -> dict[str, int]:
    by_column = dict(zip(_SUMS, sums, strict=True))
    return {name: by_column[column] for name, column in _NAMES.items()}


# -- keeping


def compute_period(work: UnitOfWork, kind: str, dates: OrderDate, unit: int) -> list[TypeSums]:
    """Return the sums of a day or a month from the rows themselves."""
    after, next_one = (periods.compute_unit_start(_get_unit_kind(kind), one) for one in (unit, unit + 1))
    return _join_parts(one for _, one in _count_parts(work, dates, after, next_one - 1))


def load_period(work: UnitOfWork, kind: str, dates: OrderDate, unit: int) -> list[TypeSums]:
    """Return what is kept of a day or a month."""
    return [one for _, one in _read_kept(work, kind, dates, unit, unit)]


def save_period(work: UnitOfWork, kind: str, dates: OrderDate, unit: int) -> None:
    """Keep a day, or a month from its days; nothing is kept of it yet."""
    if kind == TYPE_DAY:
        rows = compute_period(work, kind, dates, unit)
    else:
        first, after = (periods.compute_unit_start(MONTH, one) // SECONDS for one in (unit, unit + 1))
        rows = _join_parts(one for _, one in span_parts.iterate_days(work, _SOURCE, dates, first, after - 1))
    work.tx.load(
        table, [(kind, dates, unit, one.status, one.repeat, *one.sums, one.customers, one.coupons) for one in rows]
    )
    periods.add_period(work, kind, dates, unit)


def delete_period(work: UnitOfWork, kind: str, dates: str, unit: int) -> None:
    """Forget a day or a month."""
    periods.forget_period(work, kind, dates, unit)
    work.tx.run(_DELETE, kind=kind, dates=dates, unit=unit)


def delete_all_periods(work: UnitOfWork) -> None:
    """Forget all days and months: the types of all customers are determined again."""
    periods.forget_kinds(work, (TYPE_DAY, TYPE_MONTH))
    work.tx.run(_DELETE_ALL)


def delete_periods_of(work: UnitOfWork, times: Mapping[str, Iterable[int]]) -> None:
    """Forget the days and months of some orders whose type has changed; times: local times by kind of date."""
    units = {
        (kind, dates, periods.compute_unit(_get_unit_kind(kind), local))
        for dates, found in times.items() for local in found for kind in (TYPE_DAY, TYPE_MONTH)
    }  # fmt: skip
    if not units:
        return
    kept = periods.find_periods(work, (TYPE_DAY, TYPE_MONTH), times, {unit for _, _, unit in units})
    for period in sorted(kept & units):
        delete_period(work, *period)


def _get_unit_kind(kind: str) -> str:
    return MONTH if kind == TYPE_MONTH else TYPE_DAY


def _join_parts(parts: Iterable[TypeSums]) -> list[TypeSums]:
    """Return the sums of parts of a period together, in the order of their keys."""
    joined: dict[tuple[str, int], list[TypeSums]] = {}
    for one in parts:
        joined.setdefault((one.status, one.repeat), []).append(one)
    return [
        TypeSums(
            *key, tuple(map(sum, zip(*(one.sums for one in some), strict=True))),
            pack_ids(id for one in some for id in list_ids(one.customers)),
            pack_ids(id for one in some for id in list_ids(one.coupons)),
        )
        for key, some in sorted(joined.items())
    ]  # fmt: skip


def _read_kept(work: UnitOfWork, kind: str, dates: OrderDate, first: int, last: int) -> Iterator[tuple[int, TypeSums]]:
    for unit, status, repeat, *sums, customers, coupons in work.tx.all(
        _READ, kind=kind, dates=dates, first=first, last=last
    ):
        yield unit, TypeSums(status, repeat, tuple(sums), customers, coupons)


def _count_parts(work: UnitOfWork, dates: OrderDate, after: int, before: int) -> Iterator[tuple[int, TypeSums]]:
    bound = {"after": after, "before": before}
    used = {
        (day, status, repeat): pack_ids(orjson.loads(ids))
        for day, status, repeat, ids in work.tx.all(_COUPONS[dates], **bound, **bind_coupon_ends(work))
    }
    for day, status, repeat, *sums, customers in work.tx.all(_COUNT[dates], **bound):
        yield day, TypeSums(
            status, repeat, tuple(int(value or 0) for value in sums), pack_ids(orjson.loads(customers)),
            used.get((day, status, repeat), b""),
        )  # fmt: skip


_SOURCE: Final = PartSource(TYPE_DAY, TYPE_MONTH, _read_kept, _count_parts)
