"""The report on customers: who they are, what they bought, and averages over them.

Not here: how what they bought is kept (analytics/facts/customers.py). Rules: facts, "The reports" (customers): one
bound alone is strict, two are not; who bought nothing is within no bound of money; with `match` any the bounds must
hold besides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import ColumnElement, Float, and_, bindparam, case, cast, func, or_, select, true

from vetrina.analytics.facts.reportable_orders import excluded
from vetrina.analytics.reports.intervals import span_of
from vetrina.backends.database import Row
from vetrina.backends.statement_cache import Among, Contains, Leading, Shapes, listed
from vetrina.backends.tables.analytics import fact_customer as table
from vetrina.backends.tables.analytics import fact_order
from vetrina.core.unit_of_work import Work
from vetrina.kernel.folding import fold

__all__ = ["Averages", "Customer", "averages", "page"]

_MILLION: Final = 1_000_000
_HELD: Final = 2**63 - 1  # the largest number of a column
_SHAPES: Final = Shapes(512)
_SHOWN: Final = (
    "id", "account", "username", "first_name", "last_name", "email", "country", "city", "state", "postcode",
    "registered", "last_active",
)  # fmt: skip
_MEASURES: Final = ("orders_count", "total_spend", "avg_order_value")  # those that are equal stand by number
_EMPTY: Final = {"email": "email", "name": "name_key", "country": "country", "city": "city", "state": "state",
                 "postcode": "postcode"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Customer:
    """One customer. registered, last_active: instants; last_order: a local time. spend: millionths."""

    id: int
    account: int
    username: str
    first_name: str
    last_name: str
    email: str
    country: str
    city: str
    state: str
    postcode: str
    registered: int | None
    last_active: int | None
    orders: int
    spend: int
    last_order: int | None

    @property
    def average(self) -> float:
        return self.spend / _MILLION / self.orders if self.orders else 0.0


@dataclass(frozen=True, slots=True)
class Averages:
    """How many customers, and averages over those who bought something; amounts in the currency's unit."""

    count: int
    orders: float
    spend: float
    order_value: float


class _Asked:
    """The conditions of a request, its shape and its values. counted: whether its customers are counted, not listed."""

    def __init__(self, work: Work, args: Mapping[str, Any], *, counted: bool = False) -> None:
        # Those of a country are counted by its index; a page of them is read in the order that was asked for, where
        # the index would have all of them sorted for ten.
        self.country: ColumnElement[Any] = table.c.country if counted else Leading(table.c.country)
        self.shape: list[Any] = []
        self.bound: dict[str, Any] = {}
        self.source: Any = table
        self.orders: ColumnElement[Any] = table.c.orders
        self.spend: ColumnElement[Any] = table.c.spend
        self.last: ColumnElement[Any] = table.c.last_order
        if args.get("after") or args.get("before"):
            self._within(work, args)
        chosen = self._who(work, args)
        joined: Any = or_ if args.get("match") == "any" else and_
        # Whom an address names is nobody else, in whichever way the other conditions are joined.
        named: list[ColumnElement[bool]] = []
        self._among(named, args, "only", table.c.id)
        self.where = and_(
            table.c.gone.is_(None), joined(*chosen) if chosen else true(), *named, *self._bounds(work, args)
        )
        self.shape.append(args.get("match", "all"))

    def values(self, name: str, value: Any) -> None:
        self.shape.append(name)
        # Nobody spent more than a column holds; a filter beyond means the same as one at its end.
        self.bound[name] = min(max(value, -_HELD), _HELD) if isinstance(value, int | float | Decimal) else value

    def _within(self, work: Work, args: Mapping[str, Any]) -> None:
        """Count the orders of a span alone; who has none in it is left out."""
        c = fact_order.c
        made = (
            select(
                c.customer,
                func.sum(case((c.parent == 0, 1), else_=0)).label("orders"),
                func.sum(c.total).label("spend"),
                func.max(case((c.parent == 0, c.created))).label("last_order"),
            )
            .where(c.created >= bindparam("after"), c.created <= bindparam("before"), ~Among(c.status, "excluded"))
            .group_by(c.customer)
            .subquery("made")
        )
        span = span_of(work, args.get("after") or "0001-01-01T00:00:00", args.get("before"))
        self.bound |= {"after": span.after, "before": span.before, "excluded": listed(excluded(work))}
        self.source = table.join(made, made.c.customer == table.c.id)
        self.orders, self.spend, self.last = made.c.orders, made.c.spend, made.c.last_order
        self.shape.append("within")

    def _who(self, work: Work, args: Mapping[str, Any]) -> list[ColumnElement[bool]]:
        out: list[ColumnElement[bool]] = []
        if args.get("search"):
            by = args.get("searchby", "name")
            self.values("search", fold(str(args["search"])))
            self.shape.append(by)
            keys = {
                "name": table.c.name_key,
                "username": func.lower(table.c.username),
                "email": func.lower(table.c.email),
            }
            out.append(or_(*(Contains(key, "search") for name, key in keys.items() if by in (name, "all"))))
        for name in ("name", "username", "email"):
            self._among(out, args, f"{name}_includes", table.c.id)
            self._among(out, args, f"{name}_excludes", table.c.id, but=True)
        place = table.c.country + ":" + table.c.state
        for side, but in (("includes", False), ("excludes", True)):
            self._among(out, args, f"country_{side}", self.country, but=but)
            if args.get(f"location_{side}"):
                self.values(f"location_{side}", listed(args[f"location_{side}"]))
                at = Among(table.c.country, f"location_{side}") | Among(place, f"location_{side}")
                out.append(~at if but else at)
        self._among(out, args, "users", table.c.account)
        self._among(out, args, "include", table.c.id)
        for name in args.get("filter_empty") or ():
            self.shape.append(f"has {name}")
            out.append(table.c[_EMPTY[name]] != "")
        if args.get("user_type") in ("registered", "guest"):
            self.shape.append(args["user_type"])
            out.append(table.c.account > 0 if args["user_type"] == "registered" else table.c.account == 0)
        for name, column in (("registered", table.c.registered), ("last_active", table.c.last_active)):
            self._dates(out, work, args, name, column, gmt=True)
        return out

    def _bounds(self, work: Work, args: Mapping[str, Any]) -> list[ColumnElement[bool]]:
        out: list[ColumnElement[bool]] = []
        bought = self.orders > 0
        average = cast(self.spend, Float) / self.orders
        for name, value, scale, needs in (
            ("orders_count", self.orders, 1, None),
            ("total_spend", self.spend, _MILLION, bought),
            ("avg_order_value", average, _MILLION, bought),
        ):
            low, high = args.get(f"{name}_min"), args.get(f"{name}_max")
            between = args.get(f"{name}_between")
            parts = []
            if between:
                ends = sorted(between)
                self.values(f"{name}_from", ends[0] * scale)
                self.values(f"{name}_to", ends[1] * scale)
                parts += [value >= bindparam(f"{name}_from"), value <= bindparam(f"{name}_to")]
            if low is not None:
                self.values(f"{name}_min", low * scale)
                self.shape.append(high is None)
                edge: Any = bindparam(f"{name}_min")
                parts.append(value > edge if high is None else value >= edge)
            if high is not None:
                self.values(f"{name}_max", high * scale)
                self.shape.append(low is None)
                edge = bindparam(f"{name}_max")
                parts.append(value < edge if low is None else value <= edge)
            if parts:
                # Whoever bought nothing has no average: it must not be divided by zero either.
                out.append(and_(*parts) if needs is None else case((needs, and_(*parts)), else_=_never()))
        self._dates(out, work, args, "last_order", self.last, gmt=False)
        return out

    def _among(
        self,
        out: list[ColumnElement[bool]],
        args: Mapping[str, Any],
        name: str,
        column: ColumnElement[Any],
        but: bool = False,
    ) -> None:
        if args.get(name):
            self.values(name, listed(args[name]))
            among = Among(column, name)
            out.append(~among if but else among)

    def _dates(
        self, out: list[ColumnElement[bool]], work: Work, args: Mapping[str, Any], name: str,
        column: ColumnElement[Any], gmt: bool,
    ) -> None:  # fmt: skip
        def moment(written: str) -> int:
            local, instant = work.zone.nearest(written)
            return instant if gmt else local

        after, before = args.get(f"{name}_after"), args.get(f"{name}_before")
        if args.get(f"{name}_between"):
            after, before = sorted(args[f"{name}_between"], key=moment)
        if after:
            self.values(f"{name}_after", moment(after))
            out.append(column >= bindparam(f"{name}_after"))
        if before:
            self.values(f"{name}_before", moment(before))
            out.append(column <= bindparam(f"{name}_before"))


def _never() -> ColumnElement[bool]:
    """Return a condition that never holds, as both kinds of database write it."""
    return table.c.id < 0


def page(work: Work, args: Mapping[str, Any]) -> tuple[list[Customer], int]:
    """Return a page of customers, and the number of all.

    args: the filters of the interface; only: numbers, however the other filters are joined; order, orderby (a member,
    or location, date_registered, date_last_active, orders_count, total_spend, avg_order_value), page, per_page.
    """
    work.uses("order", "user", "option")
    asked = _Asked(work, args)
    total = _total(work, _Asked(work, args, counted=True))
    orderby, order = args.get("orderby", "date_registered"), args.get("order", "desc")

    def build() -> Any:
        columns = (*(table.c[name] for name in _SHOWN), asked.orders, asked.spend, asked.last)
        by = _order(asked, orderby, order == "desc")
        return (
            select(*columns).select_from(asked.source).where(asked.where).order_by(*by)
            .limit(bindparam("limit")).offset(bindparam("start"))
        )  # fmt: skip

    per_page = args.get("per_page", 10)
    start = (args.get("page", 1) - 1) * per_page
    if start >= total:
        return [], total
    statement = _SHAPES.get(("page", orderby, order, *asked.shape), build)
    rows = work.tx.all(statement, limit=per_page, start=start, **asked.bound)
    return [_customer(row) for row in rows], total


def _total(work: Work, asked: _Asked) -> int:
    statement = _SHAPES.get(
        ("count", *asked.shape), lambda: select(func.count()).select_from(asked.source).where(asked.where)
    )
    return int(work.tx.value(statement, **asked.bound) or 0)


def averages(work: Work, args: Mapping[str, Any]) -> Averages:
    """Return how many customers there are and the averages over those who bought something; args: as for `page`."""
    work.uses("order", "user", "option")
    asked = _Asked(work, args)
    bought = asked.orders > 0
    average = case((bought, cast(asked.spend, Float) / asked.orders))

    def build() -> Any:
        return (
            select(
                func.count(), func.sum(case((bought, 1), else_=0)), func.sum(asked.orders), func.sum(asked.spend),
                func.sum(average),
            )
            .select_from(asked.source).where(asked.where)
        )  # fmt: skip

    row = work.tx.first(_SHAPES.get(("averages", *asked.shape), build), **asked.bound)
    count, buyers, orders, spend, each = (float(value or 0) for value in row or ())
    if not buyers:
        return Averages(int(count), 0, 0, 0)
    return Averages(int(count), orders / buyers, spend / _MILLION / buyers, each / _MILLION / buyers)


_made: Callable[..., Customer] = Customer


def _customer(row: Row) -> Customer:
    *told, orders, spend, last = row
    return _made(*told, int(orders or 0), int(spend or 0), last)


def _order(asked: _Asked, orderby: str, falling: bool) -> Sequence[ColumnElement[Any]]:
    columns: dict[str, list[ColumnElement[Any]]] = {
        "name": [table.c.name_key],
        "location": [table.c.state, table.c.country],
        "date_registered": [table.c.registered],
        "date_last_active": [table.c.last_active],
        "orders_count": [asked.orders],
        # Who bought nothing stands below who paid nothing.
        "total_spend": [asked.spend, asked.orders > 0],
        "avg_order_value": [
            case((asked.orders > 0, cast(asked.spend, Float) / asked.orders), else_=0), asked.orders > 0
        ],
    }  # fmt: skip
    by = columns.get(orderby, [table.c.get(orderby, table.c.registered)])
    last = table.c.id.desc() if falling and orderby not in _MEASURES else table.c.id.asc()
    if orderby in ("date_registered", "date_last_active"):
        # A date that is missing is before all others, in both kinds of database.
        return [*(one.desc().nulls_last() if falling else one.asc().nulls_first() for one in by), last]
    return [*(one.desc() if falling else one.asc() for one in by), last]
