"""The conditions of reports: filters as values, and as SQL over the fact tables.

A statement is cached by its shape, the names of its conditions; compared values are bound. Not here: which report has
which filters (analytics/reports/filters.py). Rules: docs/rules/analytics_filters.md, 3, 4, 5 and 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, Table, and_, bindparam, or_, select, true

from vetrina.backends.statement_cache import InList, UnindexedColumn, encode_list
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order, fact_tax

FilterMatch = Literal["all", "any"]
ReportConditionBuilder = Callable[[Table], ColumnElement[bool]]


@dataclass(frozen=True)
class ReportCondition:
    """One condition. name: identifies its SQL within the shape. build: returns it for a table. values: bound values."""

    name: str
    build: ReportConditionBuilder
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StatusFilter:
    """Which statuses match. included: None for any; excluded: never match."""

    included: frozenset[str] | None = None
    excluded: frozenset[str] = frozenset()

    def includes(self, status: str) -> bool:
        """Return whether a status matches."""
        return (self.included is None or status in self.included) and status not in self.excluded


@dataclass(frozen=True)
class GoodsFilter:
    """Which lines match, where only the status is filtered and which products they are of."""

    statuses: StatusFilter
    products: frozenset[int]


@dataclass(frozen=True)
class ReportFilters:
    """Which rows a report covers: all conditions of `always`, and all or any of `chosen`.

    statuses: the same filter where only the status is filtered, beside what the report itself is about; sums stored by
    status serve it then. goods: the same filter where only products are chosen besides. product: the one that orders
    must contain, where nothing else is requested.
    """

    chosen: tuple[ReportCondition, ...] = ()
    always: tuple[ReportCondition, ...] = ()
    match: FilterMatch = "all"
    statuses: StatusFilter | None = None
    goods: GoodsFilter | None = None
    product: int | None = None

    @property
    def shape(self) -> tuple[Any, ...]:
        return (self.match, tuple(one.name for one in self.chosen), tuple(one.name for one in self.always))

    @property
    def values(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for one in (*self.always, *self.chosen):
            out |= one.values
        return out

    def where(self, table: Table) -> ColumnElement[bool]:
        """Return the condition for a row of a fact table."""
        parts: list[ColumnElement[bool]] = [one.build(table) for one in self.always]
        if self.chosen:
            joined = and_ if self.match == "all" else or_
            parts.append(joined(*(one.build(table) for one in self.chosen)))
        return and_(true(), *parts)

    def with_conditions(self, *more: ReportCondition) -> ReportFilters:
        """Return these filters with more conditions that always hold."""
        return ReportFilters(self.chosen, (*self.always, *more), self.match)


_SIDES: Final[dict[str, tuple[Table, str]]] = {
    "product": (fact_line, "product"),
    "variation": (fact_line, "variation"),
    "coupon": (fact_coupon, "coupon"),
    "tax_rate": (fact_tax, "rate"),
}


def build_column_condition(
    column: str, values: Iterable[Any], name: str = "", *, negated: bool = False, looked_up: bool = True
) -> ReportCondition:
    """Return the condition that a column has one of some values.

    negated: that it has none of them. looked_up: whether rows may be found by it, rather than by the span alone.
    """
    name = name or f"{column}_{'is_not' if negated else 'is'}"

    def build(table: Table) -> ColumnElement[bool]:
        among = InList(table.c[column] if looked_up else UnindexedColumn(table.c[column]), name)
        return ~among if negated else among

    return ReportCondition(f"{name}:{column}:{negated}:{looked_up}", build, {name: encode_list(values)})


def build_containing_condition(what: str, ids: Iterable[int]) -> ReportCondition:
    """Return the condition that an order has at least one of some products, variations, coupons or tax rates."""
    return _build_side_condition(what, ids, f"{what}_in", False)


def build_line_probe(product: int) -> ReportCondition:
    """Return the condition that an order contains a product, looked at order by order.

    Whoever reads few orders along an index finds most of them by it; the database would list all orders of the product.
    """

    def build(table: Table) -> ColumnElement[bool]:
        line = fact_line.c
        held = select(line.order).where(
            line.order == table.c.id, UnindexedColumn(line.product) == bindparam("probed_product")
        )
        # Not by EXISTS, which PostgreSQL turns into a join again.
        return held.limit(1).scalar_subquery().is_not(None)

    return ReportCondition("contains product", build, {"probed_product": product})


def build_lacking_condition(what: str, ids: Iterable[int]) -> ReportCondition:
    """Return the condition that an order has none of these."""
    return _build_side_condition(what, ids, f"{what}_out", True)


def build_other_condition(what: str, ids: Iterable[int]) -> ReportCondition:
    """Return the condition that an order has anything other than these, or nothing of the kind at all."""
    side, column = _SIDES[what]
    name = f"{what}_other"

    def build(table: Table) -> ColumnElement[bool]:
        other = select(side.c.order).where(~InList(side.c[column], name))
        return or_(table.c.id.in_(other), table.c.id.not_in(select(side.c.order)))

    return ReportCondition(name, build, {name: encode_list(ids)})


def _build_side_condition(what: str, ids: Iterable[int], name: str, negated: bool) -> ReportCondition:
    side, column = _SIDES[what]

    def build(table: Table) -> ColumnElement[bool]:
        held = select(side.c.order).where(InList(side.c[column], name))
        key = table.c.id if table is fact_order else table.c.order
        return key.not_in(held) if negated else key.in_(held)

    return ReportCondition(name, build, {name: encode_list(ids)})


def build_line_condition(lines: ReportCondition, *, orders_alone: bool = False) -> ReportCondition:
    """Return the condition that an order has a matching line; orders_alone: and is not a refund."""

    def build(table: Table) -> ColumnElement[bool]:
        held = fact_order.c.id.in_(select(fact_line.c.order).where(lines.build(fact_line)))
        return held & (fact_order.c.parent == 0) if orders_alone else held

    return ReportCondition(f"has({lines.name}, {orders_alone})", build, lines.values)


def join_conditions(parts: Sequence[ReportCondition], match: FilterMatch, name: str) -> ReportCondition:
    """Return one condition made of several, all or any of them."""
    values: dict[str, Any] = {}
    for part in parts:
        values |= part.values

    def build(table: Table) -> ColumnElement[bool]:
        built = [part.build(table) for part in parts]
        return and_(*built) if match == "all" else or_(*built)

    return ReportCondition(f"{name}:{match}({','.join(part.name for part in parts)})", build, values)


def build_customer_type_condition(returning: bool) -> ReportCondition:
    """Return the condition that an order is the first of its customer, or that it is not."""
    return ReportCondition(f"repeat={returning}", lambda table: table.c.repeat == (1 if returning else 0))


def build_refund_condition(which: str) -> ReportCondition:
    """Return the condition of the `refunds` parameter: all, none, full or partial."""

    def build(table: Table) -> ColumnElement[bool]:
        match which:
            case "none":
                return table.c.parent == 0
            case "full":
                return and_(table.c.parent > 0, table.c.status == "refunded")
            case "partial":
                return and_(table.c.parent > 0, table.c.status != "refunded")
        return table.c.parent > 0

    return ReportCondition(f"refunds={which}", build)
