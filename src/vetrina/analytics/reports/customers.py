"""The report on customers: who they are, what they bought, and averages over them.

Not here: how sums are kept (analytics/facts/customers.py). Rules: docs/rules/analytics_reports.md, 10, 11 and 12: a
single bound is exclusive, two are inclusive; customers without purchases are outside every bound on money; with
`match=any` the bounds must hold as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import orjson
from sqlalchemy import ColumnElement, Float, and_, bindparam, case, cast, func, or_, select, true

from vetrina.analytics.facts.reportable_orders import get_excluded_statuses
from vetrina.analytics.reports import buyers
from vetrina.analytics.reports.buyers import CustomerAverages
from vetrina.analytics.reports.customer_bounds import build_bound_conditions, parse_bounds
from vetrina.analytics.reports.intervals import ReportSpan, parse_span
from vetrina.analytics.rollups import periods
from vetrina.analytics.rollups.customer_lanes import CustomerBlock
from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import (
    ArrayAgg,
    ContainsText,
    InList,
    StatementCache,
    UnindexedColumn,
    encode_list,
)
from vetrina.backends.tables.analytics import fact_customer as table, fact_order
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import fold_text

_MILLION: Final = 1_000_000
_LARGEST_NUMBER: Final = 2**63 - 1  # the largest value of a column
_SHAPES: Final = StatementCache(512)
_COLUMNS: Final = (
    "id", "account", "username", "first_name", "last_name", "email", "country", "city", "state", "postcode",
    "registered", "last_active",
)  # fmt: skip
_FEW: Final = 1000  # customers who are looked up, where more are read along the order of a list
_FEWEST_PARTS: Final = 4  # of the time of all orders: a span of more than one of them has most of it
_BY_ID = Statement(select(*(table.c[name] for name in _COLUMNS)).where(InList(table.c.id, "ids")))
_FILLABLE_COLUMNS: Final = {
    "email": "email",
    "name": "name_key",
    "country": "country",
    "city": "city",
    "state": "state",
    "postcode": "postcode",
}


@dataclass(frozen=True, slots=True)
class CustomerRow:
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


class _CustomerQuery:
    """The conditions of a request, their shape and values. counted: whether customers are counted, not listed."""

    def __init__(self, work: UnitOfWork, args: Mapping[str, Any], *, counted: bool = False) -> None:
        # Customers of a country are counted by its index; a page of them is read in the requested order, where the
        # country index would mean sorting all of them for ten rows.
        self.country: ColumnElement[Any] = table.c.country if counted else UnindexedColumn(table.c.country)
        self.shape: list[Any] = []
        self.bound: dict[str, Any] = {}
        self.source: Any = table
        self.orders: ColumnElement[Any] = table.c.orders
        self.spend: ColumnElement[Any] = table.c.spend
        self.last: ColumnElement[Any] = table.c.last_order
        self.made: Any = None
        self.excluded = encode_list(get_excluded_statuses(work))
        self.span = parse_span(work, args.get("after") or "0001-01-01T00:00:00", args.get("before"))
        bought: list[ColumnElement[bool]] = []
        if args.get("after") or args.get("before"):
            ends = periods.find_ends(work, "created")
            if ends is not None and self.span.after <= ends[0] and ends[1] <= self.span.before:
                # The sums of all time are those of the span.
                bought.append(UnindexedColumn(table.c.orders) > 0)
                self.shape.append("buyers")
            else:
                self._limit_to_span(ends)
        chosen = self._build_identity_conditions(work, args)
        joined: Any = or_ if args.get("match") == "any" else and_
        # An address names one customer only, however the other conditions are joined.
        named: list[ColumnElement[bool]] = []
        self._add_in_condition(named, args, "only", table.c.id)
        # Who they are, whatever they bought; None for anybody.
        self.identity = and_(joined(*chosen) if chosen else true(), *named) if chosen or named else None
        others = true() if self.identity is None else self.identity
        self.bounds = parse_bounds(args)
        for bound in self.bounds:
            self.bind_value(bound.name, bound.value)
            self.shape.append(bound.is_within.__name__)
        measured = build_bound_conditions(self.bounds, self.orders, self.spend)
        ordered: list[ColumnElement[bool]] = []
        self._add_date_conditions(ordered, work, args, "last_order", self.last, gmt=False)
        self.where = and_(table.c.gone.is_(None), others, *measured, *ordered, *bought)
        # Whether kept sums say who bought what is asked for in a span; they do not say when they last did.
        self.is_of_buyers = self.made is not None and not ordered
        self.shape.append(args.get("match", "all"))

    def bind_value(self, name: str, value: Any) -> None:
        self.shape.append(name)
        # Nobody spent more than a column holds; a larger bound means the same as the column's maximum.
        self.bound[name] = (
            min(max(value, -_LARGEST_NUMBER), _LARGEST_NUMBER) if isinstance(value, int | float | Decimal) else value
        )

    def _limit_to_span(self, ends: tuple[int, int] | None) -> None:
        """Count only the orders of a span; customers without any are left out."""
        c = fact_order.c
        # Most of all orders are read customer by customer, from an index; sorting them takes three times as long.
        is_most = _covers_most_orders(ends, self.span)
        created: ColumnElement[Any] = UnindexedColumn(c.created) if is_most else c.created
        self.made = made = (
            select(
                c.customer,
                func.sum(case((c.parent == 0, 1), else_=0)).label("orders"),
                func.sum(c.total).label("spend"),
                func.max(case((c.parent == 0, c.created))).label("last_order"),
            )
            .where(created >= bindparam("after"), created <= bindparam("before"), ~InList(c.status, "excluded"))
            .group_by(c.customer)
            .subquery("made")
        )
        self.bound |= {"after": self.span.after, "before": self.span.before, "excluded": self.excluded}
        self.source = table.join(made, made.c.customer == table.c.id)
        self.orders, self.spend, self.last = made.c.orders, made.c.spend, made.c.last_order
        self.shape.append(("within", is_most))

    def _build_identity_conditions(self, work: UnitOfWork, args: Mapping[str, Any]) -> list[ColumnElement[bool]]:
        out: list[ColumnElement[bool]] = []
        if args.get("search"):
            by = args.get("searchby", "name")
            self.bind_value("search", fold_text(str(args["search"])))
            self.shape.append(by)
            keys = {
                "name": table.c.name_key,
                "username": func.lower(table.c.username),
                "email": func.lower(table.c.email),
            }
            out.append(or_(*(ContainsText(key, "search") for name, key in keys.items() if by in (name, "all"))))
        for name in ("name", "username", "email"):
            self._add_in_condition(out, args, f"{name}_includes", table.c.id)
            self._add_in_condition(out, args, f"{name}_excludes", table.c.id, negated=True)
        place = table.c.country + ":" + table.c.state
        for side, but in (("includes", False), ("excludes", True)):
            self._add_in_condition(out, args, f"country_{side}", self.country, negated=but)
            if args.get(f"location_{side}"):
                self.bind_value(f"location_{side}", encode_list(args[f"location_{side}"]))
                at = InList(table.c.country, f"location_{side}") | InList(place, f"location_{side}")
                out.append(~at if but else at)
        self._add_in_condition(out, args, "users", table.c.account)
        self._add_in_condition(out, args, "include", table.c.id)
        for name in args.get("filter_empty") or ():
            self.shape.append(f"has {name}")
            out.append(table.c[_FILLABLE_COLUMNS[name]] != "")
        if args.get("user_type") in ("registered", "guest"):
            self.shape.append(args["user_type"])
            out.append(table.c.account > 0 if args["user_type"] == "registered" else table.c.account == 0)
        for name, column in (("registered", table.c.registered), ("last_active", table.c.last_active)):
            self._add_date_conditions(out, work, args, name, column, gmt=True)
        return out

    def _add_in_condition(
        self,
        out: list[ColumnElement[bool]],
        args: Mapping[str, Any],
        name: str,
        column: ColumnElement[Any],
        negated: bool = False,
    ) -> None:
        if args.get(name):
            self.bind_value(name, encode_list(args[name]))
            among = InList(column, name)
            out.append(~among if negated else among)

    def _add_date_conditions(
        self, out: list[ColumnElement[bool]], work: UnitOfWork, args: Mapping[str, Any], name: str,
        column: ColumnElement[Any], gmt: bool,
    ) -> None:  # fmt: skip
        def moment(written: str) -> int:
            local, instant = work.zone.parse_nearest(written)
            return instant if gmt else local

        after, before = args.get(f"{name}_after"), args.get(f"{name}_before")
        if args.get(f"{name}_between"):
            after, before = sorted(args[f"{name}_between"], key=moment)
        if after:
            self.bind_value(f"{name}_after", moment(after))
            out.append(column >= bindparam(f"{name}_after"))
        if before:
            self.bind_value(f"{name}_before", moment(before))
            out.append(column <= bindparam(f"{name}_before"))


def _covers_most_orders(ends: tuple[int, int] | None, span: ReportSpan) -> bool:
    """Return whether a span has so much of the time of all orders that reading them all costs less than a selection."""
    if ends is None:
        return False
    low, high = ends
    return (min(high, span.before) - max(low, span.after)) * _FEWEST_PARTS > high - low


def list_customers(work: UnitOfWork, args: Mapping[str, Any]) -> tuple[list[CustomerRow], int]:
    """Return a page of customers and the total.

    args: the filters of the interface; only: ids, however the other filters are joined; order, orderby (a member, or
    location, date_registered, date_last_active, orders_count, total_spend, avg_order_value), page, per_page.
    """
    work.uses("order", "user", "option")
    query = _CustomerQuery(work, args)
    orderby, order = args.get("orderby", "date_registered"), args.get("order", "desc")
    per_page = args.get("per_page", 10)
    start = (args.get("page", 1) - 1) * per_page
    if query.is_of_buyers:
        return _list_buyers(work, args, query, orderby, order == "desc", start, per_page)
    total = _count_customers(work, _CustomerQuery(work, args, counted=True))
    if start >= total:
        return [], total

    def build() -> Any:
        columns = (*(table.c[name] for name in _COLUMNS), query.orders, query.spend, query.last)
        by = _build_order(query, orderby, order == "desc")
        return (
            select(*columns).select_from(query.source).where(query.where).order_by(*by)
            .limit(bindparam("limit")).offset(bindparam("start"))
        )  # fmt: skip

    statement = _SHAPES.get(("page", orderby, order, *query.shape), build)
    rows = work.tx.all(statement, limit=per_page, start=start, **query.bound)
    return [_row_to_customer(row) for row in rows], total


def _list_buyer_blocks(work: UnitOfWork, args: Mapping[str, Any]) -> list[CustomerBlock]:
    """Return what those who bought in a span bought, of the customers that are asked for."""
    query = _CustomerQuery(work, args, counted=True)
    identity = query.identity
    if identity is None:
        return buyers.choose_within(buyers.list_blocks(work, query.span), query.bounds)
    # As one text: of many customers, a row for each takes three times as long.
    statement = _SHAPES.get(
        ("identity", *query.shape), lambda: select(ArrayAgg(table.c.id, once=False)).select_from(table).where(identity)
    )
    chosen = set(orjson.loads(work.tx.value(statement, **query.bound) or "[]"))
    return buyers.choose_within(buyers.list_blocks(work, query.span, chosen), query.bounds)


def _count_buyers(work: UnitOfWork, args: Mapping[str, Any]) -> tuple[list[CustomerBlock], int]:
    blocks = _list_buyer_blocks(work, args)
    return blocks, sum(len(block.ids) for block in blocks)


def _list_buyers(
    work: UnitOfWork, args: Mapping[str, Any], query: _CustomerQuery, orderby: str, falling: bool, start: int,
    limit: int,
) -> tuple[list[CustomerRow], int]:  # fmt: skip
    """Return a page of those who bought in a span, and how many they are; only those of the page are read whole."""
    best = None
    if orderby == "total_spend" and falling and query.identity is None and not query.bounds:
        best = buyers.find_best_buyers(work, query.span, start + limit)
    blocks, total = best or _count_buyers(work, args)
    if start >= total:
        return [], total
    if orderby in buyers.MEASURES:
        ids = buyers.rank_buyers(blocks, orderby, falling, start, limit)
    else:
        ids = _select_buyers(work, query, orderby, falling, {id for block in blocks for id in block.ids}, start + limit)
        ids = ids[start:]
    sums = buyers.load_buyer_sums(work, query.span, ids)
    known = {row[0]: row for row in work.tx.all(_BY_ID, ids=encode_list(ids))}
    return [_row_to_customer((*known[id], *sums[id])) for id in ids], total


def _select_buyers(
    work: UnitOfWork, query: _CustomerQuery, orderby: str, falling: bool, bought: Collection[int], most: int
) -> list[int]:
    """Return the first of some customers in an order, read along it."""
    few = len(bought) <= _FEW

    def build() -> Any:
        among = InList(table.c.id, "ids") if few else true()
        by = _build_order(query, orderby, falling)
        return select(table.c.id).where(among).order_by(*by).limit(bindparam("limit")).offset(bindparam("start"))

    statement = _SHAPES.get(("buyers", orderby, falling, few), build)
    bound = {"ids": encode_list(bought)} if few else {}
    out: list[int] = []
    limit, start = max(4 * most, _FEW), 0
    while rows := work.tx.all(statement, limit=limit, start=start, **bound):
        out += [row[0] for row in rows if row[0] in bought]
        if len(out) >= most:
            break
        # Twice as many each time, so that few statements read all.
        start, limit = start + limit, 2 * limit
    return out[:most]


def _count_customers(work: UnitOfWork, query: _CustomerQuery) -> int:
    statement = _SHAPES.get(
        ("count", *query.shape), lambda: select(func.count()).select_from(query.source).where(query.where)
    )
    return int(work.tx.value(statement, **query.bound) or 0)


def compute_averages(work: UnitOfWork, args: Mapping[str, Any]) -> CustomerAverages:
    """Return the number of customers and averages over those who bought something; args: as for `list_customers`."""
    work.uses("order", "user", "option")
    query = _CustomerQuery(work, args)
    if query.is_of_buyers:
        return buyers.average_buyers(_list_buyer_blocks(work, args))
    bought = query.orders > 0
    average = case((bought, cast(query.spend, Float) / query.orders))

    def build() -> Any:
        return (
            select(
                func.count(), func.sum(case((bought, 1), else_=0)), func.sum(query.orders),
                func.sum(case((bought, query.spend))),
                func.sum(average),
            )
            .select_from(query.source).where(query.where)
        )  # fmt: skip

    row = work.tx.first(_SHAPES.get(("averages", *query.shape), build), **query.bound)
    count, some, orders, spend, each = (float(value or 0) for value in row or ())
    if not some:
        return CustomerAverages(int(count), 0, 0, 0)
    return CustomerAverages(int(count), orders / some, spend / _MILLION / some, each / _MILLION / some)


_build_customer: Callable[..., CustomerRow] = CustomerRow


def _row_to_customer(row: Row) -> CustomerRow:
    *told, orders, spend, last = row
    return _build_customer(*told, int(orders or 0), int(spend or 0), last)


def _build_order(query: _CustomerQuery, orderby: str, falling: bool) -> Sequence[ColumnElement[Any]]:
    columns: dict[str, list[ColumnElement[Any]]] = {
        "name": [table.c.name_key],
        "location": [table.c.state, table.c.country],
        "date_registered": [table.c.registered],
        "date_last_active": [table.c.last_active],
        "orders_count": [query.orders],
        # Customers without purchases sort below those who paid nothing.
        "total_spend": [query.spend, query.orders > 0],
        "avg_order_value": [
            case((query.orders > 0, cast(query.spend, Float) / query.orders), else_=0), query.orders > 0
        ],
    }  # fmt: skip
    by = columns.get(orderby, [table.c.get(orderby, table.c.registered)])
    last = table.c.id.desc() if falling and orderby not in buyers.MEASURES else table.c.id.asc()
    if orderby in ("date_registered", "date_last_active"):
        # A missing date sorts before all others, on both databases.
        return [*(one.desc().nulls_last() if falling else one.asc().nulls_first() for one in by), last]
    return [*(one.desc() if falling else one.asc() for one in by), last]
