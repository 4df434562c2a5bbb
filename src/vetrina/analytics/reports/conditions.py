"""The conditions of reports: filters as values, and as SQL over the tables of facts.

A statement is kept by its shape, the names of its conditions; what they compare with is bound. Not here: which report
has which filters (analytics/reports/definitions.py). Rules: facts, "Filters of orders and orders/stats".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, Table, and_, or_, select, true

from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order, fact_tax

__all__ = [
    "Condition",
    "Filters",
    "Statuses",
    "having",
    "holding",
    "joined",
    "of_type",
    "only",
    "refund_rows",
    "with_others",
    "without",
]

Match = Literal["all", "any"]
Build = Callable[[Table], ColumnElement[bool]]


@dataclass(frozen=True)
class Condition:
    """One condition. name: says its SQL wholly, for the shape. build: gives it for a table. values: what is bound."""

    name: str
    build: Build
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Statuses:
    """Which statuses are asked for. among: None for any of them; but: those that are left out."""

    among: frozenset[str] | None = None
    but: frozenset[str] = frozenset()

    def take(self, status: str) -> bool:
        """Say whether a status is one of them."""
        return (self.among is None or status in self.among) and status not in self.but


@dataclass(frozen=True)
class Filters:
    """What rows a report is made of: all of `always`, and of `chosen` all or any.

    statuses: says the same where nothing but the status is asked about; sums that are kept by status serve it then.
    """

    chosen: tuple[Condition, ...] = ()
    always: tuple[Condition, ...] = ()
    match: Match = "all"
    statuses: Statuses | None = None

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
        """Return the condition of a row of a table of facts."""
        parts: list[ColumnElement[bool]] = [one.build(table) for one in self.always]
        if self.chosen:
            joined = and_ if self.match == "all" else or_
            parts.append(joined(*(one.build(table) for one in self.chosen)))
        return and_(true(), *parts)

    def also(self, *more: Condition) -> Filters:
        """Return them with more that always hold."""
        return Filters(self.chosen, (*self.always, *more), self.match)


_SIDES: Final[dict[str, tuple[Table, str]]] = {
    "product": (fact_line, "product"),
    "variation": (fact_line, "variation"),
    "coupon": (fact_coupon, "coupon"),
    "tax_rate": (fact_tax, "rate"),
}


def only(column: str, values: Iterable[Any], name: str = "", *, but: bool = False) -> Condition:
    """Return the condition that a column has one of some values; but: that it has none of them."""
    name = name or f"{column}_{'is_not' if but else 'is'}"

    def build(table: Table) -> ColumnElement[bool]:
        among = Among(table.c[column], name)
        return ~among if but else among

    return Condition(f"{name}:{column}:{but}", build, {name: listed(values)})


def holding(what: str, ids: Iterable[int]) -> Condition:
    """Return the condition that an order has at least one of some products, variations, coupons or tax rates."""
    return _side(what, ids, f"{what}_in", False)


def without(what: str, ids: Iterable[int]) -> Condition:
    """Return the condition that an order has none of them."""
    return _side(what, ids, f"{what}_out", True)


def with_others(what: str, ids: Iterable[int]) -> Condition:
    """Return the condition that an order has something else than these, or nothing of the kind at all."""
    side, column = _SIDES[what]
    name = f"{what}_other"

    def build(table: Table) -> ColumnElement[bool]:
        other = select(side.c.order).where(~Among(side.c[column], name))
        return or_(table.c.id.in_(other), table.c.id.not_in(select(side.c.order)))

    return Condition(name, build, {name: listed(ids)})


def _side(what: str, ids: Iterable[int], name: str, but: bool) -> Condition:
    side, column = _SIDES[what]

    def build(table: Table) -> ColumnElement[bool]:
        held = select(side.c.order).where(Among(side.c[column], name))
        key = table.c.id if table is fact_order else table.c.order
        return key.not_in(held) if but else key.in_(held)

    return Condition(name, build, {name: listed(ids)})


def having(lines: Condition, *, orders_alone: bool = False) -> Condition:
    """Return the condition that an order has a line that fulfils one; orders_alone: and is no refund."""

    def build(table: Table) -> ColumnElement[bool]:
        held = fact_order.c.id.in_(select(fact_line.c.order).where(lines.build(fact_line)))
        return held & (fact_order.c.parent == 0) if orders_alone else held

    return Condition(f"has({lines.name}, {orders_alone})", build, lines.values)


def joined(parts: Sequence[Condition], match: Match, name: str) -> Condition:
    """Return one condition of several, all or any of them."""
    values: dict[str, Any] = {}
    for part in parts:
        values |= part.values

    def build(table: Table) -> ColumnElement[bool]:
        built = [part.build(table) for part in parts]
        return and_(*built) if match == "all" else or_(*built)

    return Condition(f"{name}:{match}({','.join(part.name for part in parts)})", build, values)


def of_type(returning: bool) -> Condition:
    """Return the condition that an order is the first of its customer, or is not."""
    return Condition(f"repeat={returning}", lambda table: table.c.repeat == (1 if returning else 0))


def refund_rows(which: str) -> Condition:
    """Return the condition of the parameter `refunds`: all, none, full or partial."""

    def build(table: Table) -> ColumnElement[bool]:
        match which:
            case "none":
                return table.c.parent == 0
            case "full":
                return and_(table.c.parent > 0, table.c.status == "refunded")
            case "partial":
                return and_(table.c.parent > 0, table.c.status != "refunded")
        return table.c.parent > 0

    return Condition(f"refunds={which}", build)
