"""Comparing the tables of reports with the orders: every difference by name, and its repair.

Not here: the words for whoever reads them (cli/analytics.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Table, bindparam, delete, exists, or_, select, text, union_all

from vetrina.analytics.facts import rules as facts
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.analytics import fact_coupon, fact_customer, fact_line, fact_order, fact_tax
from vetrina.backends.tables.orders import shop_order, shop_refund
from vetrina.core.unit_of_work import Work

__all__ = ["Difference", "differences", "parts", "repair", "strays"]

_PART: Final = 500
_TABLES: Final[tuple[tuple[Table, str], ...]] = (
    (fact_order, "orders"), (fact_line, "lines"), (fact_coupon, "coupons"), (fact_tax, "taxes"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that the tables say otherwise than the orders. order: the number of the order that it is about."""

    order: int
    what: str


_ORDERS = Statement(
    select(shop_order.c.id)
    .where(shop_order.c.id > bindparam("after"))
    .order_by(shop_order.c.id)
    .limit(bindparam("limit"))
)
_STRAYS = Statement(
    select(fact_order.c.id).where(fact_order.c.parent == 0, fact_order.c.id.not_in(select(shop_order.c.id)))
    .order_by(fact_order.c.id)
)  # fmt: skip
_OF_ORDERS = Statement(
    union_all(
        select(fact_order).where(Among(fact_order.c.id, "ids")),
        select(fact_order).where(text("fact_order.parent > 0"), Among(fact_order.c.parent, "ids")),
    )
)
# Lines, coupons and taxes whose order or refund has no row: writing finds what is to be replaced by that row.
_LEFT_BEHIND: Final = [
    Statement(
        delete(table).where(
            or_(
                Among(table.c.order, "ids"),
                table.c.order.in_(select(shop_refund.c.id).where(Among(shop_refund.c.order, "ids"))),
            ),
            ~exists().where(fact_order.c.id == table.c.order),
        )
    )
    for table, _ in _TABLES[1:]
]
_OF: Final = {table.name: Statement(select(table).where(Among(table.c.order, "ids"))) for table, _ in _TABLES[1:]}
_CUSTOMERS = Statement(
    select(fact_customer.c.id, fact_customer.c.orders, fact_customer.c.spend, fact_customer.c.last_order)
    .where(Among(fact_customer.c.id, "ids"))
)  # fmt: skip


def parts(work: Work) -> Iterator[list[int]]:
    """Yield the numbers of all orders in parts."""
    after = 0
    while ids := [row[0] for row in work.tx.all(_ORDERS, after=after, limit=_PART)]:
        after = ids[-1]
        yield ids


def differences(work: Work, ids: Sequence[int]) -> list[Difference]:
    """Return what differs of some orders. The work may write: a customer that is missing is made to be compared."""
    made = facts.computed(work, ids)
    held = work.tx.all(_OF_ORDERS, ids=listed(ids))
    numbers = listed({*(row[0] for row in held), *(row["id"] for row in made.orders)})
    stored: dict[str, list[Any]] = {"orders": held}
    stored |= {name: work.tx.all(_OF[table.name], ids=numbers) for table, name in _TABLES[1:]}
    of = {row["id"]: row["parent"] or row["id"] for row in made.orders}
    of |= {row[0]: row[1] or row[0] for row in held}
    out: list[Difference] = []
    for table, name in _TABLES:
        columns = [column.name for column in table.c]
        keys = 1 if table is fact_order else 2
        want = {tuple(row[column] for column in columns[:keys]): row for row in getattr(made, name)}
        have = {tuple(row[:keys]): dict(zip(columns, row, strict=True)) for row in stored[name]}
        for key in sorted({*want, *have}):
            said = f"{table.name} {'/'.join(map(str, key))}"
            order = of.get(key[0], key[0])
            if key not in have:
                out.append(Difference(order, f"{said} is missing"))
            elif key not in want:
                out.append(Difference(order, f"{said} belongs to nothing"))
            else:
                wrong = [
                    f"{column} is {have[key][column]}, should be {want[key][column]}"
                    for column in columns
                    # Which order of a customer is the first depends on all of them; it is compared with their sums.
                    if column != "repeat" and have[key][column] != want[key][column]
                ]
                out += [Difference(order, f"{said}: {one}") for one in wrong]
    return [*out, *_of_customers(work, made.orders)]


def strays(work: Work) -> list[Difference]:
    """Return the rows of orders that are gone."""
    return [Difference(row[0], f"fact_order {row[0]} is of no order") for row in work.tx.all(_STRAYS)]


def repair(work: Work, ids: Sequence[int]) -> None:
    """Write the rows of some orders anew."""
    for statement in _LEFT_BEHIND:
        work.tx.run(statement, ids=listed(ids))
    facts.rewrite(work, ids)


def _of_customers(work: Work, orders: Sequence[dict[str, Any]]) -> list[Difference]:
    """Return what is wrong with the sums of the customers of some orders."""
    from vetrina.analytics.facts import customers as fact_customers

    first = {row["customer"]: row["id"] for row in orders}
    ids = listed(first)
    before = {row[0]: row[1:] for row in work.tx.all(_CUSTOMERS, ids=ids)}
    marks = {row[0]: row[-1] for row in work.tx.all(_OF_ORDERS, ids=listed(row["id"] for row in orders))}
    fact_customers.recount(work, list(first))
    out = []
    for id, *now in work.tx.all(_CUSTOMERS, ids=ids):
        if tuple(now) != tuple(before.get(id, ())):
            out.append(Difference(first[id], f"fact_customer {id}: sums are {before.get(id)}, should be {tuple(now)}"))
    for row in work.tx.all(_OF_ORDERS, ids=listed(row["id"] for row in orders)):
        if row[0] in marks and marks[row[0]] != row[-1]:
            out.append(Difference(row[0], f"fact_order {row[0]}: repeat is {marks[row[0]]}, should be {row[-1]}"))
    return out
